package io.cleat.localplugin;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.kernel.LoopDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** A volume's mutable parameters (CSI, mutable_parameters): what they may be, and their effect. */
final class Settings {
    /** The mode of the volume's root directory, in octal. */
    static final String MODE = "mode";

    /** How much the kernel reads ahead from the volume's device, in KiB. */
    static final String READ_AHEAD = "read_ahead_kib";

    private static final int MOST_READ_AHEAD = 65536;
    private static final int OCTAL = 8;

    private Settings() {}

    /**
     * {@code given} as they are kept.
     *
     * @throws CallRefused naming all that a volume of {@code type} cannot have
     */
    static SortedMap<String, String> check(VolumeType type, Map<String, String> given) throws CallRefused {
        List<String> faults = new ArrayList<>();
        new TreeMap<>(given).forEach((key, value) -> {
            switch (key) {
                case MODE -> checkMode(type, value, faults);
                case READ_AHEAD -> checkReadAhead(type, value, faults);
                default -> faults.add("unknown mutable parameter " + key + "; known are: " + MODE + ", " + READ_AHEAD);
            }
        });
        if (!faults.isEmpty()) {
            throw CallRefused.invalid(String.join("; ", faults));
        }
        return new TreeMap<>(given);
    }

    private static void checkMode(VolumeType type, String value, List<String> faults) {
        if (type == VolumeType.BLOCK) {
            faults.add("mode is for a root directory, and a block volume has none");
        } else if (!value.matches("[0-3]?[0-7]{3}")) {
            faults.add("mode is '" + value + "'; expected octal digits such as 0770, without setuid");
        }
    }

    private static void checkReadAhead(VolumeType type, String value, List<String> faults) {
        if (!type.isImage()) {
            faults.add("read_ahead_kib is for a device, and a directory volume has none");
        } else if (!value.matches("[0-9]{1,5}") || Integer.parseInt(value) > MOST_READ_AHEAD) {
            faults.add("read_ahead_kib is '" + value + "'; expected a number from 0 to " + MOST_READ_AHEAD);
        }
    }

    /** Makes the mode that of {@code root}, a volume's root directory. */
    static void applyMode(Volume volume, Path root) throws DiskTrouble {
        String mode = volume.shape().settings().get(MODE);
        if (mode == null) {
            return;
        }
        try {
            Files.setAttribute(root, "unix:mode", Integer.parseInt(mode, OCTAL));
        } catch (IOException failed) {
            throw trouble("setting the mode of " + root, failed);
        }
    }

    static void applyReadAhead(Volume volume, LoopDevice loop) throws DiskTrouble {
        String kib = volume.shape().settings().get(READ_AHEAD);
        if (kib == null) {
            return;
        }
        Path queue = Path.of("/sys/block", "loop" + loop.number(), "queue/read_ahead_kb");
        try {
            Files.writeString(queue, kib);
        } catch (IOException failed) {
            throw trouble("writing " + queue, failed);
        }
    }

    private static DiskTrouble trouble(String what, IOException cause) {
        return new DiskTrouble(what + " failed: " + cause, Effect.NONE, Retry.SAME_CALL, cause);
    }
}
