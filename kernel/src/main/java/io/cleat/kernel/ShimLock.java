package io.cleat.kernel;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The lock that a shim holds on its directory for as long as it lives (fcntl(2)): what is left to know it by where
 * nothing else is.
 *
 * <p>Used by any thread.
 */
final class ShimLock {
    /** As of struct flock, with 64 bits for offsets. */
    private static final int SIZE = 32;

    private static final int TYPE_AT = 0;
    private static final int PID_AT = 24;
    private static final short WRITING = 1;
    private static final short NOBODY = 2;
    private static final int NO_FILE = -2;

    /** A process that closes any descriptor of a file loses the locks that it has on it. */
    private static final ReentrantLock ONE_AT_A_TIME = new ReentrantLock();

    private final Path file;

    ShimLock(Path file) {
        this.file = file;
    }

    /** Something that is done while no shim can begin. */
    @FunctionalInterface
    interface Step {
        void run() throws IOException;
    }

    /**
     * Takes the step with the lock held, which is made if it is not there.
     *
     * @return false, and nothing is done, while a shim has it
     */
    boolean with(Step step) throws KernelTrouble {
        ONE_AT_A_TIME.lock();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            if (lock == null) {
                return false;
            }
            step.run();
            return true;
        } catch (IOException failed) {
            throw trouble("be taken: " + failed);
        } finally {
            ONE_AT_A_TIME.unlock();
        }
    }

    /** The id of the process that holds it; empty if none does. */
    OptionalLong holder() throws KernelTrouble {
        ONE_AT_A_TIME.lock();
        try (Arena arena = Arena.ofConfined()) {
            int descriptor = Libc.open(file.toString(), Libc.O_RDONLY | Libc.O_NOFOLLOW);
            if (descriptor == NO_FILE && Files.notExists(file)) {
                return OptionalLong.empty();
            }
            if (descriptor < 0) {
                throw trouble("be opened: error " + -descriptor);
            }
            try {
                return holder(descriptor, arena.allocate(SIZE, Long.BYTES));
            } finally {
                Libc.close(descriptor);
            }
        } finally {
            ONE_AT_A_TIME.unlock();
        }
    }

    private OptionalLong holder(int descriptor, MemorySegment asked) throws KernelTrouble {
        asked.set(JAVA_SHORT, TYPE_AT, WRITING);
        int result = Libc.fcntl(descriptor, Libc.F_GETLK, asked);
        if (result < 0) {
            throw trouble("be asked for: error " + -result);
        }
        if (asked.get(JAVA_SHORT, TYPE_AT) == NOBODY) {
            return OptionalLong.empty();
        }
        int pid = asked.get(JAVA_INT, PID_AT);
        if (pid <= 0) {
            throw trouble("be looked at: a process that cannot be seen from here holds it");
        }
        return OptionalLong.of(pid);
    }

    private KernelTrouble trouble(String what) {
        return new KernelTrouble("the lock of a shim, " + file + ", could not " + what, Effect.NONE, Retry.SAME_CALL);
    }
}
