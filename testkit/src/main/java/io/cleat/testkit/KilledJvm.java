package io.cleat.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A process that says what it has done, line by line, and is killed in the middle of it. */
public final class KilledJvm {
    private KilledJvm() {}

    /**
     * Runs a main class of the test's own class path, and kills it with SIGKILL after so many lines.
     *
     * @return everything that it printed, at least {@code lines}; fails if it ended before
     */
    public static List<String> printed(int lines, Class<?> main, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> printed = new ArrayList<>();
        try (BufferedReader reader = process.inputReader()) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                printed.add(line);
                if (printed.size() == lines) {
                    process.toHandle().destroyForcibly();
                }
            }
        } finally {
            process.destroyForcibly();
            process.waitFor();
        }
        assertTrue(printed.size() >= lines, "it ended by itself after " + printed.size());
        return printed;
    }
}
