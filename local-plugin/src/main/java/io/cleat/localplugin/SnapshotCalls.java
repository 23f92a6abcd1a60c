package io.cleat.localplugin;

import com.google.protobuf.Timestamp;
import io.cleat.base.Trouble;
import io.cleat.csi.v1.CreateSnapshotRequest;
import io.cleat.csi.v1.CreateSnapshotResponse;
import io.cleat.csi.v1.CreateVolumeGroupSnapshotRequest;
import io.cleat.csi.v1.DeleteSnapshotRequest;
import io.cleat.csi.v1.DeleteSnapshotResponse;
import io.cleat.csi.v1.DeleteVolumeGroupSnapshotRequest;
import io.cleat.csi.v1.GetSnapshotRequest;
import io.cleat.csi.v1.GetSnapshotResponse;
import io.cleat.csi.v1.GetVolumeGroupSnapshotRequest;
import io.cleat.csi.v1.ListSnapshotsRequest;
import io.cleat.csi.v1.ListSnapshotsResponse;
import io.cleat.csi.v1.VolumeGroupSnapshot;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** The calls about snapshots and their groups: requests read and checked, answers put together. */
final class SnapshotCalls {
    private final Snapshots snapshots;
    private final Places places;

    SnapshotCalls(Snapshots snapshots, Places places) {
        this.snapshots = snapshots;
        this.places = places;
    }

    CreateSnapshotResponse create(CreateSnapshotRequest request) throws CallRefused, Trouble, InterruptedException {
        Creation.requireName(request.getName());
        requireSource(request.getSourceVolumeId());
        requireNone(request.getParametersMap().keySet());
        places.require(request.getAccessibilityRequirements());
        return CreateSnapshotResponse.newBuilder()
                .setSnapshot(shown(snapshots.create(request.getName(), request.getSourceVolumeId())))
                .build();
    }

    DeleteSnapshotResponse delete(DeleteSnapshotRequest request) throws CallRefused, Trouble, InterruptedException {
        requireSnapshot(request.getSnapshotId());
        snapshots.delete(request.getSnapshotId());
        return DeleteSnapshotResponse.getDefaultInstance();
    }

    GetSnapshotResponse get(GetSnapshotRequest request) throws CallRefused, Trouble {
        requireSnapshot(request.getSnapshotId());
        return GetSnapshotResponse.newBuilder()
                .setSnapshot(shown(snapshots.require(request.getSnapshotId())))
                .build();
    }

    /**
     * A filter that nothing fits gives an empty list (CSI, ListSnapshots). A snapshot whose file cannot be used is left
     * out, as an entry has to name the source, which is in the file; one that is asked for by its id is refused, or it
     * would be taken for gone.
     */
    ListSnapshotsResponse list(ListSnapshotsRequest request) throws CallRefused, Trouble {
        if (!request.getSnapshotId().isEmpty()) {
            snapshots.find(request.getSnapshotId());
        }
        List<Snapshot> fitting = snapshots.list().stream()
                .filter(s -> fits(request.getSnapshotId(), s.id()))
                .filter(s -> fits(request.getSourceVolumeId(), s.volume()))
                .toList();
        Pages<Snapshot> page = Pages.of(fitting, request.getStartingToken(), request.getMaxEntries());
        ListSnapshotsResponse.Builder answer =
                ListSnapshotsResponse.newBuilder().setNextToken(page.next());
        for (Snapshot snapshot : page.entries()) {
            answer.addEntries(ListSnapshotsResponse.Entry.newBuilder().setSnapshot(shown(snapshot)));
        }
        return answer.build();
    }

    private static boolean fits(String wanted, String found) {
        return wanted.isEmpty() || wanted.equals(found);
    }

    VolumeGroupSnapshot createGroup(CreateVolumeGroupSnapshotRequest request)
            throws CallRefused, Trouble, InterruptedException {
        Creation.requireName(request.getName());
        requireNone(request.getParametersMap().keySet());
        if (request.getSourceVolumeIdsCount() == 0) {
            throw CallRefused.invalid("source_volume_ids is missing");
        }
        return shown(snapshots.createGroup(request.getName(), request.getSourceVolumeIdsList()));
    }

    void deleteGroup(DeleteVolumeGroupSnapshotRequest request) throws CallRefused, Trouble, InterruptedException {
        requireGroup(request.getGroupSnapshotId());
        snapshots.deleteGroup(request.getGroupSnapshotId(), request.getSnapshotIdsList());
    }

    VolumeGroupSnapshot getGroup(GetVolumeGroupSnapshotRequest request) throws CallRefused, Trouble {
        requireGroup(request.getGroupSnapshotId());
        Optional<Groups.Group> group = snapshots.findGroup(request.getGroupSnapshotId(), request.getSnapshotIdsList());
        if (group.isEmpty()) {
            throw CallRefused.notFound("there is no group snapshot '" + request.getGroupSnapshotId() + "'");
        }
        return shown(group.get());
    }

    private VolumeGroupSnapshot shown(Groups.Group group) throws Trouble {
        VolumeGroupSnapshot.Builder shown = VolumeGroupSnapshot.newBuilder()
                .setGroupSnapshotId(group.id())
                .setCreationTime(time(group.order()))
                .setReadyToUse(true);
        snapshots.members(group).forEach(member -> shown.addSnapshots(shown(member)));
        return shown.build();
    }

    /**
     * The optional accessible_topology is left out: csi-sanity 5.6.0 compares it with what was asked for down to the
     * messages' cached sizes, so that no answer but none is right.
     */
    private io.cleat.csi.v1.Snapshot shown(Snapshot snapshot) {
        return io.cleat.csi.v1.Snapshot.newBuilder()
                .setSnapshotId(snapshot.id())
                .setSourceVolumeId(snapshot.volume())
                .setSizeBytes(snapshot.bytes())
                .setCreationTime(time(snapshot.order()))
                .setReadyToUse(true)
                .setGroupSnapshotId(snapshot.group().orElse(""))
                .build();
    }

    private static Timestamp time(long millis) {
        return Timestamp.newBuilder()
                .setSeconds(Math.floorDiv(millis, 1000))
                .setNanos(Math.floorMod(millis, 1000) * 1_000_000)
                .build();
    }

    private static void requireNone(Iterable<String> parameters) throws CallRefused {
        TreeSet<String> unknown = new TreeSet<>();
        parameters.forEach(unknown::add);
        if (!unknown.isEmpty()) {
            throw CallRefused.invalid(
                    "unknown parameters: " + String.join(", ", unknown) + "; snapshots have none here");
        }
    }

    private static void requireSource(String id) throws CallRefused {
        if (id.isEmpty()) {
            throw CallRefused.invalid("source_volume_id is missing");
        }
    }

    private static void requireSnapshot(String id) throws CallRefused {
        if (id.isEmpty()) {
            throw CallRefused.invalid("snapshot_id is missing");
        }
    }

    private static void requireGroup(String id) throws CallRefused {
        if (id.isEmpty()) {
            throw CallRefused.invalid("group_snapshot_id is missing");
        }
    }
}
