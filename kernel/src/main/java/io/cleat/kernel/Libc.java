package io.cleat.kernel;

import static java.lang.foreign.ValueLayout.ADDRESS;
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
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The C library's system calls, as they are: a negative result is the negated error number.
 *
 * <p>A native call holds on to its carrier thread, so a call that may block for long goes through {@link #blocking}.
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
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private static final MethodHandle OPEN =
            handle("open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT), 2);
    private static final MethodHandle CLOSE = handle("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT), -1);
    private static final MethodHandle FLOCK = handle("flock", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT), -1);
    private static final MethodHandle FCNTL =
            handle("fcntl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS), 2);
    private static final MethodHandle IOCTL =
            handle("ioctl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS), 2);
    private static final MethodHandle LSEEK =
            handle("lseek", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT), -1);
    private static final MethodHandle POLL =
            handle("poll", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT), -1);
    private static final MethodHandle STATVFS =
            handle("statvfs", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS), -1);
    private static final MethodHandle MOUNT =
            handle("mount", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS), -1);
    private static final MethodHandle UMOUNT2 =
            handle("umount2", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT), -1);
    private static final MethodHandle SYNCFS = handle("syncfs", FunctionDescriptor.of(JAVA_INT, JAVA_INT), -1);
    private static final MethodHandle SYSCALL =
            handle("syscall", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG), 1);

    private Libc() {}

    /** One native call; {@code state} receives errno. */
    @FunctionalInterface
    private interface Call {
        long run(MemorySegment state, Arena arena) throws Throwable;
    }

    /** Work that may block in the kernel. */
    @FunctionalInterface
    interface Blocking {
        int run();
    }

    static int open(String path, int flags) {
        return call((state, arena) -> (int) OPEN.invokeExact(state, arena.allocateFrom(path), flags | O_CLOEXEC, 0));
    }

    static int close(int descriptor) {
        return call((state, arena) -> (int) CLOSE.invokeExact(state, descriptor));
    }

    static int flock(int descriptor, int operation) {
        return call((state, arena) -> (int) FLOCK.invokeExact(state, descriptor, operation));
    }

    static int fcntl(int descriptor, int command, MemorySegment argument) {
        return call((state, arena) -> (int) FCNTL.invokeExact(state, descriptor, command, argument));
    }

    static int ioctl(int descriptor, long request, MemorySegment argument) {
        return call((state, arena) -> (int) IOCTL.invokeExact(state, descriptor, request, argument));
    }

    static long lseek(int descriptor, long offset, int whence) {
        return longCall((state, arena) -> (long) LSEEK.invokeExact(state, descriptor, offset, whence));
    }

    /**
     * @param entries of type {@code struct pollfd}
     * @param milliseconds how long it may wait; 0 for not at all
     */
    static int poll(MemorySegment entries, long count, int milliseconds) {
        return call((state, arena) -> (int) POLL.invokeExact(state, entries, count, milliseconds));
    }

    static int statvfs(String path, MemorySegment answer) {
        return call((state, arena) -> (int) STATVFS.invokeExact(state, arena.allocateFrom(path), answer));
    }

    static int mount(String source, String target, @Nullable String type, long flags, @Nullable String options) {
        return call((state, arena) -> (int) MOUNT.invokeExact(
                state,
                arena.allocateFrom(source),
                arena.allocateFrom(target),
                text(arena, type),
                flags,
                text(arena, options)));
    }

    static int unmount(String target, int flags) {
        return call((state, arena) -> (int) UMOUNT2.invokeExact(state, arena.allocateFrom(target), flags));
    }

    /** Makes durable what its file system holds. */
    static int syncfs(int descriptor) {
        return call((state, arena) -> (int) SYNCFS.invokeExact(state, descriptor));
    }

    /**
     * mknod(2), which not every C library of a program has under that name.
     *
     * @param mode the kind of file, and permission bits
     */
    static int mknod(String path, int mode) {
        return call((state, arena) -> (long) SYSCALL.invokeExact(
                state,
                SYS_MKNODAT,
                (long) AT_FDCWD,
                arena.allocateFrom(path).address(),
                MemorySegment.ofAddress(mode),
                0L));
    }

    /** A system call with up to four arguments, the third being an address or null. */
    static int syscall(long number, long first, long second, long fourth) {
        return call(
                (state, arena) -> (long) SYSCALL.invokeExact(state, number, first, second, MemorySegment.NULL, fourth));
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

    private static MemorySegment text(Arena arena, @Nullable String text) {
        return text == null ? MemorySegment.NULL : arena.allocateFrom(text);
    }

    private static int call(Call call) {
        return (int) longCall(call);
    }

    private static long longCall(Call call) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            long result = call.run(state, arena);
            return result >= 0 ? result : -(int) ERRNO.get(state, 0L);
        } catch (Throwable broken) {
            throw new InvariantBroken("the C library can be called", broken);
        }
    }

    private static MethodHandle handle(String name, FunctionDescriptor descriptor, int firstVariadic) {
        Linker.Option errno = Linker.Option.captureCallState("errno");
        Linker.Option[] options = firstVariadic < 0
                ? new Linker.Option[] {errno}
                : new Linker.Option[] {errno, Linker.Option.firstVariadicArg(firstVariadic)};
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor, options);
    }
}
