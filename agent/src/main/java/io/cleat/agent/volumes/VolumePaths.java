package io.cleat.agent.volumes;

import io.cleat.kernel.TextPath;
import io.cleat.model.VolumeId;
import java.nio.file.Path;
import java.util.Objects;

/** Where volumes are below a plugin's root, on the host's side or the plugin's. */
public final class VolumePaths {
    static final String STAGING = "staging";
    static final String PER_ALLOC = "per-alloc";

    private VolumePaths() {}

    static Path staging(Path pluginRoot, VolumeId volume) {
        return pluginRoot.resolve(STAGING).resolve(encoded(volume.namespace())).resolve(encoded(volume.id()));
    }

    static Path target(Path pluginRoot, GrantedClaim claim) {
        return targets(pluginRoot, claim.allocId())
                .resolve(encoded(claim.volume().id()))
                .resolve(claim.modes().usage(claim.readOnly()));
    }

    /** Below which all targets of an allocation are. */
    static Path targets(Path pluginRoot, String allocId) {
        return pluginRoot.resolve(PER_ALLOC).resolve(encoded(allocId));
    }

    /** The plugin's root that a staging path was made below. */
    static Path rootOfStaging(Path staging) {
        return up(staging, 3);
    }

    /** The plugin's root that a target was made below. */
    static Path rootOfTarget(Path target) {
        return up(target, 4);
    }

    private static Path up(Path path, int levels) {
        Path at = path;
        for (int i = 0; i < levels; i++) {
            at = Objects.requireNonNull(at.getParent());
        }
        return at;
    }

    /**
     * An id as one name in a path ({@link TextPath#encoded}), other than {@code plugins}, which holds the plugins'
     * sockets beside their volumes.
     */
    public static String encoded(String id) {
        return id.equals("plugins") ? TextPath.encoded(id, true) : TextPath.encoded(id);
    }
}
