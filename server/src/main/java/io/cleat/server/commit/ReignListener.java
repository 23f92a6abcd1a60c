package io.cleat.server.commit;

/** Hears when this member may decide, on the decider's thread; must be quick. */
public interface ReignListener {
    /** The opening of {@code reign} is applied: from now on proposals are decided. */
    void opened(String reign);

    /** Nothing more is decided in {@code reign}. */
    void ended(String reign);
}
