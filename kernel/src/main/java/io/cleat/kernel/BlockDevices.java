package io.cleat.kernel;

import io.cleat.base.KernelTrouble;
import java.nio.file.Path;
import java.util.Optional;

/** The port for what the kernel knows of block devices. Opens none of them, so it never hangs. */
@FunctionalInterface
public interface BlockDevices {
    /** The device of that number; empty if the machine has none. */
    Optional<BlockDevice> find(Mount.Device number) throws KernelTrouble;

    /** The devices of this machine, as sysfs shows them. */
    static BlockDevices linux() {
        return new LinuxBlockDevices(Path.of("/sys/dev/block"));
    }
}
