package io.cleat.api;

import io.cleat.base.Secret;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a volume is mounted. Flags can hold secrets: they print redacted. Of this program's own are {@code Owner},
 * {@code Group} and {@code Mode}: whose its topmost directory is to be, in decimal and octal numbers; empty for what
 * stays as it is.
 */
public record CsiMountOptions(
        String FSType,
        @Nullable List<String> MountFlags,
        @OmitEmpty String Group,
        @OmitEmpty String Mode,
        @OmitEmpty String Owner) {
    public CsiMountOptions(String fsType, @Nullable List<String> mountFlags) {
        this(fsType, mountFlags, "", "", "");
    }

    /** What stands in an answer instead of the flags; sent back, it means "unchanged". */
    public static final List<String> REDACTED = List.of(Secret.REDACTED);

    /** These options as an answer shows them: without the flags, though it is seen that some are set. */
    public CsiMountOptions redacted() {
        return new CsiMountOptions(
                FSType, MountFlags == null || MountFlags.isEmpty() ? MountFlags : REDACTED, Group, Mode, Owner);
    }

    @Override
    public String toString() {
        return "CsiMountOptions[FSType="
                + FSType
                + ", MountFlags="
                + redacted().MountFlags
                + ", Owner="
                + Owner
                + ", Group="
                + Group
                + ", Mode="
                + Mode
                + "]";
    }
}
