package io.cleat.driver.rawexec;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The users that this machine's own files name (passwd(5), group(5)). */
final class Users {
    private final Path passwd;
    private final Path group;

    Users(Path passwd, Path group) {
        this.passwd = passwd;
        this.group = group;
    }

    /**
     * User id, group id, then the further groups of a user.
     *
     * @return empty if there is no such user
     */
    Optional<List<Long>> ids(String user) throws IOException {
        Optional<String[]> entry =
                lines(passwd).stream()
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
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList();
    }
}
