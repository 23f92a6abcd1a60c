package io.cleat.server.duty;

import io.cleat.server.decide.CollectGarbage;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * When what nobody needs any more goes by itself.
 *
 * @param interval between two looks; 5 minutes by default
 * @param limits what is too old, and what is too much
 * @param isMemoryShort whether this process has hardly any memory left; while it has, less and less of what is over
 *     stays
 */
public record Garbage(Duration interval, CollectGarbage limits, BooleanSupplier isMemoryShort) {
    public static final Garbage USUAL = new Garbage(Duration.ofMinutes(5), CollectGarbage.REGULARLY);

    /** For a process that never lacks memory. */
    public Garbage(Duration interval, CollectGarbage limits) {
        this(interval, limits, () -> false);
    }

    public Garbage with(BooleanSupplier newIsMemoryShort) {
        return new Garbage(interval, limits, newIsMemoryShort);
    }
}
