package io.cleat.testkit;

import io.cleat.csi.v1.CreateSnapshotRequest;
import io.cleat.csi.v1.CreateSnapshotResponse;
import io.cleat.csi.v1.DeleteSnapshotRequest;
import io.cleat.csi.v1.DeleteSnapshotResponse;
import io.cleat.csi.v1.GetSnapshotRequest;
import io.cleat.csi.v1.GetSnapshotResponse;
import io.cleat.csi.v1.ListSnapshotsRequest;
import io.cleat.csi.v1.ListSnapshotsResponse;
import io.cleat.csi.v1.Snapshot;
import io.grpc.stub.StreamObserver;
import java.util.List;

/** The calls about snapshots of the fake plugin's controller service. */
record FakeSnapshotCalls(FakeCsiPlugin plugin) {
    void create(CreateSnapshotRequest request, StreamObserver<CreateSnapshotResponse> caller) {
        plugin.handle(
                "CreateSnapshot",
                request,
                caller,
                asked -> created(plugin.snapshotMemory().create(asked)),
                created(FakeSnapshots.imagined(request)));
    }

    private static CreateSnapshotResponse created(Snapshot snapshot) {
        return CreateSnapshotResponse.newBuilder().setSnapshot(snapshot).build();
    }

    void delete(DeleteSnapshotRequest request, StreamObserver<DeleteSnapshotResponse> caller) {
        DeleteSnapshotResponse done = DeleteSnapshotResponse.getDefaultInstance();
        plugin.handle(
                "DeleteSnapshot",
                request,
                caller,
                asked -> {
                    plugin.snapshotMemory().delete(asked.getSnapshotId());
                    return done;
                },
                done);
    }

    void list(ListSnapshotsRequest request, StreamObserver<ListSnapshotsResponse> caller) {
        plugin.handle("ListSnapshots", request, caller, this::page, ListSnapshotsResponse.getDefaultInstance());
    }

    private ListSnapshotsResponse page(ListSnapshotsRequest request) {
        List<Snapshot> all = plugin.snapshotMemory().find(request.getSourceVolumeId(), request.getSnapshotId());
        FakePage page = FakePage.of(request.getStartingToken(), request.getMaxEntries(), all.size());
        ListSnapshotsResponse.Builder reply = ListSnapshotsResponse.newBuilder();
        all.subList(page.from(), page.to())
                .forEach(each -> reply.addEntriesBuilder().setSnapshot(each));
        return reply.setNextToken(page.nextToken()).build();
    }

    void get(GetSnapshotRequest request, StreamObserver<GetSnapshotResponse> caller) {
        plugin.handle(
                "GetSnapshot",
                request,
                caller,
                asked -> GetSnapshotResponse.newBuilder()
                        .setSnapshot(plugin.snapshotMemory().get(asked.getSnapshotId()))
                        .build(),
                GetSnapshotResponse.getDefaultInstance());
    }
}
