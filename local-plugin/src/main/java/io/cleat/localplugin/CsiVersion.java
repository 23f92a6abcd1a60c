package io.cleat.localplugin;

import io.cleat.csi.v1.ControllerServiceCapability;
import io.cleat.csi.v1.NodeServiceCapability;
import io.cleat.csi.v1.PluginCapability;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A version of CSI: what it has is announced, and nothing later, for those that refuse what they do not know.
 *
 * @param minor of 1; 0 to 13
 */
record CsiVersion(int minor) {
    static final CsiVersion NEWEST = new CsiVersion(13);

    private static final Pattern WORDS = Pattern.compile("1\\.([0-9]|1[0-3])(\\.[0-9]{1,3})?");

    /** Of {@code 1.5} or {@code 1.5.0}; empty for what is no version that is known. */
    static Optional<CsiVersion> of(String text) {
        Matcher version = WORDS.matcher(text);
        return version.matches() ? Optional.of(new CsiVersion(Integer.parseInt(version.group(1)))) : Optional.empty();
    }

    boolean has(PluginCapability.Service.Type type) {
        return minor
                >= switch (type) {
                    case UNKNOWN, CONTROLLER_SERVICE, VOLUME_ACCESSIBILITY_CONSTRAINTS -> 0;
                    case GROUP_CONTROLLER_SERVICE -> 8;
                    default -> NEWEST.minor;
                };
    }

    /** Whether a plugin says how it expands volumes. */
    boolean hasExpansion() {
        return minor >= 1;
    }

    boolean has(ControllerServiceCapability.RPC.Type type) {
        return minor
                >= switch (type) {
                    case UNKNOWN,
                            CREATE_DELETE_VOLUME,
                            PUBLISH_UNPUBLISH_VOLUME,
                            PUBLISH_READONLY,
                            LIST_VOLUMES,
                            GET_CAPACITY,
                            CREATE_DELETE_SNAPSHOT,
                            LIST_SNAPSHOTS,
                            CLONE_VOLUME -> 0;
                    case EXPAND_VOLUME -> 1;
                    case LIST_VOLUMES_PUBLISHED_NODES -> 2;
                    case GET_VOLUME -> 3;
                    case SINGLE_NODE_MULTI_WRITER -> 5;
                    case MODIFY_VOLUME -> 9;
                    case GET_SNAPSHOT -> 12;
                    default -> NEWEST.minor;
                };
    }

    boolean has(NodeServiceCapability.RPC.Type type) {
        return minor
                >= switch (type) {
                    case UNKNOWN, STAGE_UNSTAGE_VOLUME, GET_VOLUME_STATS -> 0;
                    case EXPAND_VOLUME -> 1;
                    case SINGLE_NODE_MULTI_WRITER, VOLUME_MOUNT_GROUP -> 5;
                    default -> NEWEST.minor;
                };
    }
}
