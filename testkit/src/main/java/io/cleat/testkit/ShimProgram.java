package io.cleat.testkit;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** The native program, built for a test that needs it. */
public final class ShimProgram {
    private ShimProgram() {}

    /** Where it is; the test is skipped where it cannot be built. */
    public static Path built() throws Exception {
        Path project = Path.of(System.getProperty("cleat.root", "."));
        Process build = new ProcessBuilder(project.resolve("scripts/shim.sh").toString())
                .redirectErrorStream(true)
                .start();
        String words = new String(build.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        Assumptions.assumeTrue(
                build.waitFor() == 0, () -> "reason: the shim was not built: " + words + ": ./dev setup -y brings it");
        return project.resolve("build/shim").toAbsolutePath();
    }
}
