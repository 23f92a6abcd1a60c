package io.cleat.cli;

/** The program's version. */
public final class Version {
    /** As in the root pom; a test compares the two. A constant, since reading a file costs time. */
    public static final String CURRENT = "0.1.0";

    private Version() {}
}
