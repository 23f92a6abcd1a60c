package io.cleat.kernel;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Mounts by the kernel's mount(2) and umount2(2). */
final class LinuxMounts implements Mounts {
    private static final long MS_RDONLY = 1;
    private static final long MS_REMOUNT = 32;
    private static final long MS_BIND = 4096;
    private static final long MS_REC = 16384;
    private static final long MS_PRIVATE = 1 << 18;
    private static final long MS_SLAVE = 1 << 19;
    private static final long MS_SHARED = 1 << 20;
    private static final int MNT_DETACH = 2;
    private static final int UMOUNT_NOFOLLOW = 8;

    /** What a remount must repeat, or the kernel drops it. */
    private static final Map<String, Long> KEPT = Map.of(
            "nosuid", 2L, "nodev", 4L, "noexec", 8L, "noatime", 1L << 10, "nodiratime", 1L << 11, "relatime", 1L << 21);

    @Override
    public MountTable table() throws KernelTrouble {
        return MountTable.read();
    }

    @Override
    public void mount(String source, Path target, String fsType, Set<Flag> flags, String options) throws KernelTrouble {
        long bits = 0;
        for (Flag flag : flags) {
            bits |= bit(flag);
        }
        mount("mounting " + source, source, target, fsType, bits, options);
    }

    @Override
    public void bind(Path source, Path target) throws KernelTrouble {
        mount("binding " + source, source.toString(), target, null, MS_BIND, null);
    }

    @Override
    public void bindAll(Path source, Path target) throws KernelTrouble {
        mount("binding " + source, source.toString(), target, null, MS_BIND | MS_REC, null);
    }

    @Override
    public void remountReadOnly(Path target) throws KernelTrouble {
        Mount mount = table().at(target)
                .orElseThrow(() -> new KernelTrouble(
                        "nothing is mounted at " + target + ", so it cannot be made read-only",
                        Effect.NONE,
                        Retry.AFTER_OBSERVING));
        long bits = MS_REMOUNT | MS_BIND | MS_RDONLY;
        for (String option : mount.options()) {
            bits |= KEPT.getOrDefault(option, 0L);
        }
        mount("remounting read-only", "none", target, null, bits, null);
    }

    @Override
    public void spread(Path target, Spread spread) throws KernelTrouble {
        long bits = switch (spread) {
            case SHARED -> MS_SHARED;
            case SLAVE -> MS_SLAVE;
            case PRIVATE -> MS_PRIVATE;
        };
        mount("making mounts " + spread, "none", target, null, bits, null);
    }

    @Override
    public boolean unmount(Path target) throws KernelTrouble {
        return unmount(target, UMOUNT_NOFOLLOW);
    }

    @Override
    public boolean detach(Path target) throws KernelTrouble {
        return unmount(target, UMOUNT_NOFOLLOW | MNT_DETACH);
    }

    private boolean unmount(Path target, int flags) throws KernelTrouble {
        int result = Libc.blocking(() -> Libc.unmount(target.toString(), flags));
        if (result >= 0) {
            return true;
        }
        boolean absent = result == -Errno.EINVAL || result == -Errno.ENOENT;
        if (absent && MountTable.readTwice(this::table).at(target).isEmpty()) {
            return false;
        }
        throw new KernelTrouble(
                "unmounting " + target + " failed: " + Errno.text(-result),
                Effect.NONE,
                result == -Errno.EBUSY ? Retry.SAME_CALL : Retry.AFTER_OBSERVING);
    }

    private static void mount(
            String what, String source, Path target, @Nullable String type, long flags, @Nullable String options)
            throws KernelTrouble {
        int result = Libc.blocking(() -> Libc.mount(source, target.toString(), type, flags, options));
        if (result < 0) {
            throw new KernelTrouble(
                    what + " at " + target + (type == null ? "" : " as " + type) + " failed: " + Errno.text(-result),
                    Effect.NONE,
                    result == -Errno.EBUSY ? Retry.SAME_CALL : Retry.AFTER_OBSERVING);
        }
    }

    private static long bit(Flag flag) {
        return switch (flag) {
            case READ_ONLY -> MS_RDONLY;
            case NO_SUID -> 2;
            case NO_DEVICES -> 4;
            case NO_EXEC -> 8;
            case NO_ACCESS_TIMES -> 1 << 10;
        };
    }
}
