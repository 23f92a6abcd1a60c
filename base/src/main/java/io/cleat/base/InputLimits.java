package io.cleat.base;

/**
 * How large the parts of what comes from outside may be: request bodies, job files, messages of nodes, replies of
 * plugins. What is stored is read with these same limits, so whatever was let in can be read back.
 */
public final class InputLimits {
    /** Characters of a name in an object or a map, such as a key of a job's meta. */
    public static final int NAME_CHARS = 4 * 1024;

    /** Characters of a text; a decision is smaller than that. */
    public static final int TEXT_CHARS = 1024 * 1024;

    /** Characters of a text that is one line: a path (the kernel takes 4,096 bytes), a URL, a side of a constraint. */
    public static final int LINE_CHARS = 8 * 1024;

    /** Allocations that one job may ask for, all its groups together; Nomad's default too. */
    public static final int JOB_COUNT = 50_000;

    /** Lists and objects inside each other. */
    public static final int DEPTH = 100;

    /**
     * Lists and objects in all of one request's body. Each takes two characters, and may become a record that its
     * defaults make a kilobyte large; a job of a thousand groups has some 20,000.
     */
    public static final int SENT_PARTS = 50_000;

    /** Digits of a number. */
    public static final int NUMBER_DIGITS = 100;

    private InputLimits() {}
}
