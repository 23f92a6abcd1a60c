package io.cleat.csi;

import io.cleat.csi.v1.NodeExpandVolumeResponse;
import io.cleat.csi.v1.NodeGetInfoResponse;
import io.cleat.csi.v1.NodeGetVolumeStatsResponse;
import io.cleat.csi.v1.VolumeUsage;
import java.util.Optional;
import java.util.OptionalLong;

/** Checks of what node services answer. */
final class NodeReplies {
    private NodeReplies() {}

    static NodeIdentity identity(NodeGetInfoResponse reply) throws BadReply {
        long max = Replies.size("max_volumes_per_node", reply.getMaxVolumesPerNode());
        return new NodeIdentity(
                Replies.id("node_id", reply.getNodeId()),
                max == 0 ? Long.MAX_VALUE : max,
                reply.hasAccessibleTopology()
                        ? Optional.of(Wire.topology(reply.getAccessibleTopology()))
                        : Optional.empty());
    }

    /** Not compared with what was asked: some plugins tell the size of the file system. */
    static OptionalLong expanded(NodeExpandVolumeResponse reply) throws BadReply {
        long bytes = Replies.size("capacity_bytes", reply.getCapacityBytes());
        return bytes == 0 ? OptionalLong.empty() : OptionalLong.of(bytes);
    }

    /** Units of a later version are left out. */
    static VolumeStats stats(NodeGetVolumeStatsResponse reply) throws BadReply {
        return new VolumeStats(
                usage(reply, VolumeUsage.Unit.BYTES), usage(reply, VolumeUsage.Unit.INODES), OldCondition.read(reply));
    }

    private static Optional<VolumeStats.Usage> usage(NodeGetVolumeStatsResponse reply, VolumeUsage.Unit unit)
            throws BadReply {
        Optional<VolumeStats.Usage> found = Optional.empty();
        for (VolumeUsage usage : reply.getUsageList()) {
            if (usage.getUnit() == VolumeUsage.Unit.UNKNOWN) {
                throw new BadReply("has a usage without unit");
            }
            if (usage.getUnit() == unit) {
                if (found.isPresent()) {
                    throw new BadReply("has two usages in " + unit);
                }
                found = Optional.of(new VolumeStats.Usage(
                        Replies.size("available", usage.getAvailable()),
                        Replies.size("total", usage.getTotal()),
                        Replies.size("used", usage.getUsed())));
            }
        }
        return found;
    }
}
