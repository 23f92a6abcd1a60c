package io.cleat.log.fake;

/**
 * How often a {@link FakeLog} does what nobody wants, each in 10,000: the first three per append, the others per step.
 *
 * @param refuse refuses an append for certain, perhaps leaving a hole in the indexes
 * @param full refuses an append for certain because there is no room
 * @param stall keeps an append back; it may land later, in a later term too, or never
 * @param unknown says of an append in flight that its fate is unknown, and goes on with it
 * @param lose says the same and drops it, and goes on with those behind it
 * @param depose ends the leadership; a suffix of what is not committed is lost or stalled
 * @param jump brings a member that follows up to date by a snapshot instead of by entries
 * @param die ends the log for good; only opening it again helps
 */
public record FakeMix(int refuse, int full, int stall, int unknown, int lose, int depose, int jump, int die) {
    /** A log on which nothing goes wrong. */
    public static FakeMix calm() {
        return new FakeMix(0, 0, 0, 0, 0, 0, 0, 0);
    }

    /** Everything, about as often as anything good. */
    public static FakeMix rough() {
        return new FakeMix(300, 100, 300, 300, 200, 200, 3000, 30);
    }
}
