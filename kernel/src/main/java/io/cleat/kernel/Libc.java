package io.cleat.kernel;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.cleat.base.InvariantBroken;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The C library's system calls, as they are: a negative result is the negated error number.
 *
 * <p>A native call holds on to its carrier thread, so a call that may block for long goes through {@link #blocking}. It
 * is given memory by its address alone: whoever owns that closes its arena after the call.
 */
final class Libc {
    static final int O_RDONLY = 0;
    static final int O_RDWR = 2;
    static final int O_CLOEXEC = 0x80000;

    /** One of the few flags whose number is not the same on all processors. */
    static final int O_NOFOLLOW = System.getProperty("os.arch", "").equals("aarch64") ? 0x8000 : 0x20000;

    static final int O_PATH = 0x200000;
    private static final int AT_FDCWD = -100;
    private static final long SYS_MKNODAT = System.getProperty("os.arch", "").equals("aarch64") ? 33 : 259;
    static final int SEEK_DATA = 3;
    static final int SEEK_HOLE = 4;
    static final int F_GETLK = 5;
    static final int LOCK_EX_NB = 2 | 4;
    static final int LOCK_UN = 8;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final long ERRNO = STATE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));
    private static final int MOST_ARGUMENTS = 5;

    /**
     * Of all functions: they take integers and addresses and return an integer, which registers hold alike, whatever
     * their width. A shape of its own for each would be generated, and compiled, at each start of a program.
     */
    private static final MethodHandle FUNCTION = LINKER.downcallHandle(
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
            Linker.Option.captureCallState("errno"),
            // What goes for functions that end in "...", goes for the others too.
            Linker.Option.firstVariadicArg(1));

    private static final MemorySegment OPEN = function("open");
    private static final MemorySegment CLOSE = function("close");
    private static final MemorySegment FLOCK = function("flock");
    private static final MemorySegment FCNTL = function("fcntl");
    private static final MemorySegment IOCTL = function("ioctl");
    private static final MemorySegment LSEEK = function("lseek");
    private static final MemorySegment POLL = function("poll");
    private static final MemorySegment STATVFS = function("statvfs");
    private static final MemorySegment MOUNT = function("mount");
    private static final MemorySegment UMOUNT2 = function("umount2");
    private static final MemorySegment SYNCFS = function("syncfs");
    private static final MemorySegment SYSCALL = function("syscall");

    private Libc() {}

    /** Work that may block in the kernel. */
    @FunctionalInterface
    interface Blocking {
        int run();
    }

    static int open(String path, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            return call(OPEN, address(arena, path), flags | O_CLOEXEC);
        }
    }

    static int close(int descriptor) {
        return call(CLOSE, descriptor);
    }

    static int flock(int descriptor, int operation) {
        return call(FLOCK, descriptor, operation);
    }

    static int fcntl(int descriptor, int command, MemorySegment argument) {
        return call(FCNTL, descriptor, command, argument.address());
    }

    static int ioctl(int descriptor, long request, MemorySegment argument) {
        return call(IOCTL, descriptor, request, argument.address());
    }

    static long lseek(int descriptor, long offset, int whence) {
        return longCall(LSEEK, descriptor, offset, whence);
    }

    /**
     * @param entries of type {@code struct pollfd}
     * @param milliseconds how long it may wait; 0 for not at all
     */
    static int poll(MemorySegment entries, long count, int milliseconds) {
        return call(POLL, entries.address(), count, milliseconds);
    }

    static int statvfs(String path, MemorySegment answer) {
        try (Arena arena = Arena.ofConfined()) {
            return call(STATVFS, address(arena, path), answer.address());
        }
    }

    static int mount(String source, String target, @Nullable String type, long flags, @Nullable String options) {
        try (Arena arena = Arena.ofConfined()) {
            return call(
                    MOUNT,
                    address(arena, source),
                    address(arena, target),
                    address(arena, type),
                    flags,
                    address(arena, options));
        }
    }

    static int unmount(String target, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            return call(UMOUNT2, address(arena, target), flags);
        }
    }

    /** Makes durable what its file system holds. */
    static int syncfs(int descriptor) {
        return call(SYNCFS, descriptor);
    }

    /**
     * mknod(2), which not every C library of a program has under that name.
     *
     * @param mode the kind of file, and permission bits
     */
    static int mknod(String path, int mode) {
        try (Arena arena = Arena.ofConfined()) {
            return call(SYSCALL, SYS_MKNODAT, AT_FDCWD, address(arena, path), mode, 0);
        }
    }

    /** A system call with up to four arguments, the third being null. */
    static int syscall(long number, long first, long second, long fourth) {
        return call(SYSCALL, number, first, second, 0, fourth);
    }

    /**
     * Runs {@code work} on a platform thread when the caller is on a virtual one, whose carrier it would take away from
     * the others.
     */
    static int blocking(Blocking work) {
        if (!Thread.currentThread().isVirtual()) {
            return work.run();
        }
        int[] result = new int[1];
        AtomicReference<@Nullable Throwable> fault = new AtomicReference<>();
        Thread thread = Thread.ofPlatform()
                .name("kernel/call")
                .daemon()
                .uncaughtExceptionHandler((where, what) -> fault.set(what))
                .start(() -> result[0] = work.run());
        boolean interrupted = false;
        // The call cannot be undone by an interruption, so its end is awaited all the same.
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (fault.get() != null) {
            throw new InvariantBroken("a native call returns", String.valueOf(fault.get()));
        }
        return result[0];
    }

    /** Of the text as C has it; 0 for none. */
    private static long address(Arena arena, @Nullable String text) {
        return text == null ? 0 : arena.allocateFrom(text).address();
    }

    /** A function that returns an int: beyond its bits the register holds anything. */
    private static int call(MemorySegment function, long... arguments) {
        return (int) called(function, true, arguments);
    }

    private static long longCall(MemorySegment function, long... arguments) {
        return called(function, false, arguments);
    }

    private static long called(MemorySegment function, boolean returnsInt, long... arguments) {
        long[] all = Arrays.copyOf(arguments, MOST_ARGUMENTS);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            long said = (long) FUNCTION.invokeExact(function, state, all[0], all[1], all[2], all[3], all[4]);
            long result = returnsInt ? (int) said : said;
            return result >= 0 ? result : -state.get(JAVA_INT, ERRNO);
        } catch (Throwable broken) {
            throw new InvariantBroken("the C library can be called", broken);
        }
    }

    private static MemorySegment function(String name) {
        return LINKER.defaultLookup().findOrThrow(name);
    }
}
