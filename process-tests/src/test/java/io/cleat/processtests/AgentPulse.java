package io.cleat.processtests;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Asks an agent again and again, beside all else, and notes the longest answer. What is measured is the agent: so it
 * asks at an agent's priority, reads the bytes and makes nothing of them, and does not wait for a processor to do so
 * when the agent does not.
 */
final class AgentPulse {
    private static final long PAUSE_MILLIS = 50;

    /** That of {@code CLEAT_NICE}, where nothing is said. */
    private static final String PRIORITY = "-10";

    private static final List<String> ASKED = List.of("/v1/agent/health", "/v1/jobs", "/v1/allocations", "/v1/volumes");

    private final CountDownLatch over = new CountDownLatch(1);
    private final List<String> failures = new ArrayList<>();
    private final ByteBuffer piece = ByteBuffer.allocateDirect(1 << 16);
    private final UnixDomainSocketAddress socket;
    private final Thread thread;
    private volatile Took longest = new Took("", Duration.ZERO, Duration.ZERO, 0);
    private volatile int answers;

    /**
     * An answer.
     *
     * @param first until its first byte came
     * @param whole until its last did
     */
    private record Took(String path, Duration first, Duration whole, long bytes) {}

    AgentPulse(Path socket) {
        this.socket = UnixDomainSocketAddress.of(socket);
        thread = Thread.ofPlatform().name("agent-pulse").start(this::run);
    }

    private void run() {
        try {
            raise();
            do {
                ASKED.forEach(this::ask);
            } while (!over.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        } catch (IOException failed) {
            failures.add("its priority: " + failed);
        }
    }

    /** This thread alone; what begins others does not hand it on. */
    private static void raise() throws IOException, InterruptedException {
        String thread = Files.readSymbolicLink(Path.of("/proc/thread-self"))
                .getFileName()
                .toString();
        Process renice = new ProcessBuilder("renice", "-n", PRIORITY, "-p", thread)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (renice.waitFor() != 0) {
            throw new IOException("renice ended with " + renice.exitValue());
        }
    }

    private void ask(String path) {
        try (SocketChannel channel = SocketChannel.open(socket)) {
            long begin = System.nanoTime();
            channel.write(StandardCharsets.US_ASCII.encode(
                    "GET " + path + " HTTP/1.1\r\nHost: agent\r\nConnection: close\r\n\r\n"));
            int read = channel.read(piece.clear());
            Duration first = since(begin);
            String begins = StandardCharsets.ISO_8859_1.decode(piece.flip()).toString();
            long bytes = 0;
            while (read >= 0) {
                bytes += read;
                read = channel.read(piece.clear());
            }
            note(new Took(path, first, since(begin), bytes));
            if (!begins.startsWith("HTTP/1.1 200 ")) {
                failures.add(path + ": " + begins.lines().findFirst().orElse("nothing"));
            }
        } catch (IOException failed) {
            failures.add(path + ": " + failed);
        }
    }

    private static Duration since(long begin) {
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes it
    private void note(Took took) {
        answers++;
        if (took.whole().compareTo(longest.whole()) > 0) {
            longest = took;
        }
    }

    Duration longest() {
        return longest.whole();
    }

    /** What went wrong; to be asked once it has ended. */
    List<String> failures() {
        return List.copyOf(failures);
    }

    /** Asks no more; may be said again. */
    void end() throws InterruptedException {
        over.countDown();
        thread.join();
    }

    @Override
    public String toString() {
        Took slow = longest;
        return "%d answers of the agent, the longest after %d ms (%s, %d bytes, the first after %d ms)"
                .formatted(
                        answers,
                        slow.whole().toMillis(),
                        slow.path(),
                        slow.bytes(),
                        slow.first().toMillis());
    }
}
