package io.cleat.kernel;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/** Copies of big files that take no more room than they must. */
public final class FileCopies {
    private static final long FICLONE = 0x40049409L;

    /** What file systems answer that cannot share blocks, or not between these two files. */
    private static final Set<Integer> CANNOT =
            Set.of(Errno.EOPNOTSUPP, Errno.EXDEV, Errno.EINVAL, Errno.ENOTTY, Errno.ENOSYS);

    private FileCopies() {}

    /**
     * Makes {@code to} a file that shares all blocks with {@code from} until either is written to (ioctl_ficlone(2)):
     * at once, and of one moment though others write meanwhile.
     *
     * @param to absent; made for its owner only
     * @return false when this file system cannot; {@code to} is an empty file then
     */
    public static boolean share(Path from, Path to) throws KernelTrouble, DiskTrouble {
        make(to);
        int source = open(from, Libc.O_RDONLY);
        int target = -1;
        try {
            target = open(to, Libc.O_RDWR);
            int into = target;
            int result = Libc.blocking(() -> Libc.ioctl(into, FICLONE, MemorySegment.ofAddress(source)));
            if (result >= 0) {
                return true;
            }
            if (CANNOT.contains(-result)) {
                return false;
            }
            throw failed("sharing the blocks of " + from + " with " + to, result);
        } finally {
            Libc.close(source);
            if (target >= 0) {
                Libc.close(target);
            }
        }
    }

    /** Copies the data of {@code from} into the empty file {@code to}, with its holes as holes. */
    public static void copy(Path from, Path to) throws KernelTrouble, DiskTrouble {
        try (FileChannel source = FileChannel.open(from, StandardOpenOption.READ);
                RandomAccessFile made = new RandomAccessFile(to.toFile(), "rw");
                DataRanges ranges = DataRanges.open(from)) {
            made.setLength(source.size());
            FileChannel target = made.getChannel();
            for (Optional<DataRanges.Range> range = ranges.from(0);
                    range.isPresent();
                    range = ranges.from(range.get().end())) {
                copy(source, target, range.get());
            }
            target.force(true);
        } catch (IOException failed) {
            throw new DiskTrouble(
                    "copying " + from + " to " + to + " failed: " + failed, Effect.NONE, Retry.SAME_CALL, failed);
        }
    }

    private static void copy(FileChannel source, FileChannel target, DataRanges.Range range) throws IOException {
        target.position(range.start());
        long position = range.start();
        while (position < range.end()) {
            long moved = source.transferTo(position, range.end() - position, target);
            if (moved <= 0) {
                throw new IOException("the source became shorter while it was copied");
            }
            position += moved;
        }
    }

    private static void make(Path file) throws DiskTrouble {
        try {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } catch (IOException failed) {
            throw new DiskTrouble("making " + file + " failed: " + failed, Effect.NONE, Retry.SAME_CALL, failed);
        }
    }

    private static int open(Path file, int flags) throws KernelTrouble {
        int descriptor = Libc.blocking(() -> Libc.open(file.toString(), flags));
        if (descriptor < 0) {
            throw failed("opening " + file, descriptor);
        }
        return descriptor;
    }

    private static KernelTrouble failed(String what, int result) {
        return new KernelTrouble(what + " failed: " + Errno.text(-result), Effect.NONE, Retry.SAME_CALL);
    }
}
