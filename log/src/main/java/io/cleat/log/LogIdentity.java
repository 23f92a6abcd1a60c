package io.cleat.log;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Ids;
import io.cleat.base.Retry;
import io.cleat.base.SummedText;
import io.cleat.base.VisibleText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/**
 * Who a log directory belongs to: the cluster, and the member of it. Given once, in the file {@code identity}: a line
 * with the format's version, one with the cluster, one with the member, one that says whether the log behind it was
 * made, and from version 2 a checksum of the lines before it. A directory whose log was made and is gone is refused,
 * because to begin anew there would forget what was acknowledged.
 *
 * @param cluster a UUID
 * @param member a UUID
 * @param isFormatted the log exists; until then nothing was acknowledged
 */
record LogIdentity(String cluster, String member, boolean isFormatted) {
    static final String FILE = "identity";
    private static final int VERSION = 2;
    private static final String MAGIC = "cleat-log ";
    private static final String MADE = "made";
    private static final String WANTED = "wanted";
    private static final int LONGEST = 80;

    /**
     * Reads the identity of {@code directory}, or gives it one.
     *
     * @param cluster the cluster it must belong to, if that is known
     */
    static LogIdentity of(Path directory, Optional<String> cluster, Ids ids) throws DiskTrouble {
        Path file = directory.resolve(FILE);
        try {
            Files.createDirectories(directory);
            if (!Files.notExists(file)) {
                LogIdentity found = read(file);
                if (cluster.isPresent() && !cluster.get().equals(found.cluster())) {
                    throw refused(directory
                            + " belongs to cluster "
                            + found.cluster()
                            + ", not to "
                            + cluster.get()
                            + ": give this member a directory of its own");
                }
                return found;
            }
            try (var entries = Files.list(directory)) {
                Optional<Path> stranger = entries.filter(entry -> !entry.endsWith(DirectoryLock.FILE))
                        .findFirst();
                if (stranger.isPresent()) {
                    throw refused(directory
                            + " is to become a log but holds "
                            + stranger.get().getFileName()
                            + ": give an empty directory, or one that holds "
                            + FILE);
                }
            }
            LogIdentity made = new LogIdentity(cluster.orElseGet(ids::next), ids.next(), false);
            made.write(directory);
            return made;
        } catch (IOException failed) {
            throw new DiskTrouble("cannot read or write " + file + ": " + failed, Effect.NONE, Retry.NEVER, failed);
        }
    }

    /** Records that the log exists. */
    LogIdentity formatted(Path directory) throws DiskTrouble {
        LogIdentity made = new LogIdentity(cluster, member, true);
        try {
            made.write(directory);
        } catch (IOException failed) {
            throw new DiskTrouble(
                    "cannot write " + directory.resolve(FILE) + ": " + failed, Effect.UNKNOWN, Retry.SAME_CALL, failed);
        }
        return made;
    }

    private static LogIdentity read(Path file) throws IOException, DiskTrouble {
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        List<String> lines = text.lines().toList();
        String first = lines.isEmpty() ? "" : lines.getFirst();
        boolean isFirstVersion = first.equals(MAGIC + 1);
        if (!isFirstVersion && !first.equals(MAGIC + VERSION)) {
            throw refused(file
                    + " begins with '"
                    + VisibleText.line(VisibleText.head(first, LONGEST))
                    + "', expected '"
                    + MAGIC
                    + VERSION
                    + "': it was made by another version of this program");
        }
        int expected = isFirstVersion ? 4 : 5;
        if (lines.size() != expected) {
            throw refused(file + " has " + lines.size() + " lines, expected " + expected);
        }
        if (!isFirstVersion && !SummedText.isWhole(text)) {
            throw refused(file
                    + " is damaged: its checksum does not fit. Put it back from a copy; the log beside it was "
                    + "not touched");
        }
        String log = field(file, lines.get(3), "log ");
        if (!log.equals(MADE) && !log.equals(WANTED)) {
            throw refused(
                    file + " says 'log " + log + "', expected 'log made' or 'log wanted': put it back from a copy");
        }
        return new LogIdentity(
                field(file, lines.get(1), "cluster "), field(file, lines.get(2), "member "), log.equals(MADE));
    }

    private static String field(Path file, String line, String name) throws DiskTrouble {
        if (!line.startsWith(name)) {
            throw refused(file + " has the line '" + line + "' where '" + name + "...' belongs");
        }
        return line.substring(name.length());
    }

    private void write(Path directory) throws IOException {
        String text = SummedText.with(MAGIC
                + VERSION
                + "\ncluster "
                + cluster
                + "\nmember "
                + member
                + "\nlog "
                + (isFormatted ? MADE : WANTED)
                + "\n");
        Path next = directory.resolve(FILE + ".tmp");
        try (FileChannel channel = FileChannel.open(
                next, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(next, directory.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
        syncDirectory(directory);
    }

    /** Makes the names in {@code directory} durable. */
    static void syncDirectory(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static DiskTrouble refused(String message) {
        return new DiskTrouble(message, Effect.NONE, Retry.NEVER);
    }
}
