package io.cleat.csi;

import io.cleat.base.Ordered;
import io.cleat.base.Secrets;
import java.util.Map;

/**
 * A volume to be attached to a node.
 *
 * @param nodeId the provider's name of the node
 * @param readOnly true only for a controller with PUBLISH_READONLY
 */
public record ControllerPublication(
        String volumeId,
        String nodeId,
        VolumeUse use,
        boolean readOnly,
        Secrets secrets,
        Map<String, String> volumeContext) {
    public ControllerPublication {
        volumeContext = Ordered.copyOf(volumeContext);
    }
}
