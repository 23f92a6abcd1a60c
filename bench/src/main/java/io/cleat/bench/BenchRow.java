package io.cleat.bench;

import org.jspecify.annotations.Nullable;

/**
 * One line of the table.
 *
 * @param what the thing measured
 * @param measured the figure, in {@code unit}; 0 where there is none
 * @param detail more of the same measurement, or why there is no figure
 * @param limitIs what the machine itself did in the same run, and so cannot be passed, or another program
 * @param limit its figure, in {@code unit}; null without one
 * @param ratio measured by limit; null without a limit
 * @param budget what was promised; empty when nothing was
 * @param kept whether the promise is kept; null without one
 */
public record BenchRow(
        String what,
        double measured,
        Unit unit,
        String detail,
        String limitIs,
        @Nullable Double limit,
        @Nullable Double ratio,
        String budget,
        @Nullable Boolean kept) {
    private static final String FAILED = "failed: ";

    /** A figure alone. */
    public static BenchRow of(String what, double measured, Unit unit) {
        return new BenchRow(what, measured, unit, "", "", null, null, "", null);
    }

    /** A row that could not be measured, with the reason. */
    public static BenchRow absent(String what, String reason) {
        return of(what, 0, Unit.SECONDS).detail(reason);
    }

    /** A measurement that broke off. */
    static BenchRow failed(String what, Exception failure) {
        return absent(what, FAILED + failure);
    }

    boolean hasFailed() {
        return measured == 0 && detail.startsWith(FAILED);
    }

    /** With more of the same measurement, in words. */
    public BenchRow detail(String more) {
        return new BenchRow(what, measured, unit, more, limitIs, limit, ratio, budget, kept);
    }

    /** With what the machine itself did in the same run. */
    public BenchRow limit(String is, double value) {
        return new BenchRow(what, measured, unit, detail, is, value, measured / value, budget, kept);
    }

    /** With what was promised. */
    public BenchRow budget(String words, boolean isKept) {
        return new BenchRow(what, measured, unit, detail, limitIs, limit, ratio, words, isKept);
    }

    /** The figure as people read it. */
    String figure() {
        return measured == 0 ? "-" : unit.text(measured);
    }
}
