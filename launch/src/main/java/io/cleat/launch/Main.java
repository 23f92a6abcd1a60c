package io.cleat.launch;

import java.util.List;

/** Where the program starts. */
public final class Main {
    private Main() {}

    /** Plays the role that {@code args} ask for, and exits with its code. */
    public static void main(String[] args) {
        int code = Role.of(List.of(args)).play();
        System.out.flush();
        // Not by returning: a role may leave library threads behind that never end.
        System.exit(code);
    }
}
