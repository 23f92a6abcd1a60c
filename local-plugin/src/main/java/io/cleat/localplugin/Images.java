package io.cleat.localplugin;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * The files of image volumes: sparse, with a file system whose UUID is the volume's id, and grown by the file system's
 * own programs.
 */
final class Images {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    /** Less than the 2 minutes that a caller waits: it is told, and does not ask for ever. */
    private static final Duration LIMIT_OF_MAKING = Duration.ofSeconds(90);

    /**
     * The file is new and sparse, so it reads as zeros: a journal or a table of inodes that is written as zeros only
     * takes time and room, 1 GiB of it where the image has 7 TiB.
     */
    private static final String WRITE_NO_ZEROS = "lazy_itable_init=1,lazy_journal_init=1";

    private static final String CAPABILITIES = "CapEff:";
    private static final int CAP_SYS_RESOURCE = 24;
    private static final Path KNOWN = Path.of("/proc/filesystems");

    private static final Path MODULES = Path.of("/lib/modules");

    private final Programs programs;
    private final Path known;
    private final Path modules;
    private final Duration limitOfMaking;

    Images(Programs programs) {
        this(programs, KNOWN, MODULES);
    }

    /**
     * With another kernel.
     *
     * @param known the list of the file systems that it knows
     * @param modules the directory of the modules it can load
     */
    Images(Programs programs, Path known, Path modules) {
        this(programs, known, modules, LIMIT_OF_MAKING);
    }

    /** As the others, with another limit for the making of a file system. */
    Images(Programs programs, Path known, Path modules, Duration limitOfMaking) {
        this.programs = programs;
        this.known = known;
        this.modules = modules;
        this.limitOfMaking = limitOfMaking;
    }

    /** Refuses a type that cannot be made here, with the command that brings what is missing. */
    void requireMakeable(VolumeType type) throws CallRefused {
        if (type.isFileSystem()) {
            programs.require("mkfs." + type.word());
        }
    }

    /** Refuses a type that cannot be mounted here. */
    void requireMountable(VolumeType type) throws CallRefused, DiskTrouble {
        if (type.isFileSystem() && !isKnown(type.word()) && !isLoadable(type.word())) {
            throw CallRefused.tooSoon("the kernel of this machine cannot mount "
                    + type.word()
                    + ": it is not in "
                    + known
                    + ", and no module of it is installed; this may bring it: apt-get install"
                    + " linux-image-amd64, and a boot of that kernel");
        }
    }

    private boolean isKnown(String name) throws DiskTrouble {
        try (Stream<String> lines = Files.lines(known)) {
            return lines.anyMatch(line -> line.strip().equals(name));
        } catch (IOException failed) {
            throw trouble("reading " + known, failed);
        }
    }

    /** Mounting loads a module of the name, where there is one. */
    private boolean isLoadable(String name) throws DiskTrouble {
        try {
            String release =
                    Files.readString(Path.of("/proc/sys/kernel/osrelease")).strip();
            Path index = modules.resolve(release).resolve("modules.dep");
            if (!Files.isReadable(index)) {
                return false;
            }
            try (Stream<String> lines = Files.lines(index, StandardCharsets.UTF_8)) {
                return lines.anyMatch(line -> line.contains("/" + name + ".ko"));
            }
        } catch (IOException failed) {
            throw trouble("looking for the module " + name, failed);
        }
    }

    /** Makes {@code image}, durably. */
    void make(Path image, VolumeType type, long bytes, String id)
            throws CallRefused, DiskTrouble, KernelTrouble, InterruptedException {
        try {
            Files.createFile(image, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } catch (IOException failed) {
            throw trouble("making the image " + image, failed);
        }
        resize(image, bytes);
        String path = image.toString();
        switch (type) {
            case DIRECTORY, BLOCK -> {}
            // -m 0: nothing is kept back for root, who is the only user as far as the image knows.
            case EXT4 -> fill(bytes, "mkfs.ext4", "-q", "-F", "-m", "0", "-E", WRITE_NO_ZEROS, "-U", id, path);
            case XFS -> fill(bytes, "mkfs.xfs", "-q", "-f", "-m", "uuid=" + id, path);
            case BTRFS -> fill(bytes, "mkfs.btrfs", "-q", "-f", "-U", id, path);
        }
        sync(image);
    }

    /** A new image can be thrown away, so that one which takes too long is refused for good. */
    private void fill(long bytes, String program, String... arguments)
            throws CallRefused, KernelTrouble, InterruptedException {
        if (!programs.endsWithin(limitOfMaking, program, arguments)) {
            throw CallRefused.full(program
                    + " did not make a file system of "
                    + bytes
                    + " bytes within "
                    + limitOfMaking.toSeconds()
                    + " s on the pool's disk, and what it made is removed; ask for a smaller"
                    + " volume, or try again when the disk is less busy");
        }
    }

    /** Makes the file as long as said, durably; it is never made shorter. */
    void resize(Path image, long bytes) throws DiskTrouble {
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            if (file.length() < bytes) {
                file.setLength(bytes);
                file.getFD().sync();
            }
        } catch (IOException failed) {
            throw trouble("making " + image + " " + bytes + " bytes long", failed);
        }
    }

    private static void sync(Path image) throws DiskTrouble {
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.getFD().sync();
        } catch (IOException failed) {
            throw trouble("making " + image + " durable", failed);
        }
    }

    /**
     * Gives a copied file system an identity of its own, where the kernel needs that: two of Btrfs with one id would be
     * taken for one. XFS is mounted without regard to its id, and ext4 does not look.
     */
    void setApart(Path image, VolumeType type, String id)
            throws CallRefused, DiskTrouble, KernelTrouble, InterruptedException {
        if (type == VolumeType.BTRFS) {
            programs.run(LIMIT, "btrfstune", "-f", "-M", id, image.toString());
            sync(image);
        }
    }

    /** Whether a file system of {@code type} can grow only, or grows best, before it is mounted. */
    static boolean growsUnmounted(VolumeType type) {
        return type == VolumeType.EXT4;
    }

    /** Grows a file system that is mounted nowhere to the length of its image, checking it first. */
    void growUnmounted(Path image) throws CallRefused, KernelTrouble, InterruptedException {
        // 1: faults were found and are corrected.
        programs.run(LIMIT, 1, "e2fsck", "-f", "-p", image.toString());
        programs.run(LIMIT, "resize2fs", image.toString());
    }

    /** Whether this process may grow a mounted ext4: the kernel wants CAP_SYS_RESOURCE for that. */
    static boolean mayGrowMountedExt4() throws DiskTrouble {
        Path status = Path.of("/proc/self/status");
        try (Stream<String> lines = Files.lines(status)) {
            return lines.filter(line -> line.startsWith(CAPABILITIES))
                    .map(line -> line.substring(CAPABILITIES.length()).strip())
                    .anyMatch(set -> (Long.parseUnsignedLong(set, 16) >> CAP_SYS_RESOURCE & 1) == 1);
        } catch (IOException failed) {
            throw trouble("reading " + status, failed);
        }
    }

    private void growExt4(Path device) throws CallRefused, DiskTrouble, KernelTrouble, InterruptedException {
        if (!mayGrowMountedExt4()) {
            throw CallRefused.tooSoon("growing a mounted ext4 needs the capability CAP_SYS_RESOURCE, which this"
                    + " process has not: start the plugin with it, or unstage the volume and"
                    + " stage it again, which grows it too");
        }
        programs.run(LIMIT, "resize2fs", device.toString());
    }

    /** Grows a mounted file system to its device; nothing happens when it fills it already. */
    void grow(VolumeType type, Path device, Path mountPoint)
            throws CallRefused, DiskTrouble, KernelTrouble, InterruptedException {
        switch (type) {
            case DIRECTORY, BLOCK -> {}
            case EXT4 -> growExt4(device);
            case XFS -> programs.run(LIMIT, "xfs_growfs", "-d", mountPoint.toString());
            case BTRFS -> programs.run(LIMIT, "btrfs", "filesystem", "resize", "max", mountPoint.toString());
        }
    }

    private static DiskTrouble trouble(String what, IOException cause) {
        return new DiskTrouble(what + " failed: " + cause, Effect.NONE, Retry.SAME_CALL, cause);
    }
}
