package io.cleat.driver.exec;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The users that an image names (passwd(5), group(5)). The machine's mean nothing in it.
 *
 * @param passwd its {@code /etc/passwd}; empty if it has none
 * @param group its {@code /etc/group}
 */
record ImageUsers(Optional<String> passwd, Optional<String> group) {
    private static final Pattern NUMBER = Pattern.compile("\\d{1,10}");
    private static final long MOST = 0xfffffffeL;

    /**
     * Whom a task runs as.
     *
     * @param ids user id, group id, then the further groups
     * @param home empty if nobody says
     */
    record Found(List<Long> ids, String home) {}

    /**
     * Finds a user.
     *
     * @param user a name or a number, with or without {@code :} and a group
     * @param group for a number that the image does not name: its group
     * @throws DriverTrouble with no effect if the image has no such user or group
     */
    Found find(String user, long group) throws DriverTrouble {
        int colon = user.indexOf(':');
        String who = colon < 0 ? user : user.substring(0, colon);
        Optional<String[]> line = line(passwd, who, 4);
        long uid = line.isPresent() ? number(line.get()[2], user) : number(who, user);
        List<Long> ids = new ArrayList<>();
        ids.add(uid);
        if (colon >= 0) {
            ids.add(group(user.substring(colon + 1), user));
        } else {
            ids.add(line.isPresent() ? number(line.get()[3], user) : group);
            if (line.isPresent()) {
                addFurther(line.get()[0], ids);
            }
        }
        String home = line.filter(fields -> fields.length > 5)
                .map(fields -> fields[5])
                .orElse("");
        return new Found(ids, home);
    }

    private void addFurther(String name, List<Long> ids) throws DriverTrouble {
        for (String[] fields : lines(group, 4)) {
            if (List.of(fields[3].split(",", -1)).contains(name)) {
                long id = number(fields[2], fields[0]);
                if (!ids.subList(1, ids.size()).contains(id)) {
                    ids.add(id);
                }
            }
        }
    }

    private long group(String name, String user) throws DriverTrouble {
        Optional<String[]> line = line(group, name, 3);
        return line.isPresent() ? number(line.get()[2], user) : number(name, user);
    }

    /** By its name, else by its number. */
    private static Optional<String[]> line(Optional<String> file, String who, int fields) {
        List<String[]> lines = lines(file, fields);
        return lines.stream()
                .filter(line -> line[0].equals(who))
                .findFirst()
                .or(() -> lines.stream().filter(line -> line[2].equals(who)).findFirst());
    }

    private static List<String[]> lines(Optional<String> file, int fields) {
        return file.orElse("")
                .lines()
                .map(line -> line.split(":", -1))
                .filter(line -> line.length >= fields)
                .toList();
    }

    private static long number(String text, String user) throws DriverTrouble {
        if (NUMBER.matcher(text).matches() && Long.parseLong(text) <= MOST) {
            return Long.parseLong(text);
        }
        throw new DriverTrouble(
                "the image has no user '"
                        + user
                        + "'; expected a name in its /etc/passwd, or numbers as in 1000 or 1000:1000",
                Effect.NONE,
                Retry.NEVER);
    }
}
