package io.cleat.api;

import io.cleat.base.Secret;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a volume is mounted. Flags can hold secrets: they print redacted. */
public record CsiMountOptions(String FSType, @Nullable List<String> MountFlags) {
    /** What stands in an answer instead of the flags; sent back, it means "unchanged". */
    public static final List<String> REDACTED = List.of(Secret.REDACTED);

    /**
     * These options as an answer shows them: without the flags, though it is seen that some are
     * set.
     */
    public CsiMountOptions redacted() {
        return new CsiMountOptions(
                FSType, MountFlags == null || MountFlags.isEmpty() ? MountFlags : REDACTED);
    }

    @Override
    public String toString() {
        return "CsiMountOptions[FSType=" + FSType + ", MountFlags=" + redacted().MountFlags + "]";
    }
}
