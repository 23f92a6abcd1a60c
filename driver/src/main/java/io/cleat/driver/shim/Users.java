package io.cleat.driver.shim;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The users that this machine's own files name (passwd(5), group(5)). */
public final class Users {
    private static final Pattern NUMBERS = Pattern.compile("(\\d{1,10})(?::(\\d{1,10}))?");
    private static final long MOST = 0xfffffffeL;

    private final Path passwd;
    private final Path group;

    Users(Path passwd, Path group) {
        this.passwd = passwd;
        this.group = group;
    }

    /** The users of this machine. */
    public static Users ofThisMachine() {
        return new Users(Path.of("/etc/passwd"), Path.of("/etc/group"));
    }

    /**
     * User id, group id, then the further groups.
     *
     * @param user a name of this machine; or {@code uid} or {@code uid:gid}, which it need not know, and without a
     *     {@code gid} is of the group of the same number
     * @throws DriverTrouble with no effect if there is no such user
     */
    public List<Long> ids(String user) throws DriverTrouble {
        try {
            var numbers = NUMBERS.matcher(user);
            if (numbers.matches()) {
                long uid = Long.parseLong(numbers.group(1));
                long gid = numbers.group(2) == null ? uid : Long.parseLong(numbers.group(2));
                if (uid <= MOST && gid <= MOST) {
                    return List.of(uid, gid);
                }
            }
            Optional<List<Long>> named = named(user);
            if (named.isPresent()) {
                return named.get();
            }
        } catch (IOException unreadable) {
            throw refused("the users of this machine cannot be read: " + unreadable);
        }
        throw refused("there is no user '"
                + user
                + "' here; expected a name in /etc/passwd, or numbers as in 1000 or 1000:1000");
    }

    private static DriverTrouble refused(String why) {
        return new DriverTrouble(why, Effect.NONE, Retry.NEVER);
    }

    private Optional<List<Long>> named(String user) throws IOException {
        Optional<String[]> entry = lines(passwd).stream()
                .map(line -> line.split(":", -1))
                .filter(fields -> fields.length >= 4 && fields[0].equals(user))
                .findFirst();
        if (entry.isEmpty()) {
            return Optional.empty();
        }
        try {
            List<Long> ids = new ArrayList<>();
            ids.add(Long.parseLong(entry.get()[2]));
            ids.add(Long.parseLong(entry.get()[3]));
            for (String line : lines(group)) {
                String[] fields = line.split(":", -1);
                if (fields.length >= 4 && List.of(fields[3].split(",", -1)).contains(user)) {
                    ids.add(Long.parseLong(fields[2]));
                }
            }
            return Optional.of(ids);
        } catch (NumberFormatException malformed) {
            throw new IOException("an id of user " + user + " is no number", malformed);
        }
    }

    private static List<String> lines(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
                .lines()
                .toList();
    }
}
