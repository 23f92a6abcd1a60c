package io.cleat.agent.volumes;

/**
 * The moments between what is written down and what is done outside. Whoever ends the agent at each of them has ended
 * it everywhere that matters: every outside effect lies between the two points of its {@link Deed}.
 *
 * <p>At a {@code BEFORE} the intent is durable and nothing was done; at an {@code AFTER} it is done and not yet written
 * down.
 */
public enum JournalPoint {
    BEFORE_DIRECTORIES,
    AFTER_DIRECTORIES,
    BEFORE_STAGE,
    AFTER_STAGE,
    BEFORE_PUBLISH,
    AFTER_PUBLISH,
    BEFORE_UNPUBLISH,
    AFTER_UNPUBLISH,
    BEFORE_TARGET_UNMOUNT,
    AFTER_TARGET_UNMOUNT,
    BEFORE_TARGET_REMOVAL,
    AFTER_TARGET_REMOVAL,
    BEFORE_UNSTAGE,
    AFTER_UNSTAGE,
    BEFORE_STAGING_UNMOUNT,
    AFTER_STAGING_UNMOUNT,
    BEFORE_STAGING_REMOVAL,
    AFTER_STAGING_REMOVAL;

    /** What has effects outside of the agent. */
    enum Deed {
        DIRECTORIES(BEFORE_DIRECTORIES, AFTER_DIRECTORIES),
        STAGE(BEFORE_STAGE, AFTER_STAGE),
        PUBLISH(BEFORE_PUBLISH, AFTER_PUBLISH),
        UNPUBLISH(BEFORE_UNPUBLISH, AFTER_UNPUBLISH),
        /** By us, where the plugin says that it knows no such volume. */
        TARGET_UNMOUNT(BEFORE_TARGET_UNMOUNT, AFTER_TARGET_UNMOUNT),
        TARGET_REMOVAL(BEFORE_TARGET_REMOVAL, AFTER_TARGET_REMOVAL),
        UNSTAGE(BEFORE_UNSTAGE, AFTER_UNSTAGE),
        STAGING_UNMOUNT(BEFORE_STAGING_UNMOUNT, AFTER_STAGING_UNMOUNT),
        STAGING_REMOVAL(BEFORE_STAGING_REMOVAL, AFTER_STAGING_REMOVAL);

        private final JournalPoint before;
        private final JournalPoint after;

        Deed(JournalPoint before, JournalPoint after) {
            this.before = before;
            this.after = after;
        }

        JournalPoint before() {
            return before;
        }

        JournalPoint after() {
            return after;
        }
    }

    /** Is told when a point is reached, on the thread that reaches it. */
    @FunctionalInterface
    public interface Listener {
        Listener NONE = point -> {};

        void reached(JournalPoint point);
    }
}
