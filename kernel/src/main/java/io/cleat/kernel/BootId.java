package io.cleat.kernel;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The id the kernel takes at each start of the machine. Process ids, mounts and loop devices of another boot id are
 * gone.
 */
public record BootId(String value) {
    private static final Path FILE = Path.of("/proc/sys/kernel/random/boot_id");

    public BootId {
        if (value.isBlank()) {
            throw new IllegalArgumentException("a boot id is not empty");
        }
    }

    /** That of the running kernel. */
    public static BootId read() throws KernelTrouble {
        try {
            return new BootId(Files.readString(FILE).strip());
        } catch (IOException failed) {
            throw new KernelTrouble("the boot id could not be read: " + failed, Effect.NONE, Retry.SAME_CALL, failed);
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
