package io.cleat.wire;

import io.cleat.base.Secrets;
import io.cleat.model.MountOptions;
import io.cleat.model.TopologyRequest;
import io.cleat.model.VolumeModes;
import java.util.List;
import java.util.Map;

/** A call of the CSI controller service that a server wants made through a node. */
public sealed interface ControllerCall {
    /**
     * CreateVolume.
     *
     * @param name the CSI name: the same name makes the same volume again
     */
    record Create(
            String name,
            long capacityMin,
            long capacityMax,
            List<VolumeModes> capabilities,
            MountOptions mountOptions,
            Map<String, String> parameters,
            Secrets secrets,
            TopologyRequest topologies)
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
    record Unpublish(String externalId, String externalNodeId, Secrets secrets)
            implements ControllerCall {}

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
}
