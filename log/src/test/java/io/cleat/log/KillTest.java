package io.cleat.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.testkit.KilledJvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process killed in the middle of writing has lost nothing that it said was applied. */
final class KillTest {
    @TempDir
    Path directory;

    @Test
    void whatWasToldIsThereAfterAKill() throws Exception {
        int next = 0;
        for (int round = 0; round < 3; round++) {
            List<String> told = KilledJvm.printed(
                    400 + 300 * round, KilledWriter.class, directory.toString(), Integer.toString(next));
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
}
