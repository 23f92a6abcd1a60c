package io.cleat.agent.task;

/**
 * Whom the tasks of an allocation run as that name no user, under a driver that gives such tasks one of their own.
 *
 * @param id user id and group id, which no other allocation of the node has; 0 for none: they run as the user that the
 *     driver has for all
 * @param fault why there is none; empty if nothing wants one
 */
public record OwnUser(long id, String fault) {
    /** None, and none is wanted. */
    public static final OwnUser NONE = new OwnUser(0, "");

    boolean isThere() {
        return id != 0;
    }
}
