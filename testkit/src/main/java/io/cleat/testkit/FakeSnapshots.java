package io.cleat.testkit;

import com.google.protobuf.Timestamp;
import io.cleat.csi.v1.CreateSnapshotRequest;
import io.cleat.csi.v1.CreateVolumeGroupSnapshotRequest;
import io.cleat.csi.v1.Snapshot;
import io.cleat.csi.v1.VolumeGroupSnapshot;
import io.grpc.Status;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What the fake plugin remembers of snapshots and groups of them. Ids are {@code snap-} and {@code group-} with the
 * name. Guarded by {@code lock}, under which volumes are looked up.
 */
final class FakeSnapshots {
    private static final long BEGINNING = 1_700_000_000;

    private final FakeVolumes volumes;
    private final ReentrantLock lock = new ReentrantLock();
    private final TreeMap<String, Snapshot> byId = new TreeMap<>();
    private final TreeMap<String, VolumeGroupSnapshot> groups = new TreeMap<>();
    private long made;

    FakeSnapshots(FakeVolumes volumes) {
        this.volumes = volumes;
    }

    static Snapshot imagined(CreateSnapshotRequest request) {
        return Snapshot.newBuilder()
                .setSnapshotId("snap-" + request.getName())
                .setSourceVolumeId(request.getSourceVolumeId())
                .setCreationTime(Timestamp.newBuilder().setSeconds(BEGINNING))
                .setReadyToUse(true)
                .build();
    }

    Snapshot create(CreateSnapshotRequest request) {
        FakeVolumes.demand(!request.getName().isEmpty(), "no name");
        lock.lock();
        try {
            Snapshot there = byId.get("snap-" + request.getName());
            if (there != null) {
                if (!there.getSourceVolumeId().equals(request.getSourceVolumeId())) {
                    throw FakeVolumes.refusal(Status.ALREADY_EXISTS, "of another volume");
                }
                return there;
            }
            Snapshot snapshot = cut(imagined(request));
            byId.put(snapshot.getSnapshotId(), snapshot);
            return snapshot;
        } finally {
            lock.unlock();
        }
    }

    private Snapshot cut(Snapshot imagined) {
        long bytes = volumes.get(imagined.getSourceVolumeId()).getCapacityBytes();
        return imagined.toBuilder()
                .setSizeBytes(bytes)
                .setCreationTime(Timestamp.newBuilder().setSeconds(BEGINNING + ++made))
                .build();
    }

    void delete(String snapshotId) {
        FakeVolumes.demand(!snapshotId.isEmpty(), "no snapshot id");
        lock.lock();
        try {
            Snapshot there = byId.get(snapshotId);
            if (there != null && !there.getGroupSnapshotId().isEmpty()) {
                throw FakeVolumes.refusal(Status.INVALID_ARGUMENT, "of a group");
            }
            byId.remove(snapshotId);
        } finally {
            lock.unlock();
        }
    }

    Snapshot get(String snapshotId) {
        FakeVolumes.demand(!snapshotId.isEmpty(), "no snapshot id");
        lock.lock();
        try {
            Snapshot there = byId.get(snapshotId);
            if (there == null) {
                throw FakeVolumes.refusal(Status.NOT_FOUND, "no snapshot " + snapshotId);
            }
            return there;
        } finally {
            lock.unlock();
        }
    }

    /** Those of that volume and that id; empty for any. */
    List<Snapshot> find(String sourceVolumeId, String snapshotId) {
        lock.lock();
        try {
            return byId.values().stream()
                    .filter(each -> matches(each.getSourceVolumeId(), sourceVolumeId))
                    .filter(each -> matches(each.getSnapshotId(), snapshotId))
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    private static boolean matches(String value, String wanted) {
        return wanted.isEmpty() || wanted.equals(value);
    }

    static VolumeGroupSnapshot imagined(CreateVolumeGroupSnapshotRequest request) {
        VolumeGroupSnapshot.Builder group = VolumeGroupSnapshot.newBuilder()
                .setGroupSnapshotId("group-" + request.getName())
                .setCreationTime(Timestamp.newBuilder().setSeconds(BEGINNING))
                .setReadyToUse(true);
        for (String volumeId : request.getSourceVolumeIdsList()) {
            group.addSnapshots(Snapshot.newBuilder()
                    .setSnapshotId("snap-" + request.getName() + "-" + volumeId)
                    .setSourceVolumeId(volumeId)
                    .setCreationTime(group.getCreationTime())
                    .setReadyToUse(true)
                    .setGroupSnapshotId(group.getGroupSnapshotId()));
        }
        return group.build();
    }

    VolumeGroupSnapshot createGroup(CreateVolumeGroupSnapshotRequest request) {
        FakeVolumes.demand(!request.getName().isEmpty(), "no name");
        FakeVolumes.demand(request.getSourceVolumeIdsCount() > 0, "no volumes");
        lock.lock();
        try {
            VolumeGroupSnapshot there = groups.get("group-" + request.getName());
            if (there != null) {
                return there;
            }
            VolumeGroupSnapshot.Builder group = imagined(request).toBuilder();
            group.getSnapshotsBuilderList().forEach(each -> each.mergeFrom(cut(each.build())));
            group.getSnapshotsList().forEach(each -> byId.put(each.getSnapshotId(), each));
            groups.put(group.getGroupSnapshotId(), group.build());
            return group.build();
        } finally {
            lock.unlock();
        }
    }

    void deleteGroup(String groupId, List<String> snapshotIds) {
        lock.lock();
        try {
            if (groups.containsKey(groupId)) {
                getGroup(groupId, snapshotIds).getSnapshotsList().forEach(each -> byId.remove(each.getSnapshotId()));
                groups.remove(groupId);
            }
        } finally {
            lock.unlock();
        }
    }

    VolumeGroupSnapshot getGroup(String groupId, List<String> snapshotIds) {
        lock.lock();
        try {
            VolumeGroupSnapshot there = groups.get(groupId);
            if (there == null) {
                throw FakeVolumes.refusal(Status.NOT_FOUND, "no group " + groupId);
            }
            List<String> ids = there.getSnapshotsList().stream()
                    .map(Snapshot::getSnapshotId)
                    .sorted()
                    .toList();
            FakeVolumes.demand(ids.equals(snapshotIds.stream().sorted().toList()), "other ids");
            return there;
        } finally {
            lock.unlock();
        }
    }
}
