package io.cleat.sim;

import io.cleat.csi.v1.CreateVolumeRequest;
import io.cleat.csi.v1.VolumeCapability.AccessMode.Mode;
import java.util.TreeSet;
import java.util.function.Predicate;

/** A volume of the provider. */
final class SimVolume {
    final String id;
    final int minor;
    final boolean isSingleWriter;
    final boolean isSingleNode;

    /** Ids of nodes. */
    final TreeSet<String> attachedTo = new TreeSet<>();

    /** Names of machines where its device is ready to be shown; a file system is mounted instead. */
    final TreeSet<String> readyOn = new TreeSet<>();

    /** Bytes of the device. */
    long size;

    /** Bytes of the file system on it. */
    long fileSystem;

    SimVolume(String id, int minor, CreateVolumeRequest request) {
        this.id = id;
        this.minor = minor;
        this.isSingleWriter = all(request, SimVolume::isSingleWriter);
        this.isSingleNode = all(request, SimVolume::isSingleNode);
        this.size = Math.max(1, request.getCapacityRange().getRequiredBytes());
        this.fileSystem = size;
    }

    private static boolean all(CreateVolumeRequest request, Predicate<Mode> what) {
        return request.getVolumeCapabilitiesList().stream()
                .allMatch(capability -> what.test(capability.getAccessMode().getMode()));
    }

    private static boolean isSingleWriter(Mode mode) {
        return mode == Mode.SINGLE_NODE_WRITER || mode == Mode.MULTI_NODE_SINGLE_WRITER;
    }

    private static boolean isSingleNode(Mode mode) {
        return mode == Mode.SINGLE_NODE_WRITER || mode == Mode.SINGLE_NODE_READER_ONLY;
    }
}
