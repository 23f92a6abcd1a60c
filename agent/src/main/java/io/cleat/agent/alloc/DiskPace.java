package io.cleat.agent.alloc;

import io.cleat.kernel.TreeSize;
import io.cleat.model.EphemeralDisk;
import java.time.Duration;

/**
 * How soon an allocation's directory is measured again: the sooner, the sooner it may be full, and never so soon that
 * measuring costs what it should save. One thread.
 */
final class DiskPace {
    /** While it grows. */
    static final Duration SOON = Duration.ofSeconds(1);

    /** While there is little room left. */
    static final Duration OFTEN = Duration.ofSeconds(3);

    /** While nothing happens. */
    static final Duration SELDOM = Duration.ofSeconds(10);

    /** A hundredth of a core for what rests, a tenth for what grows. */
    private static final int REST = 99;

    private static final int GROWING_REST = 9;

    private static final double NEAR = 0.8;

    /** Of the room that was left. */
    private static final double GROWTH = 0.05;

    private final EphemeralDisk limit;
    private TreeSize before = TreeSize.NONE;
    private Duration pause = SOON;

    DiskPace(EphemeralDisk limit) {
        this.limit = limit;
    }

    /**
     * How long to wait after a measuring.
     *
     * @param took of a processor's time
     */
    Duration after(TreeSize now, Duration took) {
        boolean isGrowing = isGrowth(before.bytes(), now.bytes(), limit.bytes())
                || isGrowth(before.files(), now.files(), limit.files());
        boolean isNear = isNear(now.bytes(), limit.bytes()) || isNear(now.files(), limit.files());
        before = now;
        pause = isGrowing ? SOON : longer(pause, isNear ? OFTEN : SELDOM);
        Duration rest = took.multipliedBy(isGrowing ? GROWING_REST : REST);
        return pause.compareTo(rest) > 0 ? pause : rest;
    }

    private static Duration longer(Duration pause, Duration most) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(most) < 0 ? twice : most;
    }

    private static boolean isNear(long now, long most) {
        return now >= most * NEAR;
    }

    private static boolean isGrowth(long before, long now, long most) {
        return now > before && (now - before) >= (most - before) * GROWTH;
    }
}
