package io.cleat.agent.plugins;

import io.cleat.csi.AccessMode;
import io.cleat.csi.AccessType;
import io.cleat.csi.MountFlags;
import io.cleat.csi.Topology;
import io.cleat.csi.VolumeUse;
import io.cleat.model.AttachmentMode;
import io.cleat.model.MountOptions;
import io.cleat.model.VolumeModes;
import java.util.List;

/** The model's words in those of the CSI client. */
public final class CsiTypes {
    private CsiTypes() {}

    /** The capability that a volume is used with. */
    public static VolumeUse use(VolumeModes modes, MountOptions options) {
        AccessType type = modes.attachment() == AttachmentMode.BLOCK_DEVICE
                ? AccessType.BLOCK
                : AccessType.mount(options.fsType(), MountFlags.of(options.flags()));
        return new VolumeUse(
                type,
                switch (modes.access()) {
                    case SINGLE_NODE_WRITER -> AccessMode.SINGLE_NODE_WRITER;
                    case SINGLE_NODE_READER_ONLY -> AccessMode.SINGLE_NODE_READER_ONLY;
                    case MULTI_NODE_READER_ONLY -> AccessMode.MULTI_NODE_READER_ONLY;
                    case MULTI_NODE_SINGLE_WRITER -> AccessMode.MULTI_NODE_SINGLE_WRITER;
                    case MULTI_NODE_MULTI_WRITER -> AccessMode.MULTI_NODE_MULTI_WRITER;
                    case SINGLE_NODE_MULTI_WRITER -> AccessMode.SINGLE_NODE_MULTI_WRITER;
                    case SINGLE_NODE_SINGLE_WRITER -> AccessMode.SINGLE_NODE_SINGLE_WRITER;
                });
    }

    static List<VolumeUse> uses(List<VolumeModes> modes, MountOptions options) {
        return modes.stream().map(each -> use(each, options)).toList();
    }

    static List<Topology> topologies(List<io.cleat.model.Topology> topologies) {
        return topologies.stream().map(each -> Topology.of(each.segments())).toList();
    }
}
