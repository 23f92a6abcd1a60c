package io.cleat.agent.task;

/**
 * The moments of an allocation's first start, before and after each durable write of what is known of it. Whoever ends
 * the agent at each of them has ended it everywhere that matters: outside of them the next agent finds what it would
 * have found at one of them.
 *
 * <p>The task's driver starts it between {@link #AFTER_STARTING} and {@link #BEFORE_STARTED}.
 */
public enum StartPoint {
    BEFORE_TAKEN,
    AFTER_TAKEN,
    /** Which user its tasks run as, where the driver wants one of their own. */
    BEFORE_USER,
    AFTER_USER,
    BEFORE_RECEIVED,
    AFTER_RECEIVED,
    BEFORE_SETUP,
    AFTER_SETUP,
    /** Under which name it runs, should it run. */
    BEFORE_STARTING,
    AFTER_STARTING,
    /** That it runs. */
    BEFORE_STARTED,
    AFTER_STARTED;

    /** Is told when a point is reached, on the thread that reaches it. */
    @FunctionalInterface
    public interface Listener {
        Listener NONE = point -> {};

        void reached(StartPoint point);
    }
}
