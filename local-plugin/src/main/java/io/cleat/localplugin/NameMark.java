package io.cleat.localplugin;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.base.Sha256;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;

/**
 * The digest of a volume's or snapshot's name, as an empty file's name beside its record.
 *
 * <p>Creation is repeated by name, and the name is in the record: while a record cannot be read, nobody could say
 * whether a name is taken, and nothing new could be made. The mark says it without the record. Ids stay random, as one
 * made of the name would let a late deletion hit the next volume of that name; and a mark is in the directory, which
 * the kernel keeps, not in a block of data that could be lost with the record's.
 */
final class NameMark {
    private static final String PREFIX = "name-";

    private NameMark() {}

    /** Puts the mark into {@code directory}; who needs it durable makes the entries durable. */
    static void put(Path directory, String name) throws DiskTrouble {
        Path mark = directory.resolve(word(name));
        try {
            Files.createFile(mark);
        } catch (FileAlreadyExistsException there) {
            return;
        } catch (IOException failed) {
            throw new DiskTrouble("making " + mark + " failed: " + failed, Effect.NONE, Retry.SAME_CALL, failed);
        }
    }

    static boolean isIn(Path directory, String name) {
        return Files.exists(directory.resolve(word(name)), LinkOption.NOFOLLOW_LINKS);
    }

    /** Whether what lies in {@code directory} may have been created as {@code name}. */
    static boolean mayBe(Path directory, String name) {
        List<String> marks;
        try {
            marks = PoolDirectory.names(directory).stream()
                    .filter(n -> n.startsWith(PREFIX))
                    .toList();
        } catch (DiskTrouble unknown) {
            return true;
        }
        return marks.isEmpty() || marks.contains(word(name));
    }

    private static String word(String name) {
        return PREFIX + HexFormat.of().formatHex(Sha256.of(name));
    }
}
