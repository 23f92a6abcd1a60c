package io.cleat.bench;

/**
 * One line of the table.
 *
 * @param what the thing measured
 * @param measured the figure, with its unit
 * @param limit what the machine itself did in the same run, and so cannot be passed
 * @param budget what was promised; empty when nothing was
 * @param isWithin the promise is kept
 */
public record BenchRow(
        String what, String measured, String limit, String budget, boolean isWithin) {
    /** A row without a promise. */
    public static BenchRow plain(String what, String measured, String limit) {
        return new BenchRow(what, measured, limit, "", true);
    }
}
