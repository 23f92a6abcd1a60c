package io.cleat.driver.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How far output was copied. */
class LogCursorTest {
    private static final Instant AT = Instant.parse("2026-01-02T03:04:05.678Z");

    @TempDir
    Path directory;

    @Test
    void itIsReadAsItWasWritten() throws Exception {
        Path file = directory.resolve("cursor");
        LogCursor cursor = new LogCursor(AT, 3, new LogFiles.End(2, 1000), new LogFiles.End(0, 17));
        cursor.write(file);
        assertEquals(cursor, LogCursor.read(file));
    }

    @Test
    void entriesOfOneMomentAreCounted() {
        LogFiles.End end = LogFiles.End.START;
        LogCursor one = LogCursor.START.after(AT, end, end);
        assertEquals(1, one.entries());
        assertEquals(2, one.after(AT, end, end).entries());
        assertEquals(1, one.after(AT.plusMillis(1), end, end).entries());
    }

    @Test
    void whatCannotBeReadIsTheBeginning() throws Exception {
        Path file = directory.resolve("cursor");
        assertEquals(LogCursor.START, LogCursor.read(file));
        for (String damaged : List.of("", "\0\0", "x 1 0 0 0 0", AT + " 1 0 0 0", AT + " 1 a 0 0 0")) {
            Files.writeString(file, damaged);
            assertEquals(LogCursor.START, LogCursor.read(file), damaged);
        }
    }
}
