package io.cleat.processtests;

import java.util.List;
import java.util.stream.Stream;

/**
 * Of the points at which something is killed every second, which the seed says: {@code
 * -Dcleat.points=all} tries all, as {@code ./dev chaos} does, {@code -Dcleat.seed=N} others.
 */
final class KillPoints {
    private static final boolean ALL = "all".equals(System.getProperty("cleat.points"));
    private static final long SEED = Long.getLong("cleat.seed", System.nanoTime() >>> 1);

    private KillPoints() {}

    static <P> Stream<P> everySecond(List<P> points) {
        System.out.println("kill points, seed " + SEED);
        return points.stream().filter(point -> ALL || (points.indexOf(point) + SEED) % 2 == 0);
    }
}
