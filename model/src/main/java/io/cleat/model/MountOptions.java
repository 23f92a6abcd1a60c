package io.cleat.model;

import io.cleat.base.Secret;
import io.cleat.base.Since;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a file system is mounted. Flags may hold credentials, so they never print.
 *
 * @param fsType the file system, or empty for the plugin's own choice
 * @param noFlags whether it was said that there are to be no flags; if not, none in {@code flags} means that nothing
 *     was said of them
 * @param ownership whose its topmost directory is to be; null if nothing was said of it
 */
public record MountOptions(
        String fsType,
        List<String> flags,
        boolean noFlags,
        @Since(10) @Nullable Ownership ownership) {
    public static final MountOptions NONE = new MountOptions("", List.of());

    public MountOptions {
        flags = List.copyOf(flags);
        ownership = ownership == null || ownership.isSilent() ? null : ownership;
    }

    public MountOptions(String fsType, List<String> flags) {
        this(fsType, flags, false);
    }

    public MountOptions(String fsType, List<String> flags, boolean noFlags) {
        this(fsType, flags, noFlags, null);
    }

    /** These options with what {@code over} says laid on top. */
    public MountOptions overlaidBy(MountOptions over) {
        boolean said = over.noFlags || !over.flags.isEmpty();
        return new MountOptions(
                over.fsType.isEmpty() ? fsType : over.fsType,
                said ? over.flags : flags,
                said ? over.noFlags : noFlags,
                over.ownership == null ? ownership : over.ownership.over(ownership));
    }

    /** The group that a plugin which mounts for one is told; empty if nothing was said of it. */
    public String mountGroup() {
        return ownership == null || ownership.gid() == null
                ? ""
                : ownership.gid().toString();
    }

    @Override
    public String toString() {
        return "MountOptions[fsType="
                + fsType
                + ", flags="
                + (flags.isEmpty() ? "none" : Secret.REDACTED)
                + (ownership == null ? "" : ", " + ownership.words())
                + "]";
    }
}
