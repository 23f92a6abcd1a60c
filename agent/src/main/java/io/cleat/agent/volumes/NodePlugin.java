package io.cleat.agent.volumes;

import io.cleat.csi.NodeClient;
import io.cleat.model.MountLoss;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The instance of a plugin that makes node calls now.
 *
 * @param allocId the allocation that it is
 * @param stages whether it announced STAGE_UNSTAGE_VOLUME
 * @param mountsForGroup whether it announced VOLUME_MOUNT_GROUP
 * @param hostRoot below which its volumes are staged and published on the host: a directory of the volume root, the
 *     same for every instance of the plugin
 * @param pluginRoot the same directory as the plugin sees it; equal to {@code hostRoot} when its driver does not
 *     isolate files
 * @param nodeId what the provider calls this node
 * @param onMountLoss what is done about mounts that die with the plugin; null if they outlive it
 */
public record NodePlugin(
        String allocId,
        NodeClient client,
        boolean stages,
        boolean mountsForGroup,
        Path hostRoot,
        Path pluginRoot,
        String nodeId,
        @Nullable MountLoss onMountLoss) {}
