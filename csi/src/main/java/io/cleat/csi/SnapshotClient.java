package io.cleat.csi;

import io.cleat.base.Deadline;
import io.cleat.base.Secrets;
import io.cleat.csi.v1.ControllerGrpc;
import io.cleat.csi.v1.CreateSnapshotRequest;
import io.cleat.csi.v1.DeleteSnapshotRequest;
import io.cleat.csi.v1.GetSnapshotRequest;
import io.cleat.csi.v1.ListSnapshotsRequest;
import io.cleat.csi.v1.ListSnapshotsResponse;
import java.util.ArrayList;
import java.util.List;

/**
 * Snapshots of single volumes, which the controller service of a plugin keeps. Each call blocks and may be repeated
 * with the same arguments; an interrupt leaves its effect unknown. A call whose capability is not announced is not
 * sent.
 */
public final class SnapshotClient {
    private static final String SERVICE = "Controller";

    private final Tries tries;
    private final Abilities<ControllerCapability> abilities;

    SnapshotClient(Tries tries, Abilities<ControllerCapability> abilities) {
        this.tries = tries;
        this.abilities = abilities;
    }

    /**
     * CreateSnapshot. It returns when the snapshot is cut; it may not be ready yet, which {@link #get} or {@link #list}
     * tell.
     */
    public Snapshot create(SnapshotOrder order, Deadline deadline) throws CsiTrouble, InterruptedException {
        CreateSnapshotRequest.Builder request = CreateSnapshotRequest.newBuilder()
                .setSourceVolumeId(order.sourceVolumeId())
                .setName(order.name())
                .putAllSecrets(order.secrets().reveal())
                .putAllParameters(order.parameters());
        if (!order.requisite().isEmpty() || !order.preferred().isEmpty()) {
            request.setAccessibilityRequirements(Wire.requirement(order.requisite(), order.preferred()));
        }
        var call = Call.change(
                        SERVICE,
                        ControllerGrpc.getCreateSnapshotMethod(),
                        request.build(),
                        Call.snapshot(order.name()),
                        Call.hidden(order.secrets()),
                        reply -> SnapshotReplies.ofSource(
                                SnapshotReplies.required(reply.hasSnapshot(), reply.getSnapshot()),
                                order.sourceVolumeId()))
                .from(Call.volume(order.sourceVolumeId()));
        abilities.require(ControllerCapability.CREATE_DELETE_SNAPSHOT, call, deadline);
        return tries.make(call, deadline);
    }

    /** DeleteSnapshot; done as well where there is none. */
    public void delete(String snapshotId, Secrets secrets, Deadline deadline) throws CsiTrouble, InterruptedException {
        DeleteSnapshotRequest request = DeleteSnapshotRequest.newBuilder()
                .setSnapshotId(snapshotId)
                .putAllSecrets(secrets.reveal())
                .build();
        var call = Call.change(
                SERVICE,
                ControllerGrpc.getDeleteSnapshotMethod(),
                request,
                Call.snapshot(snapshotId),
                Call.hidden(secrets),
                Replies::nothing);
        abilities.require(ControllerCapability.CREATE_DELETE_SNAPSHOT, call, deadline);
        tries.make(call, deadline);
    }

    /** ListSnapshots: one page. */
    public SnapshotPage list(SnapshotQuery query, Deadline deadline) throws CsiTrouble, InterruptedException {
        ListSnapshotsRequest request = ListSnapshotsRequest.newBuilder()
                .setMaxEntries(query.maxEntries())
                .setStartingToken(query.startingToken())
                .setSourceVolumeId(query.sourceVolumeId())
                .setSnapshotId(query.snapshotId())
                .putAllSecrets(query.secrets().reveal())
                .build();
        var call = Call.look(
                SERVICE,
                ControllerGrpc.getListSnapshotsMethod(),
                request,
                "",
                Call.hidden(query.secrets()),
                reply -> page(reply, query));
        abilities.require(ControllerCapability.LIST_SNAPSHOTS, call, deadline);
        return tries.make(call, deadline);
    }

    private static SnapshotPage page(ListSnapshotsResponse reply, SnapshotQuery query) throws BadReply {
        List<Snapshot> snapshots = new ArrayList<>();
        for (ListSnapshotsResponse.Entry entry : reply.getEntriesList()) {
            Snapshot snapshot = SnapshotReplies.required(entry.hasSnapshot(), entry.getSnapshot());
            if (!query.sourceVolumeId().isEmpty()) {
                SnapshotReplies.ofSource(snapshot, query.sourceVolumeId());
            }
            if (!query.snapshotId().isEmpty()) {
                SnapshotReplies.withId(snapshot, query.snapshotId());
            }
            snapshots.add(snapshot);
        }
        return new SnapshotPage(snapshots, Replies.nextToken(reply.getNextToken(), query.startingToken()));
    }

    /** GetSnapshot: as it is now. */
    public Snapshot get(String snapshotId, Secrets secrets, Deadline deadline) throws CsiTrouble, InterruptedException {
        GetSnapshotRequest request = GetSnapshotRequest.newBuilder()
                .setSnapshotId(snapshotId)
                .putAllSecrets(secrets.reveal())
                .build();
        var call = Call.look(
                SERVICE,
                ControllerGrpc.getGetSnapshotMethod(),
                request,
                Call.snapshot(snapshotId),
                Call.hidden(secrets),
                reply -> SnapshotReplies.withId(
                        SnapshotReplies.required(reply.hasSnapshot(), reply.getSnapshot()), snapshotId));
        abilities.require(ControllerCapability.GET_SNAPSHOT, call, deadline);
        return tries.make(call, deadline);
    }
}
