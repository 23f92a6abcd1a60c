package io.cleat.kernel;

import io.cleat.base.KernelTrouble;
import io.cleat.base.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The port for loop devices: files seen as block devices. Each file has at most one of ours. */
public interface LoopDevices {
    /**
     * The device of {@code file}, attached now unless it was. Two attachers of one file, in one process or in two, get
     * the same device. It stays until {@link #detach}.
     *
     * @throws KernelTrouble also when it is attached already with the other value of {@code readOnly}
     */
    LoopDevice attach(Path file, boolean readOnly) throws KernelTrouble, InterruptedException;

    /** The device that has this very file behind it (same device and inode), if any. */
    Optional<LoopDevice> find(Path file) throws KernelTrouble;

    /**
     * Takes the device of {@code file} away.
     *
     * @return false when there was none
     * @throws KernelTrouble with no effect while it is mounted anywhere in this namespace
     */
    boolean detach(Path file) throws KernelTrouble, InterruptedException;

    /** Makes the device of {@code file} as big as the file is now; nothing happens when there is none. */
    void resize(Path file) throws KernelTrouble;

    /**
     * The loop devices of this machine. Detaching waits 2 s for the device's other users: programs that look through
     * all devices (udev, blkid, btrfs) hold each for a moment.
     */
    static LoopDevices linux(Time time) {
        return linux(time, Duration.ofSeconds(2));
    }

    /**
     * The loop devices of this machine.
     *
     * @param patience how long detaching waits until the device's other users have closed it
     */
    static LoopDevices linux(Time time, Duration patience) {
        return new LinuxLoopDevices(time, patience);
    }
}
