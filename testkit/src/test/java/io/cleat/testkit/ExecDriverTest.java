package io.cleat.testkit;

import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.exec.ExecSettings;
import io.cleat.model.Resources;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** {@code exec} keeps the contract, with the runtime that this machine would use. */
class ExecDriverTest extends ProcessDriverContract {
    @TempDir
    Path root;

    private @Nullable ExecGround ground;

    /** Where runtimes are looked for. */
    protected List<Path> path() throws Exception {
        return ExecGround.usualPath();
    }

    @BeforeEach
    void makeGround() throws Exception {
        ground = ground(root);
    }

    /** Where containers are run at. */
    protected ExecGround ground(Path directory) throws Exception {
        return new ExecGround(directory, settings(), path());
    }

    /** What the node lets tasks ask for. */
    protected ExecSettings settings() throws Exception {
        return ExecSettings.STRICT;
    }

    @Override
    protected void nothingIsLeft() throws Exception {
        if (ground != null) {
            ground.end();
        }
    }

    private ExecGround ground() {
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
        try {
            ground().make(settings(), path());
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Override
    protected TaskConfig config(String id, Map<String, Object> block) {
        return ground().config(id, block, "", Resources.NONE, List.of());
    }

    @Override
    protected Map<String, Object> shell(String script) {
        return Map.of("command", "/bin/sh", "args", List.of("-c", script));
    }

    @Override
    protected String printed() throws Exception {
        return ground().output("stdout");
    }

    @Override
    protected Map<String, Object> exiting(int code) {
        return shell("exit " + code);
    }

    @Override
    protected Map<String, Object> waiting() {
        return Map.of("command", "sleep", "args", List.of("300"));
    }

    @Override
    protected Map<String, Object> stubborn() {
        return shell("trap '' TERM; echo > /local/stubborn; while :; do sleep 0.05; done");
    }

    @Override
    protected void awaitStubbornness(TaskHandle task) throws Exception {
        Path sign = ground().root().resolve("task/local/stubborn");
        Eventually.holds(() -> Files.exists(sign), "the trap is set");
    }
}
