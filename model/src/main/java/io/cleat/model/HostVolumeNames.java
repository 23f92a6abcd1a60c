package io.cleat.model;

import java.util.Optional;

/**
 * What host volumes are called where CSI volumes are called by plugin and id: as no CSI volume can be, since one of the
 * parts of an id of theirs is a dot.
 */
public final class HostVolumeNames {
    /** In the place of a CSI plugin's id. */
    public static final String PLUGIN = "./host";

    /** The plugin that each node has, which makes a directory. */
    public static final String MKDIR = "mkdir";

    private static final String BEFORE_PLUGIN = "plugins.host_volume.";
    private static final String AFTER_PLUGIN = ".version";
    private static final String BEFORE_ID = PLUGIN + "/";

    private HostVolumeNames() {}

    /** What claims of the volume with that id name. */
    public static VolumeId volume(String namespace, String id) {
        return new VolumeId(namespace, BEFORE_ID + id);
    }

    /** Whether a claim of that volume is of a host volume. */
    public static boolean isFor(VolumeId volume) {
        return volume.id().startsWith(BEFORE_ID);
    }

    /** The id of the host volume that a claim names. */
    public static String id(VolumeId volume) {
        return volume.id().substring(BEFORE_ID.length());
    }

    /** The attribute by which a node says that it has a plugin which makes host volumes. */
    public static String pluginAttribute(String pluginId) {
        return BEFORE_PLUGIN + pluginId + AFTER_PLUGIN;
    }

    /** The plugin that an attribute is about; empty if it is about none. */
    public static Optional<String> pluginOf(String attribute) {
        return attribute.startsWith(BEFORE_PLUGIN)
                        && attribute.endsWith(AFTER_PLUGIN)
                        && attribute.length() > BEFORE_PLUGIN.length() + AFTER_PLUGIN.length()
                ? Optional.of(attribute.substring(BEFORE_PLUGIN.length(), attribute.length() - AFTER_PLUGIN.length()))
                : Optional.empty();
    }
}
