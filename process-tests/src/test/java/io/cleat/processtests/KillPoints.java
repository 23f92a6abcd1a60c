package io.cleat.processtests;

import java.util.List;
import java.util.stream.Stream;

/**
 * Some of the points at which something is killed; which, the seed says. {@code -Dcleat.points=all} tries all,
 * {@code -Dcleat.seed=N} those of another run.
 */
final class KillPoints {
    private static final boolean ALL = "all".equals(System.getProperty("cleat.points"));
    private static final long SEED = Long.getLong("cleat.seed", System.nanoTime() >>> 1);

    private KillPoints() {}

    /**
     * Every so many.
     *
     * @param first which of them, from 0: of two lists with two numbers no point is in both
     */
    static <P> Stream<P> every(int step, int first, List<P> points) {
        System.out.println("kill points, seed " + SEED);
        return points.stream().filter(point -> ALL || (points.indexOf(point) + SEED) % step == first);
    }
}
