package io.cleat.wire;

import io.cleat.base.Secrets;
import io.cleat.base.Since;
import io.cleat.model.ListedSnapshot;
import io.cleat.model.ListedVolume;
import io.cleat.model.Topology;
import java.util.List;
import java.util.Map;

/** What a controller plugin answered. */
public sealed interface ControllerReply {
    /** @param capacity bytes; 0 if the plugin does not say */
    record Created(String externalId, long capacity, Map<String, String> context, List<Topology> accessibleFrom)
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

    record Listed(List<ListedVolume> entries, String nextToken) implements ControllerReply {}

    /**
     * @param capacity bytes
     * @param nodeExpansionRequired whether nodes are to expand it as well: see {@link ToNode.Grant#expandTo}
     */
    record Expanded(long capacity, boolean nodeExpansionRequired) implements ControllerReply {}

    record SnapshotCreated(ListedSnapshot snapshot) implements ControllerReply {}

    /** The snapshot is deleted, or there was none. */
    record SnapshotDeleted() implements ControllerReply {}

    record SnapshotsListed(List<ListedSnapshot> snapshots, String nextToken) implements ControllerReply {}

    /**
     * Room at the provider, in bytes.
     *
     * @param largestVolume 0 if the plugin does not say
     * @param smallestVolume 0 if the plugin does not say
     */
    record Room(long available, long largestVolume, long smallestVolume) implements ControllerReply {}

    /**
     * A host volume is there.
     *
     * @param path where
     * @param capacity bytes; 0 if its plugin does not say
     */
    @Since(wire = 11)
    record HostVolumeMade(String path, long capacity) implements ControllerReply {}

    /** The host volume is deleted, or there was none. */
    @Since(wire = 11)
    record HostVolumeDeleted() implements ControllerReply {}
}
