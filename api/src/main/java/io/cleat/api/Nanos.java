package io.cleat.api;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Moments as the wire has most of them: ns since the epoch, 0 for never. */
public final class Nanos {
    private Nanos() {}

    public static long of(@Nullable Instant moment) {
        return moment == null ? 0 : TimeUnit.SECONDS.toNanos(moment.getEpochSecond()) + moment.getNano();
    }
}
