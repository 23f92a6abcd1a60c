package io.cleat.driver.docker;

import io.cleat.base.DiskTrouble;
import io.cleat.kernel.DurableFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;

/**
 * How far a container's output was copied, and what the files were then: a later agent cuts them back to that and goes
 * on, so that nothing is in them twice.
 *
 * @param at of the newest entry that was copied, as the engine says it: to a second or less
 * @param entries how many of that moment were copied
 */
record LogCursor(Instant at, long entries, LogFiles.End out, LogFiles.End errors) {
    /** Nothing was copied. */
    static final LogCursor START = new LogCursor(Instant.EPOCH, 0, LogFiles.End.START, LogFiles.End.START);

    private static final int PARTS = 6;

    /** One that cannot be read counts as none: then some output is kept twice, and none is lost. */
    static LogCursor read(Path file) {
        try {
            String[] parts = Files.readString(file).strip().split(" ", -1);
            if (parts.length == PARTS) {
                return new LogCursor(
                        Instant.parse(parts[0]),
                        Long.parseLong(parts[1]),
                        new LogFiles.End(Integer.parseInt(parts[2]), Long.parseLong(parts[3])),
                        new LogFiles.End(Integer.parseInt(parts[4]), Long.parseLong(parts[5])));
            }
        } catch (IOException | DateTimeException | NumberFormatException none) {
            return START;
        }
        return START;
    }

    void write(Path file) throws DiskTrouble {
        String text = at
                + " "
                + entries
                + " "
                + out.number()
                + " "
                + out.size()
                + " "
                + errors.number()
                + " "
                + errors.size()
                + "\n";
        DurableFiles.write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    boolean isStart() {
        return at.equals(Instant.EPOCH);
    }

    /** One entry later, which came at that moment. */
    LogCursor after(Instant moment, LogFiles.End nowOut, LogFiles.End nowErrors) {
        return new LogCursor(moment, moment.equals(at) ? entries + 1 : 1, nowOut, nowErrors);
    }
}
