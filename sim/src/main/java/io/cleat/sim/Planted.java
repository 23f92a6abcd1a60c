package io.cleat.sim;

/** A fault that is put into a run on purpose: a mend is taken away, and the run has to find it. */
public enum Planted {
    NONE,
    /**
     * Nodes say no marks of their machines, so that a copy of one counts as a boot of it; and machines are copied
     * often.
     */
    NO_MARKS,
    /** Nodes forget whom they have obeyed when their server comes back with another past. */
    NO_PAST,
    /** Nodes forget it when their server comes back on an empty disk, and believe that one. */
    EMPTY_BELIEVED,
    /**
     * The mount table shows a bind of the machine's own directory as the volume that was to be there; and stagings are
     * lost often.
     */
    BARE_BELIEVED,
    /**
     * Nodes do not ask their driver what runs of an allocation that they know nothing of; and files of allocations are
     * lost often.
     */
    DRIVER_NOT_ASKED,
    /** Nodes do not say what a volume waits for. */
    NO_REASONS,
    /** The server keeps no note of what it has acknowledged: a log whose end rots is only torn. */
    ROT_IS_TORN
}
