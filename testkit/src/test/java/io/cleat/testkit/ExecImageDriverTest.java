package io.cleat.testkit;

import io.cleat.base.SystemTime;
import io.cleat.driver.exec.ExecSettings;
import io.cleat.image.ImageStore;
import io.cleat.kernel.PathWorkers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** {@code exec} keeps the contract with the programs of an image. */
final class ExecImageDriverTest extends ExecDriverTest {
    @TempDir
    static Path shared;

    private static @Nullable PathWorkers workers;
    private static @Nullable ImageStore images;

    @BeforeAll
    static void makeImage() throws Exception {
        Assumptions.assumeTrue("root".equals(System.getProperty("user.name")), "reason: containers need root");
        Path real = shared.toRealPath();
        TestImage.archive(TestImage.withShell("{}").saved(), real.resolve("image.tar"));
        workers = new PathWorkers(ShimProgram.built(), ExecGround.THREADS, new SystemTime());
        images = ExecGround.images(real.resolve("images"), workers);
    }

    @AfterAll
    static void end() {
        if (workers != null) {
            workers.close();
        }
    }

    @Override
    protected ExecGround ground(Path root) throws Exception {
        return new ExecGround(root, settings(), path(), ShimProgram.built(), Optional.ofNullable(images));
    }

    @Override
    protected ExecSettings settings() throws Exception {
        return ExecSettings.STRICT.withImages(List.of(shared.toRealPath()));
    }

    private static String image() {
        try {
            return shared.toRealPath().resolve("image.tar").toString();
        } catch (java.io.IOException gone) {
            throw new java.io.UncheckedIOException(gone);
        }
    }

    @Override
    protected Map<String, Object> shell(String script) {
        return Map.of("image", image(), "command", "/bin/sh", "args", List.of("-c", script));
    }

    @Override
    protected Map<String, Object> waiting() {
        return Map.of("image", image(), "command", "sleep", "args", List.of("300"));
    }

    /** What goes over a connection is the shim's, whosever the programs are. */
    @Override
    void aHundredMegabytesComeBackAsTheyWentAndTwoHundredCommandsRunAtOnce() {}
}
