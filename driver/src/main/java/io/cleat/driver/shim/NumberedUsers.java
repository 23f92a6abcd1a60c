package io.cleat.driver.shim;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * The ids that this machine's own files give to somebody: users and groups (passwd(5), group(5)), and the subordinate
 * ones that users may hand out (subuid(5), subgid(5)). A line without numbers gives none.
 */
public final class NumberedUsers {
    private static final Pattern NUMBER = Pattern.compile("\\d{1,10}");

    private final List<Given> given;

    private NumberedUsers(List<Given> given) {
        this.given = given;
    }

    /** Ids in a row that are somebody's, as a file says in its line for {@code name}. */
    private record Given(String name, Path file, long first, long last) {}

    /** As the files of this machine say now. */
    public static NumberedUsers ofThisMachine() throws IOException {
        return of(Path.of("/etc"));
    }

    static NumberedUsers of(Path etc) throws IOException {
        List<Given> given = new ArrayList<>();
        read(etc.resolve("passwd"), 2, false, given);
        read(etc.resolve("group"), 2, false, given);
        read(etc.resolve("subuid"), 1, true, given);
        read(etc.resolve("subgid"), 1, true, given);
        return new NumberedUsers(List.copyOf(given));
    }

    /**
     * @param field where the id is in a line
     * @param inRows whether the field after it says how many there are in a row
     */
    private static void read(Path file, int field, boolean inRows, List<Given> given) throws IOException {
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(file);
        } catch (NoSuchFileException none) {
            return;
        }
        for (String line : new String(bytes, StandardCharsets.UTF_8).lines().toList()) {
            String[] fields = line.split(":", -1);
            OptionalLong first = number(fields, field);
            OptionalLong count = inRows ? number(fields, field + 1) : OptionalLong.of(1);
            if (first.isPresent() && count.isPresent()) {
                long last = first.getAsLong() + count.getAsLong() - 1;
                given.add(new Given(fields[0], file, first.getAsLong(), last));
            }
        }
    }

    private static OptionalLong number(String[] fields, int at) {
        boolean isOne = at < fields.length && NUMBER.matcher(fields[at]).matches();
        return isOne ? OptionalLong.of(Long.parseLong(fields[at])) : OptionalLong.empty();
    }

    /** Whether an id is somebody's. */
    public boolean has(long id) {
        return given.stream().anyMatch(each -> each.first() <= id && id <= each.last());
    }

    /** Who has an id of a range, and where that is said; empty if nobody has. */
    public Optional<String> holder(IdRange range) {
        return given.stream()
                .filter(each -> range.overlaps(each.first(), each.last()))
                .map(each -> "\""
                        + each.name()
                        + "\" in "
                        + each.file()
                        + " has "
                        + (each.first() == each.last()
                                ? Long.toString(each.first())
                                : each.first() + " to " + each.last()))
                .findFirst();
    }
}
