package io.cleat.jobspec;

import io.cleat.api.PlacementBlocks;
import io.cleat.api.VolumeBlocks;
import io.cleat.jobspec.Shape.Repeat;

/** What a volume file holds. */
final class VolumeShapes {
    private static final Kind ACCESS_MODE = Kind.oneOf(
            "single-node-reader-only",
            "single-node-writer",
            "single-node-multi-writer",
            "multi-node-reader-only",
            "multi-node-single-writer",
            "multi-node-multi-writer");

    /** Also those of host volumes. */
    private static final Kind ANY_ACCESS_MODE = Kind.oneOf(VolumeBlocks.ACCESS_MODES);

    private static final Kind ATTACHMENT_MODE = Kind.oneOf("file-system", "block-device");

    private VolumeShapes() {}

    /** A CSI volume as it is created or registered. */
    static Shape csi() {
        return Shape.of("volume")
                .text("id", "ID")
                .text("name", "Name")
                .text("namespace", "Namespace")
                .text("plugin_id", "PluginID")
                .text("external_id", "ExternalID")
                .text("snapshot_id", "SnapshotID")
                .text("clone_id", "CloneID")
                .with("capacity_min", "RequestedCapacityMin", Kind.size())
                .with("capacity_max", "RequestedCapacityMax", Kind.size())
                .block("capability", "RequestedCapabilities", Repeat.LIST, capability())
                .block("mount_options", "MountOptions", Repeat.ONCE, JobShapes.shape(VolumeBlocks.MOUNT_OPTIONS))
                .block("topology_request", "RequestedTopologies", Repeat.ONCE, topologyRequest())
                .map("secrets", "Secrets")
                .map("parameters", "Parameters")
                .map("context", "Context")
                .required("id", "plugin_id", "capability");
    }

    /** A host volume as it is created or registered. */
    static Shape host() {
        return Shape.of("volume")
                .text("id", "ID")
                .text("name", "Name")
                .text("namespace", "Namespace")
                .text("plugin_id", "PluginID")
                .text("node_id", "NodeID")
                .text("node_pool", "NodePool")
                .text("host_path", "HostPath")
                .with("capacity", "CapacityBytes", Kind.size())
                .with("capacity_min", "RequestedCapacityMinBytes", Kind.size())
                .with("capacity_max", "RequestedCapacityMaxBytes", Kind.size())
                .block("capability", "RequestedCapabilities", Repeat.LIST, hostCapability())
                .block("constraint", "Constraints", Repeat.LIST, JobShapes.shape(PlacementBlocks.CONSTRAINT))
                .map("parameters", "Parameters")
                .required("name");
    }

    private static Shape hostCapability() {
        return Shape.of("capability")
                .with("access_mode", "AccessMode", ANY_ACCESS_MODE)
                .with("attachment_mode", "AttachmentMode", ATTACHMENT_MODE)
                .required("access_mode");
    }

    private static Shape capability() {
        return Shape.of("capability")
                .with("access_mode", "AccessMode", ACCESS_MODE)
                .with("attachment_mode", "AttachmentMode", ATTACHMENT_MODE)
                .required("access_mode", "attachment_mode");
    }

    private static Shape topologyRequest() {
        return Shape.of("topology_request")
                .block("required", "Required", Repeat.ONCE, topologies("required"))
                .block("preferred", "Preferred", Repeat.ONCE, topologies("preferred"));
    }

    /** In JSON the list stands directly under the name. */
    private static Shape topologies(String name) {
        Shape topology = Shape.of("topology").map("segments", "Segments").required("segments");
        return Shape.of(name)
                .block("topology", Shape.UNWRAPPED, Repeat.LIST, topology)
                .required("topology");
    }
}
