package io.cleat.localplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of calls has a bound, and holds the newest of them. */
class CallLogTest {
    private static final long MOST = 1000;

    @TempDir
    Path directory;

    private Path file() {
        return directory.resolve("calls");
    }

    private static List<String> numbers(int from, int to) {
        List<String> numbers = new ArrayList<>();
        for (int i = from; i <= to; i++) {
            numbers.add("call " + i);
        }
        return numbers;
    }

    @Test
    void theOldestLinesGoAndTheNewestStayWholeAndInOrder() throws Exception {
        CallLog log = new CallLog(file(), new FakeTime(), MOST);
        for (int i = 1; i <= 5000; i++) {
            log.write("call " + i + "\n");
            long size = Files.size(file());
            assertTrue(size <= MOST, () -> "it has " + size + " bytes");
        }
        List<String> kept = Files.readAllLines(file());
        assertEquals(numbers(5001 - kept.size(), 5000), kept);
        assertTrue(kept.size() >= MOST / 2 / 10, kept::toString);
    }

    @Test
    void aFileThatAnEarlierProgramLetGrowIsCut() throws Exception {
        Files.write(file(), numbers(1, 100_000));
        new CallLog(file(), new FakeTime(), MOST).write("call 100001\n");
        List<String> kept = Files.readAllLines(file());
        assertEquals(numbers(100_002 - kept.size(), 100_001), kept);
        assertTrue(Files.size(file()) <= MOST);
    }

    @Test
    void twoProcessesShareOneFile() throws Exception {
        CallLog one = new CallLog(file(), new FakeTime(), MOST);
        CallLog two = new CallLog(file(), new FakeTime(), MOST);
        for (int i = 1; i < 1000; i += 2) {
            one.write("call " + i + "\n");
            two.write("call " + (i + 1) + "\n");
        }
        List<String> kept = Files.readAllLines(file());
        assertEquals(numbers(1001 - kept.size(), 1000), kept);
    }

    @Test
    void aLineLongerThanTheBoundIsWritten() throws Exception {
        CallLog log = new CallLog(file(), new FakeTime(), MOST);
        String line = "x".repeat(2000);
        log.write("before\n");
        log.write(line + "\n");
        log.write("after\n");
        assertEquals("after", Files.readAllLines(file()).getLast());
    }
}
