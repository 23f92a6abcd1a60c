package io.cleat.wire;

import io.cleat.base.Secrets;
import io.cleat.model.Topology;
import java.util.List;
import java.util.Map;

/** What a controller plugin answered. */
public sealed interface ControllerReply {
    /**
     * @param capacity bytes; 0 if the plugin does not say
     */
    record Created(
            String externalId,
            long capacity,
            Map<String, String> context,
            List<Topology> accessibleFrom)
            implements ControllerReply {}

    /** The volume is deleted, or there was none. */
    record Deleted() implements ControllerReply {}

    record Published(Secrets publishContext) implements ControllerReply {}

    /** The volume is detached, or the plugin knows neither it nor the node. */
    record Unpublished() implements ControllerReply {}

    /** The capabilities are confirmed. */
    record Confirmed() implements ControllerReply {}

    /** The plugin says no to the capabilities, and why. */
    record NotConfirmed(String message) implements ControllerReply {}

    record Listed(List<Entry> entries, String nextToken) implements ControllerReply {}

    /** One volume of {@link Listed}. */
    record Entry(
            String externalId,
            long capacity,
            Map<String, String> context,
            List<String> publishedNodeIds,
            boolean abnormal,
            String condition) {}
}
