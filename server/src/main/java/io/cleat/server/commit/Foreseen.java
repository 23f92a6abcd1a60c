package io.cleat.server.commit;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What the entries that this member logs will lead to: before they are logged, they are read back and applied. An entry
 * leads to the same wherever its bytes and the image before it are the same, so nobody decodes and applies it once
 * more.
 *
 * <p>Filled by the deciding thread before an entry is logged, emptied by the applying one; holds no more than is under
 * way, and what an ended reign left until the next entry is applied.
 */
final class Foreseen<S, C> {
    private final Queue<Led<S, C>> led = new ConcurrentLinkedQueue<>();

    private record Led<S, C>(Entry.ChangeSet entry, List<AppliedDecision<S, C>> decisions) {}

    /** @param decisions those of the entry, at least one, each made on the one before it */
    void add(Entry.ChangeSet entry, List<AppliedDecision<S, C>> decisions) {
        led.add(new Led<>(entry, List.copyOf(decisions)));
    }

    /**
     * What this entry leads to from an image, and forgets it with all that was to come before it.
     *
     * @param applied an entry, byte for byte as the log has it
     * @param image that it is applied to
     * @return its decisions; none if it was not foreseen, or from another image, be that an equal one: to compare them
     *     would cost more than to apply it
     */
    @SuppressWarnings("ReferenceEquality")
    List<AppliedDecision<S, C>> take(Entry.ChangeSet applied, S image) {
        for (Led<S, C> next = led.peek(); next != null && !isToCome(next, applied); next = led.peek()) {
            led.remove();
            if (next.entry().equals(applied)) {
                List<AppliedDecision<S, C>> decisions = next.decisions();
                return decisions.getFirst().before() == image ? decisions : List.of();
            }
        }
        return List.of();
    }

    private boolean isToCome(Led<S, C> next, Entry.ChangeSet applied) {
        return next.entry().reign().equals(applied.reign()) && next.entry().number() > applied.number();
    }
}
