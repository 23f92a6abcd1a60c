package io.cleat.model;

import io.cleat.base.Secret;
import java.util.List;

/**
 * How a file system is mounted. Flags may hold credentials, so they never print.
 *
 * @param fsType the file system, or empty for the plugin's own choice
 */
public record MountOptions(String fsType, List<String> flags) {
    public static final MountOptions NONE = new MountOptions("", List.of());

    public MountOptions {
        flags = List.copyOf(flags);
    }

    /** These options with what {@code over} says laid on top. */
    public MountOptions overlaidBy(MountOptions over) {
        return new MountOptions(
                over.fsType.isEmpty() ? fsType : over.fsType,
                over.flags.isEmpty() ? flags : over.flags);
    }

    @Override
    public String toString() {
        return "MountOptions[fsType="
                + fsType
                + ", flags="
                + (flags.isEmpty() ? "none" : Secret.REDACTED)
                + "]";
    }
}
