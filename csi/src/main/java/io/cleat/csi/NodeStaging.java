package io.cleat.csi;

import io.cleat.base.Ordered;
import io.cleat.base.Secrets;
import java.util.Map;

/**
 * A volume to be staged on this node.
 *
 * @param stagingPath as the plugin sees it; the directory exists
 */
public record NodeStaging(
        String volumeId,
        PublishContext publishContext,
        String stagingPath,
        VolumeUse use,
        Secrets secrets,
        Map<String, String> volumeContext) {
    public NodeStaging {
        volumeContext = Ordered.copyOf(volumeContext);
    }
}
