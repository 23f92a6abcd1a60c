package io.cleat.wire;

import io.cleat.base.Secrets;
import io.cleat.base.Since;
import io.cleat.model.HostVolumeSpec;
import io.cleat.model.MountOptions;
import io.cleat.model.Topology;
import io.cleat.model.TopologyRequest;
import io.cleat.model.VolumeModes;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A call of the CSI controller service that a server wants made through a node. */
public sealed interface ControllerCall {
    /**
     * CreateVolume.
     *
     * @param name the CSI name: the same name makes the same volume again
     * @param snapshotId the provider's id of the snapshot to make it from; empty for none
     * @param cloneId the provider's id of the volume to make it from; empty for none
     */
    record Create(
            String name,
            long capacityMin,
            long capacityMax,
            List<VolumeModes> capabilities,
            MountOptions mountOptions,
            Map<String, String> parameters,
            Secrets secrets,
            TopologyRequest topologies,
            String snapshotId,
            String cloneId)
            implements ControllerCall {}

    /** DeleteVolume. */
    record Delete(String externalId, Secrets secrets) implements ControllerCall {}

    /** ControllerPublishVolume: attach the volume to the node. */
    record Publish(
            String externalId,
            String externalNodeId,
            VolumeModes modes,
            MountOptions mountOptions,
            boolean readOnly,
            Map<String, String> context,
            Secrets secrets)
            implements ControllerCall {}

    /** ControllerUnpublishVolume: detach the volume from the node. */
    record Unpublish(String externalId, String externalNodeId, Secrets secrets) implements ControllerCall {}

    /** ValidateVolumeCapabilities, without mount options. */
    record Validate(
            String externalId,
            List<VolumeModes> capabilities,
            Map<String, String> parameters,
            Map<String, String> context,
            Secrets secrets)
            implements ControllerCall {}

    /**
     * ListVolumes.
     *
     * @param token of the plugin's own; empty for the start
     * @param most entries wanted; 0 for the plugin's choice
     */
    record ListVolumes(String token, int most) implements ControllerCall {}

    /**
     * ControllerExpandVolume.
     *
     * @param capacityMin bytes; the volume is at least as large afterwards
     * @param capacityMax bytes; 0 for no bound
     * @param modes those of its claims; null while nobody claims it
     */
    record Expand(
            String externalId,
            long capacityMin,
            long capacityMax,
            @Nullable VolumeModes modes,
            MountOptions mountOptions,
            Secrets secrets)
            implements ControllerCall {}

    /**
     * CreateSnapshot.
     *
     * @param name the CSI name: the same name of the same volume makes the same snapshot again
     */
    record CreateSnapshot(String sourceExternalId, String name, Map<String, String> parameters, Secrets secrets)
            implements ControllerCall {}

    /** DeleteSnapshot. */
    record DeleteSnapshot(String snapshotId, Secrets secrets) implements ControllerCall {}

    /**
     * ListSnapshots.
     *
     * @param token of the plugin's own; empty for the start
     * @param most entries wanted; 0 for the plugin's choice
     * @param sourceExternalId only those of this volume; empty for any
     * @param snapshotId only this one; empty for any
     */
    record ListSnapshots(String token, int most, String sourceExternalId, String snapshotId, Secrets secrets)
            implements ControllerCall {}

    /**
     * GetCapacity.
     *
     * @param capabilities the volumes that are meant; empty for any
     * @param from where they are to be reachable from; null for anywhere
     */
    record Capacity(
            List<VolumeModes> capabilities,
            MountOptions mountOptions,
            Map<String, String> parameters,
            @Nullable Topology from)
            implements ControllerCall {}

    /**
     * Of no plugin: a host volume is made on the node, or a directory of it is taken in.
     *
     * @param path of that directory; empty for one that is to be made
     */
    @Since(wire = 11)
    record MakeHostVolume(HostVolumeSpec spec, String path) implements ControllerCall {}

    /** Of no plugin: a host volume is deleted, or a directory that was taken in is let go. */
    @Since(wire = 11)
    record DeleteHostVolume(HostVolumeSpec spec) implements ControllerCall {}
}
