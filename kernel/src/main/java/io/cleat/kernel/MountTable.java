package io.cleat.kernel;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The mounts of this process's namespace at one moment, in the kernel's order.
 *
 * <p>The kernel hands the table out in pieces, so one reading made while others mount and unmount may miss a line; who
 * acts on an absence uses {@link Source#whole()}, or {@link #readTwice()}.
 */
public record MountTable(List<Mount> mounts) {
    static final Path OWN = Path.of("/proc/self/mountinfo");
    private static final int TRIES = 20;

    public MountTable {
        mounts = List.copyOf(mounts);
    }

    /** Where a table is read from: the kernel, or a test. */
    @FunctionalInterface
    public interface Source {
        /** As it is now; a line may be missing. */
        MountTable read() throws KernelTrouble;

        /** A table that misses nothing: what is absent from it is absent. */
        default MountTable whole() throws KernelTrouble {
            return readTwice(this);
        }

        /**
         * As {@link #whole()}, but not read again while the kernel tells of no change.
         *
         * @param oldest how long what the kernel does not tell of, such as a directory above a mount that was renamed,
         *     may be missed
         */
        default MountTable whole(Duration oldest) throws KernelTrouble {
            return whole();
        }
    }

    /** The table of this process's mount namespace, read once. */
    public static MountTable read() throws KernelTrouble {
        return read(OWN);
    }

    /** The table of the namespace that a process is in, with the paths that it sees; read once. */
    public static MountTable of(long pid) throws KernelTrouble {
        return read(Path.of("/proc/" + pid + "/mountinfo"));
    }

    static MountTable read(Path file) throws KernelTrouble {
        try {
            return parse(Files.readAllBytes(file));
        } catch (IOException failed) {
            throw new KernelTrouble(
                    "the mount table " + file + " could not be read: " + failed, Effect.NONE, Retry.SAME_CALL, failed);
        }
    }

    /** The table once two readings in a row were equal: what is absent from it is absent. */
    public static MountTable readTwice() throws KernelTrouble {
        return readTwice(MountTable::read);
    }

    /** As {@link #readTwice()}, from {@code source}. */
    public static MountTable readTwice(Source source) throws KernelTrouble {
        MountTable before = source.read();
        for (int i = 0; i < TRIES; i++) {
            MountTable now = source.read();
            if (now.equals(before)) {
                return now;
            }
            before = now;
        }
        throw restless(TRIES);
    }

    /** What to say when it changed during each reading. */
    static KernelTrouble restless(int readings) {
        return new KernelTrouble(
                "the mount table changed during each of "
                        + readings
                        + " readings, so no absence can be believed; try again once the machine mounts less",
                Effect.NONE,
                Retry.SAME_CALL);
    }

    /**
     * The mount one reaches at {@code path}: the topmost of a stack, none when it is covered by a mount above it or
     * when no mount has its target there.
     *
     * @param path absolute, without links
     */
    public Optional<Mount> at(Path path) {
        Optional<Mount> reached = holding(path);
        return reached.filter(mount -> mount.target().equals(text(path)));
    }

    /**
     * The mount that {@code path} lies on: that at the path, or else at the nearest parent.
     *
     * @param path absolute, without links
     */
    public Optional<Mount> holding(Path path) {
        String text = text(path);
        // A table may have thousands; looked through once, few of them are on the way.
        List<Mount> way = new ArrayList<>();
        for (Mount mount : mounts) {
            if (isOnTheWay(mount.target(), text)) {
                way.add(mount);
            }
        }
        Optional<Mount> reached = climb(way, root(way), "/");
        int end = 0;
        while (reached.isPresent() && end >= 0 && !text.equals("/")) {
            end = text.indexOf('/', end + 1);
            reached = climb(way, reached, end < 0 ? text : text.substring(0, end));
        }
        return reached;
    }

    private static boolean isOnTheWay(String target, String path) {
        return target.equals("/")
                || (path.startsWith(target)
                        && (path.length() == target.length() || path.charAt(target.length()) == '/'));
    }

    /** All mounts whose target is {@code path} or lies below it, covered ones too. */
    public List<Mount> atOrBelow(Path path) {
        String text = text(path);
        String below = text.equals("/") ? text : text + "/";
        return mounts.stream()
                .filter(m -> m.target().equals(text) || m.target().startsWith(below))
                .toList();
    }

    /** Whether a mount has its target there, be it covered or not. */
    public boolean isTarget(Path path) {
        String text = text(path);
        return mounts.stream().anyMatch(mount -> mount.target().equals(text));
    }

    /** All mounts of one file system. */
    public List<Mount> of(Mount.Device device) {
        return mounts.stream().filter(mount -> mount.device().equals(device)).toList();
    }

    /**
     * All mounts of the file system on a loop device. Some, as Btrfs, have a device number of their own and name the
     * device as their source only.
     */
    public List<Mount> on(LoopDevice loop) {
        String path = loop.path().toString();
        List<Mount.Device> own = mounts.stream()
                .filter(mount -> mount.device().major() == 0)
                .filter(mount -> mount.source().equals(path))
                .map(Mount::device)
                .toList();
        return mounts.stream()
                .filter(mount -> mount.device().equals(loop.device()) || own.contains(mount.device()))
                .toList();
    }

    private Optional<Mount> root(List<Mount> way) {
        return way.stream()
                .filter(m -> m.target().equals("/"))
                .filter(m -> mounts.stream().noneMatch(p -> p.id() == m.parent() && p.id() != m.id()))
                .findFirst();
    }

    /** From {@code from} up the stack of mounts at {@code target} that lie on it. */
    private static Optional<Mount> climb(List<Mount> way, Optional<Mount> from, String target) {
        Optional<Mount> top = from;
        for (Optional<Mount> next = top; next.isPresent(); next = above(way, top.get(), target)) {
            top = next;
        }
        return top;
    }

    private static Optional<Mount> above(List<Mount> way, Mount below, String target) {
        return way.stream()
                .filter(m -> m.parent() == below.id() && m.id() != below.id())
                .filter(m -> m.target().equals(target))
                .findFirst();
    }

    private static String text(Path path) {
        return path.toAbsolutePath().normalize().toString();
    }

    /** Reads the text of a mountinfo file. */
    static MountTable parse(byte[] text) throws KernelTrouble {
        List<Mount> mounts = new ArrayList<>();
        for (String line : new String(text, StandardCharsets.ISO_8859_1).split("\n", -1)) {
            if (!line.isEmpty()) {
                mounts.add(line(line));
            }
        }
        return new MountTable(mounts);
    }

    private static Mount line(String line) throws KernelTrouble {
        String[] fields = line.split(" ", -1);
        int dash = 6;
        while (dash < fields.length && !fields[dash].equals("-")) {
            dash++;
        }
        String[] device = fields.length > 2 ? fields[2].split(":", -1) : new String[0];
        if (dash + 3 >= fields.length || device.length != 2) {
            throw unreadable(line);
        }
        try {
            return new Mount(
                    Integer.parseInt(fields[0]),
                    Integer.parseInt(fields[1]),
                    new Mount.Device(Integer.parseInt(device[0]), Integer.parseInt(device[1])),
                    unescape(fields[3]),
                    unescape(fields[4]),
                    List.of(fields[5].split(",", -1)),
                    propagation(List.of(fields).subList(6, dash)),
                    unescape(fields[dash + 1]),
                    unescape(fields[dash + 2]),
                    List.of(unescape(fields[dash + 3]).split(",", -1)));
        } catch (NumberFormatException malformed) {
            throw unreadable(line);
        }
    }

    /** Fields of unknown names are passed over, as the kernel may add more. */
    private static Mount.Propagation propagation(List<String> optional) {
        OptionalInt shared = OptionalInt.empty();
        OptionalInt master = OptionalInt.empty();
        boolean unbindable = false;
        for (String field : optional) {
            if (field.startsWith("shared:")) {
                shared = OptionalInt.of(Integer.parseInt(field.substring(7)));
            } else if (field.startsWith("master:")) {
                master = OptionalInt.of(Integer.parseInt(field.substring(7)));
            } else if (field.equals("unbindable")) {
                unbindable = true;
            }
        }
        return new Mount.Propagation(shared, master, unbindable);
    }

    /** The kernel writes space, tab, newline and backslash as three octal digits. */
    private static String unescape(String field) {
        if (isPlain(field)) {
            return field;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(field.length());
        for (int i = 0; i < field.length(); i++) {
            char c = field.charAt(i);
            if (c == '\\' && isOctal(field, i + 1)) {
                bytes.write(Integer.parseInt(field, i + 1, i + 4, 8));
                i += 3;
            } else {
                bytes.write(c);
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** As nearly all are: the table is read often, and long where much is mounted. */
    private static boolean isPlain(String field) {
        for (int i = 0; i < field.length(); i++) {
            if (field.charAt(i) == '\\' || field.charAt(i) > 0x7f) {
                return false;
            }
        }
        return true;
    }

    private static boolean isOctal(String field, int from) {
        return from + 3 <= field.length()
                && field.substring(from, from + 3).chars().allMatch(c -> c >= '0' && c <= '7');
    }

    private static KernelTrouble unreadable(String line) {
        return new KernelTrouble(
                "a line of the mount table is not as expected: '" + line + "'", Effect.NONE, Retry.NEVER);
    }
}
