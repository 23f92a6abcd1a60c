package io.cleat.sim;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** What happened in a run, in order: the last events in words, all of them as a hash. */
final class Trace {
    private static final long PRIME = 0x100000001b3L;

    /** Columns of who it was. */
    private static final int WHO = 10;

    private final int kept;
    private final Scheduler scheduler;
    private final Consumer<String> listener;
    private final ArrayDeque<String> last = new ArrayDeque<>();
    private final TreeMap<String, Integer> coverage = new TreeMap<>();
    private long hash;

    /** @param listener told of each event at once */
    Trace(int kept, Scheduler scheduler, Consumer<String> listener) {
        this.kept = kept;
        this.scheduler = scheduler;
        this.listener = listener;
    }

    void say(String who, String what) {
        Duration at = Duration.ofNanos(scheduler.nanos());
        StringBuilder text = new StringBuilder(100);
        padded(text, at.toMinutes(), 4, ' ').append(':');
        padded(text, at.toSecondsPart(), 2, '0').append('.');
        padded(text, at.toNanosPart() / 1000, 6, '0').append(' ').append(who);
        text.repeat(' ', Math.max(0, WHO - who.length())).append(' ').append(what);
        String line = text.toString();
        hash = hash * PRIME + line.hashCode();
        if (last.size() == kept) {
            last.poll();
        }
        last.add(line);
        listener.accept(line);
    }

    private static StringBuilder padded(StringBuilder to, long number, int width, char with) {
        String digits = Long.toString(number);
        return to.repeat(with, Math.max(0, width - digits.length())).append(digits);
    }

    /** Counts that something was met, so that a loss of power is noticed. */
    void count(String what) {
        coverage.merge(what, 1, Integer::sum);
    }

    Map<String, Integer> coverage() {
        return coverage;
    }

    /** Of all events so far. */
    String hash() {
        return HexFormat.of().toHexDigits(hash);
    }

    String last() {
        return String.join("\n", last);
    }
}
