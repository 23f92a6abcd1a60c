package io.cleat.localplugin;

import io.cleat.base.DiskTrouble;
import io.cleat.base.KernelTrouble;
import io.cleat.kernel.DataRanges;
import io.cleat.kernel.DurableFiles;
import io.cleat.kernel.FileCopies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Copies of a volume's content, for snapshots and clones: blocks are shared where the pool's file system can (reflink:
 * XFS, Btrfs), else what holds data is copied and holes stay holes.
 */
final class Copying {
    private static final Duration LIMIT = Duration.ofHours(6);

    private final FreeCapacity free;
    private final Programs programs;

    Copying(FreeCapacity free, Programs programs) {
        this.free = free;
        this.programs = programs;
    }

    /**
     * Copies {@code from} to {@code to}, durably.
     *
     * @param footing whether the content may change meanwhile
     * @throws CallRefused when it may, and this pool cannot copy it at one moment; or when there is no room
     */
    void copy(VolumeType type, Path from, Path to, Footing footing)
            throws CallRefused, DiskTrouble, KernelTrouble, InterruptedException {
        if (!type.isImage()) {
            copyTree(from, to);
        } else if (!FileCopies.share(from, to)) {
            if (footing == Footing.MOVING) {
                throw CallRefused.tooSoon("the volume is written to from where this process cannot hold it still, and"
                        + " the pool's file system cannot share blocks, which would give a copy"
                        + " of one moment; unstage the volume first, or keep the pool on XFS or"
                        + " Btrfs");
            }
            free.requireFree(DataRanges.bytes(from));
            FileCopies.copy(from, to);
        }
        DurableFiles.sync(parent(to));
    }

    /** What is known of the writers of a volume that is being copied. */
    enum Footing {
        /** Nobody writes. */
        STILL,
        /** Somebody may: only a copy of one moment will do. */
        MOVING
    }

    /** With owners, modes, times, links and extended attributes, and of one file system. */
    private void copyTree(Path from, Path to) throws CallRefused, DiskTrouble, KernelTrouble, InterruptedException {
        programs.run(LIMIT, "cp", "-a", "-x", "--reflink=auto", "--sparse=auto", "-T", from.toString(), to.toString());
        programs.run(LIMIT, "sync", "-f", to.toString());
    }

    private static Path parent(Path file) {
        Path parent = file.getParent();
        return parent == null ? file : parent;
    }

    /** Whether the content is there at all, and as long as it should be. */
    static boolean isWhole(VolumeType type, Path content, long bytes) throws IOException {
        return type.isImage()
                ? Files.isRegularFile(content) && Files.size(content) >= bytes
                : Files.isDirectory(content);
    }
}
