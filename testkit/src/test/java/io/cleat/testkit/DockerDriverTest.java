package io.cleat.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.TaskHandle;
import io.cleat.model.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** {@code docker} keeps the contract, with a real engine. */
class DockerDriverTest extends TaskDriverContract {
    private static final String UNTIL_TERMINATED = "trap 'exit 143' TERM; while :; do sleep 0.05; done";

    private static @Nullable RealEngine engine;

    @TempDir
    Path root;

    private @Nullable DockerGround ground;

    @BeforeAll
    static void openEngine(@TempDir Path directory) throws Exception {
        engine = RealEngine.open(directory);
    }

    @AfterAll
    static void closeEngine() throws Exception {
        if (engine != null) {
            engine.close();
        }
    }

    private static RealEngine engine() {
        return Objects.requireNonNull(engine);
    }

    @BeforeEach
    void makeGround() throws Exception {
        ground = new DockerGround(root, DockerGround.settings(engine().socket()));
    }

    @Override
    protected void nothingIsLeft() throws Exception {
        if (ground == null) {
            return;
        }
        ground.end();
        Set<String> left = new HashSet<>();
        for (String directory : new String[] {"containers", "output", "mounts", "hosts"}) {
            left.addAll(names(root.resolve("docker/" + directory)));
        }
        assertEquals(Set.of(), left);
    }

    private static Set<String> names(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return Set.of();
        }
        try (Stream<Path> all = Files.list(directory)) {
            return all.map(Path::toString).collect(Collectors.toSet());
        }
    }

    protected final DockerGround ground() {
        if (ground == null) {
            throw new IllegalStateException("no ground");
        }
        return ground;
    }

    @Override
    protected TaskDriver driver() {
        return ground().driver();
    }

    @Override
    protected void restart() {
        ground().restart();
    }

    @Override
    protected TaskConfig config(String id, Map<String, Object> block) {
        return ground().config(id, block, Resources.NONE);
    }

    private static Map<String, Object> shell(String script) {
        return DockerGround.block(RealEngine.IMAGE, script);
    }

    @Override
    protected Map<String, Object> exiting(int code) {
        return shell("exit " + code);
    }

    @Override
    protected Map<String, Object> waiting() {
        return shell(UNTIL_TERMINATED);
    }

    @Override
    protected Map<String, Object> stubborn() {
        return shell("trap '' TERM; echo > /local/stubborn; while :; do sleep 0.05; done");
    }

    @Override
    protected void awaitStubbornness(TaskHandle task) throws Exception {
        Path sign = root.resolve("task/local/stubborn");
        Eventually.holds(() -> Files.exists(sign), "the trap is set");
    }
}
