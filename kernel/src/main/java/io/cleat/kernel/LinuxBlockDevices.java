package io.cleat.kernel;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** Block devices by sysfs (sysfs-block): {@code MAJOR:MINOR/ro} and {@code MAJOR:MINOR/size}. */
record LinuxBlockDevices(Path devices) implements BlockDevices {
    /** The unit of {@code size}, whatever sectors the device has. */
    private static final long SECTOR = 512;

    @Override
    public Optional<BlockDevice> find(Mount.Device number) throws KernelTrouble {
        Path device = devices.resolve(number.toString());
        try {
            return Optional.of(new BlockDevice(
                    text(device.resolve("ro")).equals("1"), SECTOR * Long.parseLong(text(device.resolve("size")))));
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        } catch (IOException | NumberFormatException failed) {
            throw new KernelTrouble(
                    "what the kernel says of the block device " + number + " could not be read: " + failed,
                    Effect.NONE,
                    Retry.SAME_CALL,
                    failed);
        }
    }

    private static String text(Path file) throws IOException {
        return Files.readString(file).strip();
    }
}
