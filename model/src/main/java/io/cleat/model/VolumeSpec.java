package io.cleat.model;

import io.cleat.base.Ordered;
import java.util.List;
import java.util.Map;

/**
 * What a user says of a volume, without its secrets, which travel beside it.
 *
 * @param externalId the provider's id; empty when the volume is yet to be created
 * @param capacityMin bytes; 0 for any
 * @param capacityMax bytes; 0 for any
 * @param context what the provider wants to hear again with each call
 */
public record VolumeSpec(
        VolumeId id,
        String name,
        String externalId,
        String pluginId,
        List<VolumeModes> capabilities,
        MountOptions mountOptions,
        long capacityMin,
        long capacityMax,
        Map<String, String> parameters,
        Map<String, String> context,
        TopologyRequest topologies,
        String snapshotId,
        String cloneId) {
    public VolumeSpec {
        capabilities = List.copyOf(capabilities);
        parameters = Ordered.copyOf(parameters);
        context = Ordered.copyOf(context);
    }

    /** Whether some claim may use it as a raw block device. */
    public boolean mayBeDevice() {
        return capabilities.stream().anyMatch(modes -> modes.attachment() == AttachmentMode.BLOCK_DEVICE);
    }

    /** This volume, as its provider made it. */
    public VolumeSpec made(String newExternalId, Map<String, String> newContext) {
        return new VolumeSpec(
                id,
                name,
                newExternalId,
                pluginId,
                capabilities,
                mountOptions,
                capacityMin,
                capacityMax,
                parameters,
                newContext,
                topologies,
                snapshotId,
                cloneId);
    }
}
