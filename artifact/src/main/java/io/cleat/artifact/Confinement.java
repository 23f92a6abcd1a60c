package io.cleat.artifact;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What keeps the process that fetches in: {@code shim confine} runs it as a user that nobody else is, without any
 * capability, where it sees the system's programs, its own and one directory.
 *
 * @param shim the shim program
 * @param user the number of user and group, which the machine knows nobody by
 * @param givesAway whether it may say whose the files are that it makes; it has no network then
 */
public record Confinement(Path shim, long user, boolean givesAway) {
    /** Of a process that has a network, and whose files all stay its own. */
    public Confinement(Path shim, long user) {
        this(shim, user, false);
    }

    /** In a range that no distribution, and nobody's containers, are given. */
    public static final long USUAL_USER = 1_990_000_000;

    /**
     * @param directory the one that may be written in
     * @param largest bytes that one file may have
     * @param shown what is to be seen of the machine, beside the system's own
     */
    List<String> command(Path directory, long largest, List<Path> shown, List<String> command) {
        List<String> confined = new ArrayList<>(List.of(shim.toString(), "confine"));
        if (givesAway) {
            confined.add("owners");
        }
        confined.add(Long.toString(user));
        confined.add(Long.toString(largest));
        confined.add(directory.toString());
        shown.forEach(path -> confined.add(path.toString()));
        confined.add("--");
        confined.addAll(command);
        return confined;
    }
}
