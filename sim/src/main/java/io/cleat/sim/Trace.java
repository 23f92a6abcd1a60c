package io.cleat.sim;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** What happened in a run, in order: the last events in words, all of them as a hash. */
final class Trace {
    private final int kept;
    private final Scheduler scheduler;
    private final Consumer<String> listener;
    private final MessageDigest digest;
    private final ArrayDeque<String> last = new ArrayDeque<>();
    private final TreeMap<String, Integer> coverage = new TreeMap<>();

    /**
     * @param listener told of each event at once
     */
    Trace(int kept, Scheduler scheduler, Consumer<String> listener) {
        this.kept = kept;
        this.scheduler = scheduler;
        this.listener = listener;
        try {
            this.digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }

    void say(String who, String what) {
        Duration at = Duration.ofNanos(scheduler.nanos());
        String line =
                String.format(
                        "%4d:%02d.%06d %-10s %s",
                        at.toMinutes(), at.toSecondsPart(), at.toNanosPart() / 1000, who, what);
        digest.update(line.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) '\n');
        if (last.size() == kept) {
            last.poll();
        }
        last.add(line);
        listener.accept(line);
    }

    /** Counts that something was met, so that a loss of power is noticed. */
    void count(String what) {
        coverage.merge(what, 1, Integer::sum);
    }

    Map<String, Integer> coverage() {
        return coverage;
    }

    /** Of all events so far; ends the trace. */
    String hash() {
        return HexFormat.of().formatHex(digest.digest()).substring(0, 16);
    }

    String last() {
        return String.join("\n", last);
    }
}
