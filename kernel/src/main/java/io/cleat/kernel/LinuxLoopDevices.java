package io.cleat.kernel;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Time;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Loop devices by the ioctls of loop(4).
 *
 * <p>Finding and attaching one file is one step for everybody: it is done under an advisory lock (flock) of the file,
 * which a second attacher in this or another process waits for.
 */
final class LinuxLoopDevices implements LoopDevices {
    private static final Path SYSTEM = Path.of("/sys/block");
    private static final long LOOP_CLR_FD = 0x4C01;
    private static final long LOOP_GET_STATUS64 = 0x4C05;
    private static final long LOOP_SET_CAPACITY = 0x4C07;
    private static final long LOOP_CONFIGURE = 0x4C0A;
    private static final long LOOP_CTL_GET_FREE = 0x4C82;
    private static final int CONFIG_SIZE = 304;
    private static final int STATUS_AT = 8;
    private static final int STATUS_SIZE = 232;
    private static final int FLAGS_AT = 52;
    private static final int NAME_AT = 56;
    private static final int NAME_SIZE = 64;
    private static final int READ_ONLY = 1;
    private static final int TRIES = 64;
    private static final Duration LOCK_WAIT = Duration.ofSeconds(10);
    private static final Duration LOCK_PAUSE = Duration.ofMillis(5);

    private static final Duration LAST_USER_PAUSE = Duration.ofMillis(10);

    private final Time time;
    private final Duration patience;

    LinuxLoopDevices(Time time, Duration patience) {
        this.time = time;
        this.patience = patience;
    }

    /** What the kernel says of one device: which file, and how. */
    private record Status(long fileDevice, long fileInode, boolean readOnly) {}

    /** A file as the kernel tells it apart. */
    private record Identity(long device, long inode) {}

    @Override
    public LoopDevice attach(Path file, boolean readOnly) throws KernelTrouble, InterruptedException {
        Identity identity = identity(file);
        int lock = locked(file);
        try {
            for (LoopDevice device : devicesWith(file)) {
                Optional<Status> status = status(device);
                if (status.isPresent() && isOf(identity, status.get())) {
                    return withMode(device, file, status.get(), readOnly);
                }
            }
            return attachNew(file, readOnly);
        } finally {
            unlock(lock);
        }
    }

    private static LoopDevice withMode(LoopDevice device, Path file, Status status, boolean readOnly)
            throws KernelTrouble {
        if (status.readOnly() == readOnly) {
            return device;
        }
        throw new KernelTrouble(
                file
                        + " is attached to "
                        + device
                        + (readOnly ? " for writing" : " read-only")
                        + "; it must be detached before it can be attached otherwise",
                Effect.NONE,
                Retry.AFTER_OBSERVING);
    }

    @Override
    public Optional<LoopDevice> find(Path file) throws KernelTrouble {
        Identity identity = identity(file);
        for (LoopDevice device : devicesWith(file)) {
            if (status(device).filter(status -> isOf(identity, status)).isPresent()) {
                return Optional.of(device);
            }
        }
        return Optional.empty();
    }

    @Override
    public boolean detach(Path file) throws KernelTrouble, InterruptedException {
        int lock = locked(file);
        try {
            Optional<LoopDevice> found = find(file);
            if (found.isEmpty()) {
                return false;
            }
            clear(found.get(), file);
            return true;
        } finally {
            unlock(lock);
        }
    }

    @Override
    public void resize(Path file) throws KernelTrouble {
        Optional<LoopDevice> device = find(file);
        if (device.isEmpty()) {
            return;
        }
        int descriptor = open(device.get().path().toString(), Libc.O_RDONLY);
        try {
            int result = Libc.ioctl(descriptor, LOOP_SET_CAPACITY, MemorySegment.NULL);
            if (result < 0) {
                throw failed("resizing " + device.get() + " of " + file, result, Effect.NONE);
            }
        } finally {
            Libc.close(descriptor);
        }
    }

    private void clear(LoopDevice device, Path file) throws KernelTrouble, InterruptedException {
        List<Mount> mounts = MountTable.read().on(device);
        if (!mounts.isEmpty()) {
            throw new KernelTrouble(
                    device + " of " + file + " is mounted at "
                            + mounts.getFirst().target(),
                    Effect.NONE,
                    Retry.AFTER_OBSERVING);
        }
        int descriptor = open(device.path().toString(), Libc.O_RDONLY);
        try {
            int result = Libc.blocking(() -> Libc.ioctl(descriptor, LOOP_CLR_FD, MemorySegment.NULL));
            if (result < 0 && result != -Errno.ENXIO) {
                throw failed("detaching " + device + " of " + file, result, Effect.NONE);
            }
        } finally {
            Libc.close(descriptor);
        }
        awaitLastUser(device, file);
    }

    /**
     * With another user left (a mount in another namespace, an open device) the kernel only promises to detach when the
     * last one goes.
     */
    private void awaitLastUser(LoopDevice device, Path file) throws KernelTrouble, InterruptedException {
        Deadline deadline = Deadline.in(time, patience);
        while (find(file).filter(device::equals).isPresent()) {
            if (deadline.isExpired()) {
                throw new KernelTrouble(
                        device
                                + " of "
                                + file
                                + " is still open in another process; it goes when the last user closes it",
                        Effect.UNKNOWN,
                        Retry.SAME_CALL);
            }
            time.sleep(LAST_USER_PAUSE);
        }
    }

    private static LoopDevice attachNew(Path file, boolean readOnly) throws KernelTrouble {
        int mode = readOnly ? Libc.O_RDONLY : Libc.O_RDWR;
        int backing = open(file.toString(), mode);
        int control = -1;
        try {
            control = open("/dev/loop-control", Libc.O_RDWR);
            for (int i = 0; i < TRIES; i++) {
                int number = Libc.ioctl(control, LOOP_CTL_GET_FREE, MemorySegment.NULL);
                if (number < 0) {
                    throw failed("finding a free loop device for " + file, number, Effect.NONE);
                }
                // Whoever asked at the same time was told the same number: the loser asks again.
                if (configure("/dev/loop" + number, mode, backing, file, readOnly)) {
                    return new LoopDevice(number, numbers(SYSTEM.resolve("loop" + number)), readOnly);
                }
            }
        } finally {
            Libc.close(backing);
            if (control >= 0) {
                Libc.close(control);
            }
        }
        throw new KernelTrouble(
                "others took each of " + TRIES + " free loop devices before " + file + " could",
                Effect.NONE,
                Retry.SAME_CALL);
    }

    private static boolean configure(String device, int mode, int backing, Path file, boolean readOnly)
            throws KernelTrouble {
        int descriptor = open(device, mode);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment config = arena.allocate(CONFIG_SIZE, 8);
            config.set(ValueLayout.JAVA_INT, 0, backing);
            config.set(ValueLayout.JAVA_INT, STATUS_AT + FLAGS_AT, readOnly ? READ_ONLY : 0);
            byte[] name = file.toString().getBytes(StandardCharsets.UTF_8);
            MemorySegment.copy(
                    MemorySegment.ofArray(name), 0, config, STATUS_AT + NAME_AT, Math.min(name.length, NAME_SIZE - 1));
            int result = Libc.blocking(() -> Libc.ioctl(descriptor, LOOP_CONFIGURE, config));
            if (result == -Errno.EBUSY) {
                return false;
            }
            if (result < 0) {
                throw failed(
                        "attaching " + file + " to " + device + " (needs Linux 5.8 or newer)", result, Effect.NONE);
            }
            return true;
        } finally {
            Libc.close(descriptor);
        }
    }

    /** The devices whose file may be {@code file} by its name; the inode is still to be compared. */
    private static List<LoopDevice> devicesWith(Path file) throws KernelTrouble {
        List<LoopDevice> devices = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(SYSTEM, "loop*")) {
            Path name = file.toRealPath();
            for (Path entry : entries) {
                if (isAlike(name, backing(entry))) {
                    String number = entry.getFileName().toString().substring("loop".length());
                    devices.add(new LoopDevice(Integer.parseInt(number), numbers(entry), isReadOnly(entry)));
                }
            }
        } catch (IOException | NumberFormatException failed) {
            throw new KernelTrouble(
                    "the loop devices could not be listed: " + failed, Effect.NONE, Retry.SAME_CALL, failed);
        }
        return devices;
    }

    /**
     * Whether the last two names are the same. The rest says little: the kernel shows the path in the mount namespace
     * that the file was opened in, and once that is gone, as with a plugin's container, only what lies below the mount.
     * To ask each device instead would keep others' from going: it is open meanwhile.
     */
    static boolean isAlike(Path file, String backing) {
        Path shown = Path.of(backing);
        int names = Math.min(2, Math.min(shown.getNameCount(), file.getNameCount()));
        return shown.isAbsolute() && names > 0 && file.endsWith(last(shown, names));
    }

    private static Path last(Path path, int names) {
        return path.subpath(path.getNameCount() - names, path.getNameCount());
    }

    /** Empty for a device without a file, which has no such entry. */
    private static String backing(Path entry) {
        try {
            return Files.readString(entry.resolve("loop/backing_file")).stripTrailing();
        } catch (IOException detached) {
            return "";
        }
    }

    private static boolean isReadOnly(Path entry) throws IOException {
        return Files.readString(entry.resolve("ro")).strip().equals("1");
    }

    private static Mount.Device numbers(Path entry) throws KernelTrouble {
        try {
            String[] numbers = Files.readString(entry.resolve("dev")).strip().split(":", 2);
            return new Mount.Device(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
        } catch (IOException failed) {
            throw new KernelTrouble(
                    "the numbers of " + entry + " could not be read: " + failed,
                    Effect.UNKNOWN,
                    Retry.SAME_CALL,
                    failed);
        }
    }

    private static Optional<Status> status(LoopDevice device) throws KernelTrouble {
        int descriptor = open(device.path().toString(), Libc.O_RDONLY);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment status = arena.allocate(STATUS_SIZE, 8);
            int result = Libc.ioctl(descriptor, LOOP_GET_STATUS64, status);
            if (result == -Errno.ENXIO) {
                return Optional.empty();
            }
            if (result < 0) {
                throw failed("asking " + device + " for its file", result, Effect.NONE);
            }
            return Optional.of(new Status(
                    status.get(ValueLayout.JAVA_LONG, 0),
                    status.get(ValueLayout.JAVA_LONG, 8),
                    (status.get(ValueLayout.JAVA_INT, FLAGS_AT) & READ_ONLY) != 0));
        } finally {
            Libc.close(descriptor);
        }
    }

    private static boolean isOf(Identity identity, Status status) {
        return status.fileDevice() == identity.device() && status.fileInode() == identity.inode();
    }

    private static Identity identity(Path file) throws KernelTrouble {
        try {
            return new Identity(
                    (long) Files.getAttribute(file, "unix:dev"), (long) Files.getAttribute(file, "unix:ino"));
        } catch (IOException failed) {
            throw new KernelTrouble(
                    "the file of a loop device cannot be read: " + failed, Effect.NONE, Retry.AFTER_OBSERVING, failed);
        }
    }

    private int locked(Path file) throws KernelTrouble, InterruptedException {
        int descriptor = open(file.toString(), Libc.O_RDONLY);
        Deadline deadline = Deadline.in(time, LOCK_WAIT);
        boolean held = false;
        try {
            int result = Libc.flock(descriptor, Libc.LOCK_EX_NB);
            while (result < 0) {
                if ((result != -Errno.EAGAIN && result != -Errno.EINTR) || deadline.isExpired()) {
                    throw failed("locking " + file, result, Effect.NONE);
                }
                time.sleep(LOCK_PAUSE);
                result = Libc.flock(descriptor, Libc.LOCK_EX_NB);
            }
            held = true;
            return descriptor;
        } finally {
            if (!held) {
                Libc.close(descriptor);
            }
        }
    }

    private static void unlock(int descriptor) {
        Libc.flock(descriptor, Libc.LOCK_UN);
        Libc.close(descriptor);
    }

    private static int open(String path, int flags) throws KernelTrouble {
        int descriptor = Libc.blocking(() -> Libc.open(path, flags));
        if (descriptor < 0) {
            throw failed("opening " + path, descriptor, Effect.NONE);
        }
        return descriptor;
    }

    private static KernelTrouble failed(String what, int result, Effect effect) {
        return new KernelTrouble(what + " failed: " + Errno.text(-result), effect, Retry.SAME_CALL);
    }
}
