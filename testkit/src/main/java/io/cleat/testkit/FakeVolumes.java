package io.cleat.testkit;

import io.cleat.csi.v1.CapacityRange;
import io.cleat.csi.v1.CreateVolumeRequest;
import io.cleat.csi.v1.NodeExpandVolumeRequest;
import io.cleat.csi.v1.NodePublishVolumeRequest;
import io.cleat.csi.v1.NodeStageVolumeRequest;
import io.cleat.csi.v1.NodeUnpublishVolumeRequest;
import io.cleat.csi.v1.NodeUnstageVolumeRequest;
import io.cleat.csi.v1.Volume;
import io.cleat.csi.v1.VolumeCapability;
import io.grpc.Status;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What the fake plugin remembers: volumes, and where each is attached, staged and published. It survives the fake's
 * crash and restart, as storage does. Guarded by {@code lock}, which real effects on this machine run under: the fake
 * does one thing at a time.
 */
final class FakeVolumes {
    private final ReentrantLock lock = new ReentrantLock();
    private final TreeMap<String, Volume> byId = new TreeMap<>();
    private final TreeMap<String, TreeSet<String>> attachedTo = new TreeMap<>();
    private final TreeMap<String, Placed> staged = new TreeMap<>();
    private final TreeMap<String, Placed> published = new TreeMap<>();
    private final TreeMap<String, Long> expanded = new TreeMap<>();
    private final TreeMap<String, TreeMap<String, String>> modified = new TreeMap<>();

    /** A volume at a path, as it was asked for. */
    private record Placed(String volumeId, String stagingPath, VolumeCapability capability) {}

    /** Something that runs with the lock held. */
    private interface Locked<T> {
        T run();
    }

    private <T> T locked(Locked<T> body) {
        lock.lock();
        try {
            return body.run();
        } finally {
            lock.unlock();
        }
    }

    private void change(Runnable body) {
        lock.lock();
        try {
            body.run();
        } finally {
            lock.unlock();
        }
    }

    static Volume imagined(CreateVolumeRequest request) {
        long required = request.getCapacityRange().getRequiredBytes();
        Volume.Builder volume = Volume.newBuilder()
                .setVolumeId("ext-" + request.getName())
                .setCapacityBytes(required == 0 ? 1 << 20 : required)
                .putVolumeContext("name", request.getName());
        if (request.hasVolumeContentSource()) {
            volume.setContentSource(request.getVolumeContentSource());
        }
        return volume.build();
    }

    Volume create(CreateVolumeRequest request, long capacity) {
        demand(!request.getName().isEmpty(), "no name");
        demand(request.getVolumeCapabilitiesCount() > 0, "no capabilities");
        long limit = request.getCapacityRange().getLimitBytes();
        Volume wanted = imagined(request);
        return locked(() -> {
            Volume there = byId.get(wanted.getVolumeId());
            if (there != null) {
                long has = there.getCapacityBytes();
                if (has < request.getCapacityRange().getRequiredBytes() || (limit > 0 && has > limit)) {
                    throw refusal(Status.ALREADY_EXISTS, "has another size");
                }
                return there;
            }
            long used =
                    byId.values().stream().mapToLong(Volume::getCapacityBytes).sum();
            if (wanted.getCapacityBytes() > capacity - used) {
                throw refusal(Status.OUT_OF_RANGE, "no room");
            }
            byId.put(wanted.getVolumeId(), wanted);
            return wanted;
        });
    }

    /** At least as large as required; the size it has then. */
    long expand(String volumeId, CapacityRange range, long capacity) {
        return locked(() -> {
            Volume there = known(volumeId);
            long bytes = Math.max(there.getCapacityBytes(), range.getRequiredBytes());
            if (bytes > capacity || (range.getLimitBytes() > 0 && bytes > range.getLimitBytes())) {
                throw refusal(Status.OUT_OF_RANGE, "no room");
            }
            byId.put(volumeId, there.toBuilder().setCapacityBytes(bytes).build());
            return bytes;
        });
    }

    void modify(String volumeId, Map<String, String> parameters) {
        demand(!parameters.isEmpty(), "no parameters");
        change(() -> {
            known(volumeId);
            modified.computeIfAbsent(volumeId, id -> new TreeMap<>()).putAll(parameters);
        });
    }

    SequencedMap<String, String> modified(String volumeId) {
        return locked(() -> new TreeMap<>(modified.getOrDefault(volumeId, new TreeMap<>())));
    }

    /** The size of what is at a path; the path is one that was staged or published. */
    long sizeAt(String volumeId, String path) {
        return locked(() -> {
            Volume there = known(volumeId);
            if (!isAt(staged, volumeId, path) && !isAt(published, volumeId, path)) {
                throw refusal(Status.NOT_FOUND, "nothing at " + path);
            }
            return there.getCapacityBytes();
        });
    }

    private static boolean isAt(Map<String, Placed> places, String volumeId, String path) {
        Placed placed = places.get(path);
        return placed != null && placed.volumeId().equals(volumeId);
    }

    long expandAt(NodeExpandVolumeRequest request, NodeEffects effects) {
        long bytes = sizeAt(request.getVolumeId(), request.getVolumePath());
        change(() -> {
            doOnMachine(() -> effects.expand(request));
            expanded.put(request.getVolumePath(), bytes);
        });
        return bytes;
    }

    SequencedMap<String, Long> expandedPaths() {
        return locked(() -> new TreeMap<>(expanded));
    }

    void add(Volume volume) {
        change(() -> byId.put(volume.getVolumeId(), volume));
    }

    void delete(String volumeId) {
        demand(!volumeId.isEmpty(), "no volume id");
        change(() -> {
            boolean used = attachedTo.containsKey(volumeId) || inUse(staged, volumeId) || inUse(published, volumeId);
            if (used) {
                throw refusal(Status.FAILED_PRECONDITION, "in use");
            }
            byId.remove(volumeId);
        });
    }

    void attach(String volumeId, String nodeId) {
        change(() -> {
            known(volumeId);
            demand(!nodeId.isEmpty(), "no node id");
            attachedTo.computeIfAbsent(volumeId, id -> new TreeSet<>()).add(nodeId);
        });
    }

    void detach(String volumeId, String nodeId) {
        change(() -> {
            known(volumeId);
            attachedTo.computeIfPresent(volumeId, (id, nodes) -> {
                if (nodeId.isEmpty()) {
                    return null;
                }
                nodes.remove(nodeId);
                return nodes.isEmpty() ? null : nodes;
            });
        });
    }

    /** Takes what is not mounted any more for what was never asked for. */
    void forget(String path) {
        change(() -> {
            staged.remove(path);
            published.remove(path);
        });
    }

    /** Takes what is on the machine for what was asked of the plugin before it started. */
    void adopt(String volumeId, String stagingPath, List<String> targets) {
        change(() -> {
            VolumeCapability any = VolumeCapability.getDefaultInstance();
            staged.put(stagingPath, new Placed(volumeId, "", any));
            for (String target : targets) {
                published.put(target, new Placed(volumeId, stagingPath, any));
            }
        });
    }

    void stage(NodeStageVolumeRequest request, NodeEffects effects) {
        String path = request.getStagingTargetPath();
        Placed wanted = new Placed(request.getVolumeId(), "", request.getVolumeCapability());
        demand(!path.isEmpty(), "no staging path");
        demand(request.hasVolumeCapability(), "no capability");
        place(staged, path, wanted, () -> effects.stage(request));
    }

    void unstage(NodeUnstageVolumeRequest request, NodeEffects effects) {
        String path = request.getStagingTargetPath();
        demand(!path.isEmpty(), "no staging path");
        change(() -> {
            known(request.getVolumeId());
            if (published.values().stream().anyMatch(p -> p.stagingPath().equals(path))) {
                throw refusal(Status.FAILED_PRECONDITION, "still published");
            }
            if (staged.containsKey(path)) {
                doOnMachine(() -> effects.unstage(request));
            }
            staged.remove(path);
        });
    }

    void publish(NodePublishVolumeRequest request, boolean stages, NodeEffects effects) {
        String path = request.getTargetPath();
        String staging = request.getStagingTargetPath();
        demand(!path.isEmpty(), "no target path");
        demand(request.hasVolumeCapability(), "no capability");
        change(() -> {
            if (stages && !staged.containsKey(staging)) {
                throw refusal(Status.FAILED_PRECONDITION, "not staged");
            }
        });
        Placed wanted = new Placed(request.getVolumeId(), staging, request.getVolumeCapability());
        place(published, path, wanted, () -> effects.publish(request));
    }

    void unpublish(NodeUnpublishVolumeRequest request, NodeEffects effects) {
        String path = request.getTargetPath();
        demand(!path.isEmpty(), "no target path");
        change(() -> {
            known(request.getVolumeId());
            if (published.containsKey(path)) {
                doOnMachine(() -> effects.unpublish(request));
            }
            published.remove(path);
        });
    }

    List<Volume> all() {
        return locked(() -> List.copyOf(byId.values()));
    }

    Volume get(String volumeId) {
        return locked(() -> known(volumeId));
    }

    Set<String> nodesOf(String volumeId) {
        return locked(() -> new TreeSet<>(attachedTo.getOrDefault(volumeId, new TreeSet<>())));
    }

    SequencedMap<String, String> stagedPaths() {
        return locked(() -> volumesByPath(staged));
    }

    SequencedMap<String, String> publishedPaths() {
        return locked(() -> volumesByPath(published));
    }

    private static SequencedMap<String, String> volumesByPath(Map<String, Placed> places) {
        TreeMap<String, String> volumes = new TreeMap<>();
        places.forEach((path, placed) -> volumes.put(path, placed.volumeId()));
        return volumes;
    }

    private void place(Map<String, Placed> places, String path, Placed wanted, Effect effect) {
        change(() -> {
            known(wanted.volumeId());
            Placed there = places.get(path);
            if (there == null) {
                doOnMachine(effect);
            } else if (!there.equals(wanted)) {
                throw refusal(Status.ALREADY_EXISTS, "there with another capability");
            }
            places.put(path, wanted);
        });
    }

    private Volume known(String volumeId) {
        demand(!volumeId.isEmpty(), "no volume id");
        Volume volume = byId.get(volumeId);
        if (volume == null) {
            throw refusal(Status.NOT_FOUND, "no volume " + volumeId);
        }
        return volume;
    }

    private static boolean inUse(Map<String, Placed> places, String volumeId) {
        return places.values().stream().anyMatch(placed -> placed.volumeId().equals(volumeId));
    }

    static void demand(boolean holds, String words) {
        if (!holds) {
            throw refusal(Status.INVALID_ARGUMENT, words);
        }
    }

    static RuntimeException refusal(Status status, String words) {
        return status.withDescription(words).asRuntimeException();
    }

    /** A change of this machine. */
    private interface Effect {
        void run() throws IOException;
    }

    private static void doOnMachine(Effect effect) {
        try {
            effect.run();
        } catch (IOException failed) {
            throw Status.INTERNAL
                    .withDescription(String.valueOf(failed.getMessage()))
                    .withCause(failed)
                    .asRuntimeException();
        }
    }
}
