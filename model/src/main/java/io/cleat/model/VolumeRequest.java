package io.cleat.model;

/**
 * A group's wish to use a CSI volume.
 *
 * @param alias the name that volume mounts refer to
 * @param source the volume's id, in the job's namespace
 * @param perAlloc whether each allocation uses a volume of its own, named {@code source[index]}
 */
public record VolumeRequest(
        String alias,
        String source,
        boolean readOnly,
        VolumeModes modes,
        MountOptions mountOptions,
        boolean perAlloc) {
    /** The id of the volume that the allocation with this name uses. */
    public String volumeFor(String allocName) {
        int bracket = allocName.lastIndexOf('[');
        return perAlloc && bracket >= 0 ? source + allocName.substring(bracket) : source;
    }

    /** Whether the volume with this id is the one, or one of those, that it uses. */
    public boolean asksFor(String volume) {
        return perAlloc
                ? volume.startsWith(source + "[") && volume.endsWith("]")
                : volume.equals(source);
    }
}
