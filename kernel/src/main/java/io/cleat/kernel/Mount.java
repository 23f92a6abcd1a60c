package io.cleat.kernel;

import java.util.List;
import java.util.OptionalInt;

/**
 * One line of the mount table (proc_pid_mountinfo(5)).
 *
 * @param id the mount's id, unique while it is mounted
 * @param parent the id of the mount it lies on
 * @param device the file system's device; two bind mounts of one file system share it
 * @param root the directory of the file system that is seen at the target
 * @param target where it is mounted; ends in {@code //deleted} when that directory was removed
 * @param options the options of this mount, such as {@code ro}
 * @param fsType such as {@code ext4}
 * @param source such as {@code /dev/loop0}; for virtual file systems any word
 * @param superOptions the options of the file system
 */
public record Mount(
        int id,
        int parent,
        Device device,
        String root,
        String target,
        List<String> options,
        Propagation propagation,
        String fsType,
        String source,
        List<String> superOptions) {
    public Mount {
        options = List.copyOf(options);
        superOptions = List.copyOf(superOptions);
    }

    /** The numbers of a device. */
    public record Device(int major, int minor) {
        @Override
        public String toString() {
            return major + ":" + minor;
        }
    }

    /**
     * How mounts below this one spread.
     *
     * @param shared the peer group it belongs to
     * @param master the peer group it receives from
     */
    public record Propagation(OptionalInt shared, OptionalInt master, boolean unbindable) {
        public boolean isShared() {
            return shared.isPresent();
        }

        public boolean isSlave() {
            return master.isPresent();
        }

        /** Nothing spreads from here or to here. */
        public boolean isPrivate() {
            return shared.isEmpty() && master.isEmpty();
        }
    }

    /** Whether writing through this mount is refused, by its own options or the file system's. */
    public boolean isReadOnly() {
        return options.contains("ro") || superOptions.contains("ro");
    }
}
