package io.cleat.kernel;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A file that says which process a program is, for ever: a reader can tell whether that very process still lives,
 * whoever has its id now.
 *
 * <p>Text: {@code cleat-pid 1}, then the lines {@code pid N}, {@code start TICKS}, {@code boot ID}.
 */
public final class PidFile {
    private static final String WORD = "cleat-pid";
    private static final int VERSION = 1;

    private PidFile() {}

    /** Writes this process's identity; durable when it returns. */
    public static ProcessIdentity writeOwn(Path file) throws DiskTrouble, KernelTrouble {
        long pid = ProcessHandle.current().pid();
        ProcessIdentity own = Processes.linux()
                .identify(pid)
                .orElseThrow(() ->
                        new KernelTrouble("/proc knows nothing of this process, " + pid, Effect.NONE, Retry.NEVER));
        String text =
                "%s %d\npid %d\nstart %d\nboot %s\n".formatted(WORD, VERSION, own.pid(), own.startTime(), own.boot());
        DurableFiles.write(file, text.getBytes(StandardCharsets.US_ASCII));
        return own;
    }

    /** What a file says; empty if there is none. */
    public static Optional<ProcessIdentity> read(Path file) throws KernelTrouble {
        String text;
        try {
            text = Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        } catch (IOException failed) {
            throw new KernelTrouble("reading " + file + " failed: " + failed, Effect.NONE, Retry.SAME_CALL, failed);
        }
        ShimText lines = ShimText.file(WORD, VERSION, text);
        return Optional.of(new ProcessIdentity(
                lines.number("pid", 0, 0, Integer.MAX_VALUE),
                lines.number("start", 0, 0, Long.MAX_VALUE),
                lines.boot()));
    }
}
