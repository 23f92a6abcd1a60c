package io.cleat.agent.volumes;

import io.cleat.base.KernelTrouble;
import io.cleat.csi.v1.NodeExpandVolumeRequest;
import io.cleat.csi.v1.NodePublishVolumeRequest;
import io.cleat.csi.v1.NodeStageVolumeRequest;
import io.cleat.csi.v1.NodeUnpublishVolumeRequest;
import io.cleat.csi.v1.NodeUnstageVolumeRequest;
import io.cleat.kernel.Mounts;
import io.cleat.testkit.NodeEffects;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Does what another plugin does, and binds each target onto itself as well. What is mounted in a shared tree is shared,
 * whatever its source: so it doubles each time.
 */
final class SelfBinds implements NodeEffects {
    private final NodeEffects plugin;
    private volatile int times;

    SelfBinds(NodeEffects plugin) {
        this.plugin = plugin;
    }

    /** So often from now on. */
    void times(int each) {
        times = each;
    }

    @Override
    public void publish(NodePublishVolumeRequest request) throws IOException {
        plugin.publish(request);
        Path target = Path.of(request.getTargetPath());
        try {
            for (int i = 0; i < times; i++) {
                Mounts.linux().bind(target, target);
            }
        } catch (KernelTrouble trouble) {
            throw new IOException(trouble.reason(), trouble);
        }
    }

    @Override
    public void stage(NodeStageVolumeRequest request) throws IOException {
        plugin.stage(request);
    }

    @Override
    public void unstage(NodeUnstageVolumeRequest request) throws IOException {
        plugin.unstage(request);
    }

    @Override
    public void unpublish(NodeUnpublishVolumeRequest request) throws IOException {
        plugin.unpublish(request);
    }

    @Override
    public void expand(NodeExpandVolumeRequest request) throws IOException {
        plugin.expand(request);
    }
}
