package io.cleat.driver.exec;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a task with a user of its own sees as the machine's users and groups (passwd(5), group(5)): {@code nobody} has
 * its number, so it is called what it was before it had one, and a program that wants to know its name, home or shell
 * finds them.
 */
final class OwnNames {
    private static final String USER = "nobody";

    private OwnNames() {}

    /** The machine's passwd, in which that user is {@code nobody}. */
    static String passwd(String machine, long id) {
        return replaced(machine, USER, USER + ":x:" + id + ":" + id + ":own user of the task:/local:/bin/sh");
    }

    /** The machine's group file, in which {@code nobody}'s group has that number. */
    static String group(String machine, String passwd, long id) {
        String name = nameOfGroup(machine, passwd);
        return replaced(machine, name, name + ":x:" + id + ":");
    }

    /** Distributions do not agree on it: nogroup, or nobody. */
    private static String nameOfGroup(String machine, String passwd) {
        Optional<String> gid = field(passwd, 0, USER, 3);
        return gid.flatMap(number -> field(machine, 2, number, 0)).orElse(USER);
    }

    /** A field of the first line in which another is as wanted. */
    private static Optional<String> field(String file, int known, String value, int wanted) {
        return file.lines()
                .map(line -> line.split(":", -1))
                .filter(fields -> fields.length > Math.max(known, wanted))
                .filter(fields -> fields[known].equals(value))
                .map(fields -> fields[wanted])
                .findFirst();
    }

    private static String replaced(String file, String name, String line) {
        List<String> lines = new ArrayList<>();
        lines.add(line);
        file.lines().filter(other -> !other.startsWith(name + ":")).forEach(lines::add);
        return String.join("\n", lines) + "\n";
    }
}
