package io.cleat.csi;

import com.google.protobuf.Message;
import io.cleat.base.Deadline;
import io.cleat.base.Secrets;
import io.cleat.csi.v1.CreateVolumeGroupSnapshotRequest;
import io.cleat.csi.v1.DeleteVolumeGroupSnapshotRequest;
import io.cleat.csi.v1.GetVolumeGroupSnapshotRequest;
import io.cleat.csi.v1.GroupControllerGetCapabilitiesRequest;
import io.cleat.csi.v1.GroupControllerGrpc;
import io.cleat.csi.v1.GroupControllerServiceCapability;
import io.cleat.csi.v1.VolumeGroupSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The group controller service of a plugin with GROUP_CONTROLLER_SERVICE: snapshots of several volumes at one moment.
 * Each call blocks and may be repeated with the same arguments; an interrupt leaves its effect unknown. A call whose
 * capability is not announced is not sent.
 */
public final class GroupClient {
    private static final String SERVICE = "GroupController";

    private final Tries tries;
    private final Abilities<GroupCapability> abilities;

    GroupClient(Tries tries) {
        this.tries = tries;
        this.abilities = tries.abilities(this::capabilities);
    }

    /** GroupControllerGetCapabilities; those that this version does not know are left out. */
    public Set<GroupCapability> capabilities(Deadline deadline) throws CsiTrouble, InterruptedException {
        return tries.make(
                Call.look(
                        SERVICE,
                        GroupControllerGrpc.getGroupControllerGetCapabilitiesMethod(),
                        GroupControllerGetCapabilitiesRequest.getDefaultInstance(),
                        "",
                        List.of(),
                        reply -> Wire.known(
                                GroupCapability.class,
                                reply.getCapabilitiesList().stream()
                                        .map(GroupControllerServiceCapability::getRpc)
                                        .map(GroupControllerServiceCapability.RPC::getType)
                                        .toList())),
                deadline);
    }

    /** CreateVolumeGroupSnapshot: all of the snapshots, or none. */
    public GroupSnapshot create(GroupSnapshotOrder order, Deadline deadline) throws CsiTrouble, InterruptedException {
        CreateVolumeGroupSnapshotRequest request = CreateVolumeGroupSnapshotRequest.newBuilder()
                .setName(order.name())
                .addAllSourceVolumeIds(order.sourceVolumeIds())
                .putAllParameters(order.parameters())
                .putAllSecrets(order.secrets().reveal())
                .build();
        return offered(
                Call.change(
                                SERVICE,
                                GroupControllerGrpc.getCreateVolumeGroupSnapshotMethod(),
                                request,
                                group(order.name()),
                                Call.hidden(order.secrets()),
                                reply -> {
                                    GroupSnapshot group = read(reply.hasGroupSnapshot(), reply.getGroupSnapshot());
                                    List<String> sources = group.snapshots().stream()
                                            .map(Snapshot::sourceVolumeId)
                                            .sorted()
                                            .toList();
                                    requireSame(
                                            "of volumes",
                                            sources,
                                            order.sourceVolumeIds().stream()
                                                    .sorted()
                                                    .toList());
                                    return group;
                                })
                        .from(volumes(order.sourceVolumeIds())),
                deadline);
    }

    private static String volumes(List<String> ids) {
        return ids.size() == 1 ? Call.volume(ids.getFirst()) : "one of " + ids.size() + " volumes";
    }

    /**
     * DeleteVolumeGroupSnapshot, with its snapshots; done as well where there is none.
     *
     * @param snapshotIds of all its snapshots
     */
    public void delete(String groupId, List<String> snapshotIds, Secrets secrets, Deadline deadline)
            throws CsiTrouble, InterruptedException {
        DeleteVolumeGroupSnapshotRequest request = DeleteVolumeGroupSnapshotRequest.newBuilder()
                .setGroupSnapshotId(groupId)
                .addAllSnapshotIds(snapshotIds)
                .putAllSecrets(secrets.reveal())
                .build();
        offered(
                Call.change(
                        SERVICE,
                        GroupControllerGrpc.getDeleteVolumeGroupSnapshotMethod(),
                        request,
                        group(groupId),
                        Call.hidden(secrets),
                        Replies::nothing),
                deadline);
    }

    /**
     * GetVolumeGroupSnapshot: as it is now.
     *
     * @param snapshotIds of all its snapshots
     */
    public GroupSnapshot get(String groupId, List<String> snapshotIds, Secrets secrets, Deadline deadline)
            throws CsiTrouble, InterruptedException {
        GetVolumeGroupSnapshotRequest request = GetVolumeGroupSnapshotRequest.newBuilder()
                .setGroupSnapshotId(groupId)
                .addAllSnapshotIds(snapshotIds)
                .putAllSecrets(secrets.reveal())
                .build();
        return offered(
                Call.look(
                        SERVICE,
                        GroupControllerGrpc.getGetVolumeGroupSnapshotMethod(),
                        request,
                        group(groupId),
                        Call.hidden(secrets),
                        reply -> {
                            GroupSnapshot group = read(reply.hasGroupSnapshot(), reply.getGroupSnapshot());
                            requireSame("with id", List.of(group.groupId()), List.of(groupId));
                            return group;
                        }),
                deadline);
    }

    private <Q extends Message, R extends Message, T> T offered(Call<Q, R, T> call, Deadline deadline)
            throws CsiTrouble, InterruptedException {
        abilities.require(GroupCapability.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT, call, deadline);
        return tries.make(call, deadline);
    }

    private static String group(String name) {
        return "group snapshot " + Words.quoted(name);
    }

    private static GroupSnapshot read(boolean present, VolumeGroupSnapshot group) throws BadReply {
        if (!present) {
            throw new BadReply("has no group_snapshot");
        }
        if (!group.hasCreationTime()) {
            throw new BadReply("has a group snapshot without creation_time");
        }
        String groupId = Replies.id("group_snapshot_id", group.getGroupSnapshotId());
        List<Snapshot> snapshots = new ArrayList<>();
        for (io.cleat.csi.v1.Snapshot each : group.getSnapshotsList()) {
            Snapshot snapshot = SnapshotReplies.required(true, each);
            if (!snapshot.groupId().equals(groupId)) {
                throw new BadReply("has snapshot "
                        + Words.quoted(snapshot.snapshotId())
                        + " of group "
                        + Words.quoted(snapshot.groupId())
                        + " in group "
                        + Words.quoted(groupId));
            }
            if (group.getReadyToUse() && !snapshot.ready()) {
                throw new BadReply("says that the group is ready, and its snapshot "
                        + Words.quoted(snapshot.snapshotId())
                        + " is not");
            }
            snapshots.add(snapshot);
        }
        if (snapshots.isEmpty()) {
            throw new BadReply("has a group snapshot without snapshots");
        }
        return new GroupSnapshot(
                groupId, snapshots, SnapshotReplies.time(group.getCreationTime()), group.getReadyToUse());
    }

    private static void requireSame(String what, List<String> got, List<String> asked) throws BadReply {
        if (!got.equals(asked)) {
            throw new BadReply("has a group snapshot " + what + " " + got + ", asked was for " + asked);
        }
    }
}
