package io.cleat.agent.volumes;

import io.cleat.csi.NodeClient;
import java.nio.file.Path;

/**
 * The instance of a plugin that makes node calls now.
 *
 * @param allocId the allocation that it is
 * @param stages whether it announced STAGE_UNSTAGE_VOLUME
 * @param hostRoot below which its volumes are staged and published on the host: a directory of the
 *     volume root, the same for every instance of the plugin
 * @param pluginRoot the same directory as the plugin sees it; equal to {@code hostRoot} when its
 *     driver does not isolate files
 */
public record NodePlugin(
        String allocId, NodeClient client, boolean stages, Path hostRoot, Path pluginRoot) {}
