package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The program as the launcher has built it and laid it out, which agents of a test run too.
 *
 * @param java the program that runs it
 * @param lib the directory of its jars and quick starts
 * @param classPath of its jars
 */
record LaidOut(String java, Path lib, String classPath) {
    private static final ReentrantLock BUILDING = new ReentrantLock();
    private static @Nullable LaidOut built;

    /**
     * Builds it once a process, which another one may have done before. A test that gave up is no answer for the next.
     */
    static LaidOut built() throws Exception {
        BUILDING.lockInterruptibly();
        try {
            LaidOut known = built;
            if (known == null) {
                known = build();
                built = known;
            }
            return known;
        } finally {
            BUILDING.unlock();
        }
    }

    private static LaidOut build() throws Exception {
        AgentProcess.build();
        Path settings = AgentProcess.LAUNCHER.resolveSibling("build/launch.env");
        Process shell = new ProcessBuilder(
                        "bash",
                        "-c",
                        "build=${1%/*}; . \"$1\" && printf '%s\\n' \"$CLEAT_JAVA\" \"$CLEAT_LIB\" \"$CLEAT_CLASSPATH\"",
                        "bash",
                        settings.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (var reader = shell.inputReader()) {
            List<String> lines = reader.lines().toList();
            assertEquals(0, shell.waitFor());
            return new LaidOut(lines.get(0), Path.of(lines.get(1)), lines.get(2));
        }
    }
}
