package io.cleat.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process killed in the middle of writing has lost nothing that it said was applied. */
final class KillTest {
    @TempDir Path directory;

    @Test
    void whatWasToldIsThereAfterAKill() throws Exception {
        int next = 0;
        for (int round = 0; round < 3; round++) {
            List<String> told = runAndKill(next, 400 + 300 * round);
            Recording recording = new Recording();
            try (RatisLog log = RatisLogTest.ratis(LogSettings.in(directory), recording)) {
                log.start(recording);
                recording.awaitLeading();
                List<String> texts = recording.texts();
                assertTrue(texts.containsAll(told), "told and lost in round " + round);
                for (int i = 0; i < texts.size(); i++) {
                    assertEquals("number " + i, texts.get(i));
                }
                next = texts.size();
            }
        }
    }

    private List<String> runAndKill(int from, int lines) throws Exception {
        Process writer =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                KilledWriter.class.getName(),
                                directory.toString(),
                                Integer.toString(from))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        List<String> told = new ArrayList<>();
        try (BufferedReader reader = writer.inputReader()) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                told.add(line);
                if (told.size() == lines) {
                    writer.toHandle().destroyForcibly();
                }
            }
        } finally {
            writer.destroyForcibly();
            writer.waitFor();
        }
        assertTrue(told.size() >= lines, "the writer ended by itself after " + told.size());
        return told;
    }
}
