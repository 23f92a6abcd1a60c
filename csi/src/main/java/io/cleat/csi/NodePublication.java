package io.cleat.csi;

import io.cleat.base.Ordered;
import io.cleat.base.Secrets;
import java.util.Map;

/**
 * A volume to be published at a path of this node.
 *
 * @param stagingPath as sent when it was staged; empty for a plugin that does not stage
 * @param targetPath as the plugin sees it; its parent exists, the plugin makes the path itself
 */
public record NodePublication(
        String volumeId,
        PublishContext publishContext,
        String stagingPath,
        String targetPath,
        VolumeUse use,
        boolean readOnly,
        Secrets secrets,
        Map<String, String> volumeContext) {
    public NodePublication {
        volumeContext = Ordered.copyOf(volumeContext);
    }
}
