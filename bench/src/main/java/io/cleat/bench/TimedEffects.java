package io.cleat.bench;

import io.cleat.csi.v1.NodePublishVolumeRequest;
import io.cleat.csi.v1.NodeStageVolumeRequest;
import io.cleat.csi.v1.NodeUnpublishVolumeRequest;
import io.cleat.csi.v1.NodeUnstageVolumeRequest;
import io.cleat.testkit.NodeEffects;
import java.io.IOException;
import java.util.concurrent.ConcurrentHashMap;

/** What a plugin does, and how long it took to stage and publish each volume. */
final class TimedEffects implements NodeEffects {
    private final NodeEffects effects;
    private final ConcurrentHashMap<String, Long> nanos = new ConcurrentHashMap<>();

    TimedEffects(NodeEffects effects) {
        this.effects = effects;
    }

    /** Nanoseconds spent on a volume so far. */
    long nanos(String volumeId) {
        return nanos.getOrDefault(volumeId, 0L);
    }

    private void add(String volumeId, long begin) {
        nanos.merge(volumeId, System.nanoTime() - begin, Long::sum);
    }

    @Override
    public void stage(NodeStageVolumeRequest request) throws IOException {
        long begin = System.nanoTime();
        effects.stage(request);
        add(request.getVolumeId(), begin);
    }

    @Override
    public void publish(NodePublishVolumeRequest request) throws IOException {
        long begin = System.nanoTime();
        effects.publish(request);
        add(request.getVolumeId(), begin);
    }

    @Override
    public void unpublish(NodeUnpublishVolumeRequest request) throws IOException {
        effects.unpublish(request);
    }

    @Override
    public void unstage(NodeUnstageVolumeRequest request) throws IOException {
        effects.unstage(request);
    }
}
