package io.cleat.server.duty;

import io.cleat.server.decide.CollectGarbage;
import java.time.Duration;

/**
 * When what nobody needs any more goes by itself.
 *
 * @param interval between two looks; 5 minutes by default
 * @param limits what is too old, and what is too much
 */
public record Garbage(Duration interval, CollectGarbage limits) {
    public static final Garbage USUAL =
            new Garbage(Duration.ofMinutes(5), CollectGarbage.REGULARLY);
}
