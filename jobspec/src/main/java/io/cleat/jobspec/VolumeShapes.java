package io.cleat.jobspec;

import io.cleat.jobspec.Shape.Repeat;

/** What a volume file holds, and the blocks of a job file that speak of volumes. */
final class VolumeShapes {
    private static final Kind ACCESS_MODE = Kind.oneOf(
            "single-node-reader-only",
            "single-node-writer",
            "single-node-multi-writer",
            "multi-node-reader-only",
            "multi-node-single-writer",
            "multi-node-multi-writer");

    /** Also those of host volumes. */
    private static final Kind ANY_ACCESS_MODE = Kind.oneOf(
            "single-node-reader-only",
            "single-node-writer",
            "single-node-single-writer",
            "single-node-multi-writer",
            "multi-node-reader-only",
            "multi-node-single-writer",
            "multi-node-multi-writer");

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
                .block("mount_options", "MountOptions", Repeat.ONCE, mountOptions())
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
                .block("constraint", "Constraints", Repeat.LIST, JobShapes.constraint())
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

    private static Shape mountOptions() {
        return Shape.of("mount_options")
                .text("fs_type", "FSType")
                .texts("mount_flags", "MountFlags")
                .text("owner", "Owner")
                .text("group", "Group")
                .text("mode", "Mode");
    }

    /** The volume block of a group. */
    static Shape request() {
        return Shape.of("volume")
                .label("Name")
                .with("type", "Type", Kind.oneOf("csi", "host"))
                .text("source", "Source")
                .bool("read_only", "ReadOnly")
                .with("access_mode", "AccessMode", ANY_ACCESS_MODE)
                .with("attachment_mode", "AttachmentMode", ATTACHMENT_MODE)
                .block("mount_options", "MountOptions", Repeat.ONCE, mountOptions())
                .bool("per_alloc", "PerAlloc")
                .bool("sticky", "Sticky")
                .required("type", "source");
    }

    /** The volume_mount block of a task. */
    static Shape mount() {
        return Shape.of("volume_mount")
                .text("volume", "Volume")
                .text("destination", "Destination")
                .bool("read_only", "ReadOnly")
                .with("propagation_mode", "PropagationMode", Kind.oneOf("private", "host-to-task", "bidirectional"))
                .text("selinux_label", "SELinuxLabel")
                .required("volume", "destination");
    }
}
