package io.cleat.model;

import io.cleat.base.Ordered;
import java.util.List;
import java.util.Map;

/**
 * One volume in a plugin's own list, registered here or not.
 *
 * @param capacity bytes; 0 if the plugin does not say
 * @param publishedNodeIds the provider's ids of the nodes that it is attached to
 * @param abnormal whether the plugin says that something is wrong with it, and {@code condition} what
 */
public record ListedVolume(
        String externalId,
        long capacity,
        Map<String, String> context,
        List<String> publishedNodeIds,
        boolean abnormal,
        String condition) {
    public ListedVolume {
        context = Ordered.copyOf(context);
        publishedNodeIds = List.copyOf(publishedNodeIds);
    }
}
