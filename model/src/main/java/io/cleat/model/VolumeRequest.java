package io.cleat.model;

import io.cleat.base.Since;
import org.jspecify.annotations.Nullable;

/**
 * A group's wish to use a volume.
 *
 * @param alias the name that volume mounts refer to
 * @param source the volume's id, in the job's namespace; of a host volume its name
 * @param perAlloc whether each allocation uses a volume of its own, named {@code source[index]}
 * @param host null for a CSI volume
 */
public record VolumeRequest(
        String alias,
        String source,
        boolean readOnly,
        VolumeModes modes,
        MountOptions mountOptions,
        boolean perAlloc,
        @Since(13) @Nullable HostRequest host) {
    /** One for a CSI volume. */
    public VolumeRequest(
            String alias,
            String source,
            boolean readOnly,
            VolumeModes modes,
            MountOptions mountOptions,
            boolean perAlloc) {
        this(alias, source, readOnly, modes, mountOptions, perAlloc, null);
    }

    /** Whether it is for a host volume; else it is for a CSI volume. */
    public boolean isForHost() {
        return host != null;
    }

    /** Whether an allocation that replaces another gets the same volume. */
    public boolean isSticky() {
        return host != null && host.sticky();
    }

    /** The id of the volume that the allocation with this name uses. */
    public String volumeFor(String allocName) {
        int bracket = allocName.lastIndexOf('[');
        return perAlloc && bracket >= 0 ? source + allocName.substring(bracket) : source;
    }

    /** Whether the CSI volume with this id is the one, or one of those, that it uses. */
    public boolean asksFor(String volume) {
        if (isForHost()) {
            return false;
        }
        return perAlloc ? volume.startsWith(source + "[") && volume.endsWith("]") : volume.equals(source);
    }
}
