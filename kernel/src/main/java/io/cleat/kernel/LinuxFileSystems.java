package io.cleat.kernel;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/** File systems by statvfs(3) and the ioctls FIFREEZE and FITHAW. */
final class LinuxFileSystems implements FileSystems {
    private static final long FIFREEZE = 0xC0045877L;
    private static final long FITHAW = 0xC0045878L;

    /** struct statvfs where long has 64 bits: numbers of 8 bytes, with room to spare. */
    private static final int STATVFS_SIZE = 256;

    private static final int FRAGMENT_AT = 8;
    private static final int BLOCKS_AT = 16;
    private static final int FREE_AT = 24;
    private static final int AVAILABLE_AT = 32;
    private static final int FILES_AT = 40;
    private static final int FILES_FREE_AT = 48;

    @Override
    public Usage usage(Path path) throws KernelTrouble {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment answer = arena.allocate(STATVFS_SIZE, 8);
            int result = Libc.blocking(() -> Libc.statvfs(path.toString(), answer));
            if (result < 0) {
                throw failed("asking for the usage of " + path, result);
            }
            long unit = number(answer, FRAGMENT_AT);
            long total = number(answer, BLOCKS_AT) * unit;
            return new Usage(
                    total,
                    number(answer, AVAILABLE_AT) * unit,
                    total - number(answer, FREE_AT) * unit,
                    number(answer, FILES_AT),
                    number(answer, FILES_FREE_AT));
        }
    }

    private static long number(MemorySegment answer, int at) {
        return answer.get(ValueLayout.JAVA_LONG, at);
    }

    @Override
    public boolean freeze(Path mountPoint) throws KernelTrouble {
        return control(mountPoint, FIFREEZE, "freezing", Errno.EBUSY);
    }

    @Override
    public boolean thaw(Path mountPoint) throws KernelTrouble {
        return control(mountPoint, FITHAW, "thawing", Errno.EINVAL);
    }

    private static boolean control(Path mountPoint, long request, String what, int already) throws KernelTrouble {
        int descriptor = Libc.blocking(() -> Libc.open(mountPoint.toString(), Libc.O_RDONLY));
        if (descriptor < 0) {
            throw failed("opening " + mountPoint, descriptor);
        }
        try {
            int result = Libc.blocking(() -> Libc.ioctl(descriptor, request, MemorySegment.NULL));
            if (result == -already) {
                return false;
            }
            if (result < 0) {
                throw failed(what + " the file system at " + mountPoint, result);
            }
            return true;
        } finally {
            Libc.close(descriptor);
        }
    }

    private static KernelTrouble failed(String what, int result) {
        return new KernelTrouble(what + " failed: " + Errno.text(-result), Effect.NONE, Retry.SAME_CALL);
    }
}
