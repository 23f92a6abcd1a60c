package io.cleat.kernel;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Threads;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A short command of the machine's operator, run as root by {@code shim call}: without rights that no storage needs,
 * bounded in time and in what it may say, and killed with all that it has started when it is late. Any thread.
 */
public final class ShimCall {
    /** Bytes of output; one that says more is ended. */
    static final int MOST_OUTPUT = 64 << 10;

    /** Bytes of error output that are kept, from its beginning. */
    static final int MOST_WORDS = 4 << 10;

    /** How long the shim may take to kill; what hangs in the kernel is left to it then. */
    private static final Duration DYING = Duration.ofSeconds(10);

    private final Path program;
    private final Threads threads;

    /** @param program the shim */
    public ShimCall(Path program, Threads given) {
        this.program = program;
        // Who reads a pipe holds up what carries virtual threads.
        this.threads = Threads.platform(given.faults());
    }

    /**
     * How it ended.
     *
     * @param code its exit code, or 128 and the signal that ended it
     * @param isLate whether it was killed because its time was over
     * @param saysTooMuch whether it was killed because of that
     * @param words what it said on its error output
     */
    public record Ended(int code, boolean isLate, boolean saysTooMuch, String output, String words) {}

    /**
     * Runs it to its end.
     *
     * @param directory where it runs
     * @param command an absolute path, then its arguments
     * @param environment all of it
     * @throws KernelTrouble without effect: it was not started
     * @throws InterruptedException it was killed
     */
    public Ended run(Path directory, List<String> command, Map<String, String> environment, Duration within)
            throws KernelTrouble, InterruptedException {
        List<String> words = new ArrayList<>(List.of(program.toString(), "call"));
        words.add(directory.toString());
        words.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process;
        try {
            process = builder.start();
        } catch (IOException failed) {
            throw new KernelTrouble(
                    command.getFirst() + " could not be run: " + failed.getMessage(),
                    Effect.NONE,
                    Retry.SAME_CALL,
                    failed);
        }
        Heard output = new Heard(MOST_OUTPUT, () -> end(process));
        Heard said = new Heard(MOST_WORDS, () -> {});
        List<Thread> readers = List.of(
                reader("output", process.getInputStream(), output), reader("words", process.getErrorStream(), said));
        boolean isLate;
        try {
            isLate = !process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS);
            if (isLate) {
                end(process);
                if (!process.waitFor(DYING.toMillis(), TimeUnit.MILLISECONDS)) {
                    process.destroyForcibly();
                }
            }
            for (Thread reader : readers) {
                reader.join(DYING);
            }
        } catch (InterruptedException asked) {
            end(process);
            throw asked;
        }
        return new Ended(isLate ? 0 : process.exitValue(), isLate, output.isTooMuch, output.text(), said.text());
    }

    private Thread reader(String what, InputStream from, Heard heard) {
        return threads.contained("call/" + what, () -> heard.listen(from), Threads.OnFault.NOTHING_MORE);
    }

    /** The end of its input tells the shim to kill. */
    private static void end(Process process) {
        try {
            process.getOutputStream().close();
        } catch (IOException gone) {
            // Then it has ended.
        }
    }

    /** What is kept of a stream. Written by its reader, read once that has ended, or given up. */
    private static final class Heard {
        private final int most;
        private final Runnable onMore;
        private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
        private volatile boolean isTooMuch;

        Heard(int most, Runnable onMore) {
            this.most = most;
            this.onMore = onMore;
        }

        void listen(InputStream from) {
            byte[] bytes = new byte[4096];
            try (from) {
                for (int got = from.read(bytes); got >= 0; got = from.read(bytes)) {
                    int room = Math.min(got, most - kept.size());
                    kept.write(bytes, 0, room);
                    if (room < got && !isTooMuch) {
                        isTooMuch = true;
                        onMore.run();
                    }
                }
            } catch (IOException gone) {
                // The process has ended.
            }
        }

        String text() {
            return kept.toString(StandardCharsets.UTF_8);
        }
    }
}
