package io.cleat.kernel;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Time;
import io.cleat.base.VisibleText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * One task under a shim, known by its directory: started at most once, found again by any later program. The protocol
 * is described in {@code shim/README.md}.
 *
 * <p>Stateless but for the directory; used by any thread.
 */
public final class ShimRun {
    private static final List<String> FILES =
            List.of("task", "state", "state.tmp", "exit", "exit.tmp", "socket", "lock");
    private static final int SIGTERM = 15;
    private static final int MOST_FILE = 1 << 16;
    private static final int MOST_WORDS = 4 << 10;
    private static final Duration PAUSE = Duration.ofMillis(5);
    private static final Duration ANSWER = Duration.ofSeconds(10);

    /** Between two looks at a shim to which for so many no connection could be made. */
    private static final Duration LONG_PAUSE = Duration.ofMillis(200);

    private static final int MANY_LOOKS = 200;

    private final Path program;
    private final Path directory;
    private final Time time;
    private final Processes processes;
    private final ShimSocket socket;
    private final ShimLock lock;

    /**
     * @param program the shim
     * @param directory the task's own, used for nothing else
     */
    public ShimRun(Path program, Path directory, Processes processes, Time time) {
        this.program = program;
        this.directory = directory;
        this.time = time;
        this.processes = processes;
        this.socket = new ShimSocket(directory);
        this.lock = new ShimLock(directory.resolve("lock"));
    }

    /**
     * Starts the task. When it returns the command was executed.
     *
     * @throws KernelTrouble with no effect when nothing runs and nothing will; with unknown effect when {@link #settle}
     *     must tell
     */
    public void start(ShimDescription description, Deadline deadline) throws KernelTrouble, InterruptedException {
        Process caller;
        try {
            Files.createDirectories(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            writeDescription(description);
            ProcessBuilder builder = new ProcessBuilder(program.toString(), "run", directory.toString());
            builder.environment().clear();
            caller = builder.start();
        } catch (IOException failed) {
            throw new KernelTrouble(
                    "the shim " + program + " could not be called: " + failed, Effect.NONE, Retry.SAME_CALL, failed);
        }
        if (!caller.waitFor(deadline.left().toNanos(), TimeUnit.NANOSECONDS)) {
            caller.destroyForcibly();
            throw failedStart("it gave no word in time", Effect.UNKNOWN, Retry.AFTER_OBSERVING);
        }
        int code = caller.exitValue();
        if (code != 0) {
            String words = words(caller);
            // 2, 3, 4: nothing was done, was started before, could not be executed (shim.h).
            throw failedStart(
                    words.isEmpty() ? "exit code " + code : words,
                    code >= 2 && code <= 4 ? Effect.NONE : Effect.UNKNOWN,
                    code == 4 ? Retry.NEVER : Retry.AFTER_OBSERVING);
        }
    }

    private void writeDescription(ShimDescription description) throws IOException {
        Path file = directory.resolve("task");
        Files.deleteIfExists(file);
        try (FileChannel channel = FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            ByteBuffer left = ByteBuffer.wrap(description.encode());
            while (left.hasRemaining()) {
                channel.write(left);
            }
        }
    }

    private static String words(Process caller) {
        try {
            byte[] said = caller.getErrorStream().readNBytes(MOST_WORDS);
            return VisibleText.line(new String(said, StandardCharsets.UTF_8).strip());
        } catch (IOException silent) {
            return "";
        }
    }

    private KernelTrouble failedStart(String why, Effect effect, Retry retry) {
        return new KernelTrouble("the task in " + directory + " could not be started: " + why, effect, retry);
    }

    /**
     * Makes sure what became of a start of which no answer is known.
     *
     * @return whether the task was started; false once it is certain that nothing was executed and nothing will be,
     *     though a shim be on its way
     */
    public boolean settle(Deadline deadline) throws KernelTrouble, InterruptedException {
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        while (!wasStarted()) {
            if (withdraw()) {
                return wasStarted();
            }
            if (deadline.isExpired()) {
                if (answers()) {
                    return true;
                }
                throw failedStart("a shim holds its lock and records nothing", Effect.UNKNOWN, Retry.AFTER_OBSERVING);
            }
            time.sleep(PAUSE);
        }
        return true;
    }

    /** Whether the shim wrote down that it executes the command, readable or not. */
    private boolean wasStarted() {
        return Files.exists(directory.resolve("state"), LinkOption.NOFOLLOW_LINKS);
    }

    /** A shim whose record was taken away answers all the same. */
    private boolean answers() {
        try {
            status(Deadline.in(time, ANSWER));
            return true;
        } catch (KernelTrouble silent) {
            return false;
        }
    }

    /** Takes the description away, unless a shim holds the lock: a shim reads it under the lock. */
    private boolean withdraw() throws KernelTrouble {
        return lock.with(() -> {
            if (!wasStarted()) {
                Files.deleteIfExists(directory.resolve("task"));
            }
        });
    }

    /**
     * What the shim recorded before it executed the command; empty if it never came to that.
     *
     * @throws KernelTrouble if that cannot be read
     */
    public Optional<ShimState> state() throws KernelTrouble {
        Optional<String> text = read("state");
        return text.isEmpty() ? Optional.empty() : Optional.of(ShimState.parse(text.get()));
    }

    /** As {@link #state}; empty also if it cannot be read. */
    public Optional<ShimState> readableState() {
        try {
            return state();
        } catch (KernelTrouble damaged) {
            return Optional.empty();
        }
    }

    /** How the task ended; empty while it runs, when its shim died first, and when what that wrote cannot be read. */
    public Optional<ShimExit> exit() {
        try {
            Optional<String> text = read("exit");
            return text.isEmpty() ? Optional.empty() : Optional.of(ShimExit.parse(text.get()));
        } catch (KernelTrouble damaged) {
            return Optional.empty();
        }
    }

    /**
     * The shim, if it runs: who holds its lock, as it does for as long as it lives; else as it recorded itself. The
     * record has no check sum: one with another digit in it reads like that of a shim that is gone, or names the task,
     * which began in the same tick and has the next number.
     */
    public Optional<ProcessIdentity> shim() throws KernelTrouble {
        OptionalLong holder = lock.holder();
        if (holder.isPresent()) {
            return processes.identify(holder.getAsLong());
        }
        Optional<ShimState> state = readableState();
        return state.isPresent() && processes.isAlive(state.get().shim())
                ? Optional.of(state.get().shim())
                : Optional.empty();
    }

    /** Whether the shim runs. */
    public boolean isAlive() throws KernelTrouble {
        return shim().isPresent();
    }

    public ShimStatus status(Deadline deadline) throws KernelTrouble {
        return ShimStatus.of(socket.ask("status", deadline));
    }

    /** Sends a signal to the task's main process. */
    public void signal(int signal, Deadline deadline) throws KernelTrouble {
        socket.ask("signal " + signal, deadline);
    }

    /**
     * Sends {@code signal}, unless it was sent by a stop before, and kills all of the task once {@code timeout} has
     * passed. The shim finishes that by itself. Of two stops the earlier end holds. Does nothing to a task that has
     * ended, or whose shim is gone.
     *
     * <p>A shim whose socket was removed is told to end by SIGTERM: it then sends the signal of its description, and
     * kills after the time that stands there. One that has its socket is asked again by the caller instead, since that
     * time may be shorter than {@code timeout}.
     *
     * @param signal 0 for none
     * @return whether the shim was asked; false if all that could be sent was SIGTERM
     */
    public boolean stop(int signal, Duration timeout, Deadline deadline) throws KernelTrouble {
        try {
            socket.ask("stop " + signal + " " + timeout.toMillis(), deadline);
            return true;
        } catch (KernelTrouble unheard) {
            Optional<ProcessIdentity> shim = shim();
            if (exit().isPresent() || shim.isEmpty()) {
                return true;
            }
            if (socket.isThere()) {
                throw unheard;
            }
            return !processes.signal(shim.get(), SIGTERM);
        }
    }

    /**
     * Runs a command beside the task: in its directory and environment, in its control groups, as its user. It ends
     * with the task, and when what is returned is closed.
     *
     * @throws KernelTrouble with no effect if it could not be executed
     */
    public ShimExec exec(ShimCommand command, Deadline deadline) throws KernelTrouble {
        return ShimExec.start(socket, command, deadline);
    }

    /** Whether the task has not ended and its shim is there to see to it. */
    public boolean runs() throws KernelTrouble {
        return exit().isEmpty() && isAlive();
    }

    /**
     * Blocks until the task has ended.
     *
     * @return empty if its shim is gone without having written how
     */
    public Optional<ShimExit> awaitEnd() throws KernelTrouble, InterruptedException {
        for (int looks = 0; ; looks++) {
            Optional<ShimExit> exit = exit();
            if (exit.isPresent()) {
                return exit;
            }
            if (!isAlive()) {
                // It may have written and gone between the two looks.
                return exit();
            }
            if (untilClosed()) {
                looks = 0;
            } else {
                time.sleep(looks < MANY_LOOKS ? PAUSE : LONG_PAUSE);
            }
        }
    }

    /** Returns false if there is no connection to be had. */
    private boolean untilClosed() throws InterruptedException {
        try (SocketChannel channel = socket.connect()) {
            ByteBuffer nothing = ByteBuffer.allocate(1);
            while (channel.read(nothing.clear()) >= 0) {
                // The shim says nothing unasked; its end closes the connection.
            }
            return true;
        } catch (AsynchronousCloseException interrupted) {
            throw new InterruptedException("waiting for the task in " + directory);
        } catch (IOException closed) {
            // It is about to end, or has as many listeners as it can: look again in a moment.
            return false;
        }
    }

    /**
     * Forgets an ended task: removes the files of its directory, then the directory. Idempotent.
     *
     * @throws KernelTrouble with no effect while the shim runs, or when something foreign lies there
     */
    public void forget() throws KernelTrouble {
        if (isAlive()) {
            throw new KernelTrouble("the shim in " + directory + " still runs", Effect.NONE, Retry.AFTER_OBSERVING);
        }
        try {
            for (String file : FILES) {
                Files.deleteIfExists(directory.resolve(file));
            }
            Files.deleteIfExists(directory);
        } catch (DirectoryNotEmptyException foreign) {
            throw new KernelTrouble(
                    directory + " holds files that no shim made; remove them by hand",
                    Effect.UNKNOWN,
                    Retry.AFTER_OBSERVING,
                    foreign);
        } catch (IOException failed) {
            throw new KernelTrouble(
                    "the directory of a shim, " + directory + ", could not be removed: " + failed,
                    Effect.UNKNOWN,
                    Retry.SAME_CALL,
                    failed);
        }
    }

    /** A small file. Words in it may be cut inside of a character. */
    private static String small(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MOST_FILE + 1);
            if (bytes.length > MOST_FILE) {
                throw new IOException("it has more than " + MOST_FILE + " bytes");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    private Optional<String> read(String file) throws KernelTrouble {
        try {
            return Optional.of(small(directory.resolve(file)));
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        } catch (IOException failed) {
            throw new KernelTrouble(
                    directory.resolve(file) + " could not be read: " + failed, Effect.NONE, Retry.SAME_CALL, failed);
        }
    }
}
