package io.cleat.kernel;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** The native program, built for a test that needs it. */
final class ShimProgram {
    private ShimProgram() {}

    static Path project() {
        return Path.of(System.getProperty("cleat.root", ".")).toAbsolutePath();
    }

    static Path sample(String name) {
        return project().resolve("shim/samples").resolve(name);
    }

    /** Where it is; the test is skipped where it cannot be built. */
    static Path built() throws Exception {
        Process build = new ProcessBuilder(project().resolve("scripts/shim.sh").toString())
                .redirectErrorStream(true)
                .start();
        String words = new String(build.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        Assumptions.assumeTrue(
                build.waitFor() == 0, () -> "reason: the shim was not built: " + words + ": ./dev setup -y brings it");
        return project().resolve("build/shim");
    }
}
