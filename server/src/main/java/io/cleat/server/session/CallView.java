package io.cleat.server.session;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Refused;
import io.cleat.base.Secrets;
import io.cleat.model.ListedSnapshot;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import io.cleat.model.VolumeSpec;
import io.cleat.server.vault.Purpose;
import io.cleat.server.vault.Vault;
import io.cleat.state.AttachmentId;
import io.cleat.state.ClusterState;
import io.cleat.state.Encrypted;
import io.cleat.state.OperationCall;
import io.cleat.state.OperationOutcome;
import io.cleat.state.VolumeKey;
import io.cleat.state.VolumeRow;
import io.cleat.state.VolumeTombstone;
import io.cleat.wire.ControllerCall;
import io.cleat.wire.ControllerReply;
import io.cleat.wire.OrderOutcome;

/**
 * Controller calls as they are stored and as they are sent: the difference is secrets, which are plain only on the way.
 */
public final class CallView {
    private final ClusterState state;
    private final Vault vault;

    public CallView(ClusterState state, Vault vault) {
        this.state = state;
        this.vault = vault;
    }

    /**
     * The call with plain secrets; a call without secrets of its own has those of its volume.
     *
     * @throws DiskTrouble they cannot be read
     */
    public ControllerCall toSend(OperationCall call) throws DiskTrouble {
        return switch (call) {
            case OperationCall.Create(VolumeSpec spec, Encrypted secrets) ->
                new ControllerCall.Create(
                        spec.name(),
                        spec.capacityMin(),
                        spec.capacityMax(),
                        spec.capabilities(),
                        spec.mountOptions(),
                        spec.parameters(),
                        plain(spec.id(), secrets),
                        spec.topologies(),
                        spec.snapshotId(),
                        spec.cloneId());
            case OperationCall.Validate(VolumeSpec spec, Encrypted secrets) ->
                new ControllerCall.Validate(
                        spec.externalId(),
                        spec.capabilities(),
                        spec.parameters(),
                        spec.context(),
                        plain(spec.id(), secrets));
            case OperationCall.Expand(VolumeSpec spec, Encrypted secrets, VolumeModes modes) ->
                new ControllerCall.Expand(
                        spec.externalId(),
                        spec.capacityMin(),
                        spec.capacityMax(),
                        modes,
                        spec.mountOptions(),
                        plain(spec.id(), secrets));
            case OperationCall.CreateSnapshot snapshot ->
                new ControllerCall.CreateSnapshot(
                        snapshot.externalId(),
                        snapshot.name(),
                        snapshot.parameters(),
                        plain(snapshot.volume(), snapshot.secrets()));
            case OperationCall.DeleteSnapshot(String id, Encrypted secrets) ->
                new ControllerCall.DeleteSnapshot(id, vault.decrypt(secrets, Purpose.snapshot(id)));
            case OperationCall.Delete(VolumeId id, String externalId, Encrypted secrets) ->
                new ControllerCall.Delete(externalId, plain(id, secrets));
            case OperationCall.Publish publish ->
                new ControllerCall.Publish(
                        publish.attachment().key().externalId(),
                        publish.externalNodeId(),
                        publish.modes(),
                        publish.mountOptions(),
                        publish.readOnly(),
                        publish.context(),
                        stored(publish.volume(), publish.attachment().key()));
            case OperationCall.Unpublish(VolumeId id, AttachmentId attachment, String node) ->
                new ControllerCall.Unpublish(attachment.key().externalId(), node, stored(id, attachment.key()));
        };
    }

    /** What came of a call, as it is stored. */
    public OperationOutcome toStore(OperationCall call, OrderOutcome outcome) {
        return switch (outcome) {
            case OrderOutcome.Failed(var effect, String code, String message) ->
                new OperationOutcome.Failed(effect, code, message);
            case OrderOutcome.Done(ControllerReply reply) -> reply(call, reply);
        };
    }

    private OperationOutcome reply(OperationCall call, ControllerReply reply) {
        return switch (reply) {
            case ControllerReply.Created created ->
                new OperationOutcome.Created(
                        created.externalId(), created.capacity(), created.context(), created.accessibleFrom());
            case ControllerReply.Deleted _ -> new OperationOutcome.Deleted();
            case ControllerReply.Published(Secrets context) -> published(call, context);
            case ControllerReply.Unpublished _ -> new OperationOutcome.Unpublished();
            case ControllerReply.Confirmed _ -> new OperationOutcome.Confirmed();
            case ControllerReply.NotConfirmed(String message) ->
                new OperationOutcome.Failed(Effect.NONE, "NotConfirmed", message);
            case ControllerReply.Expanded(long capacity, boolean onNodes) ->
                new OperationOutcome.Expanded(capacity, onNodes);
            case ControllerReply.SnapshotCreated(ListedSnapshot snapshot) ->
                new OperationOutcome.SnapshotCreated(snapshot);
            case ControllerReply.SnapshotDeleted _ -> new OperationOutcome.SnapshotDeleted();
            case ControllerReply.Listed _,
                    ControllerReply.SnapshotsListed _,
                    ControllerReply.HostVolumeMade _,
                    ControllerReply.HostVolumeDeleted _,
                    ControllerReply.Room _ ->
                new OperationOutcome.Failed(
                        Effect.UNKNOWN,
                        "Internal",
                        "the node answered " + reply.getClass().getSimpleName() + " to " + OperationCall.csiName(call));
        };
    }

    private OperationOutcome published(OperationCall call, Secrets context) {
        AttachmentId attachment = OperationCall.attachmentOf(call);
        if (attachment == null) {
            return new OperationOutcome.Published(Encrypted.NONE);
        }
        try {
            return new OperationOutcome.Published(vault.encrypt(context, Purpose.publishContext(attachment)));
        } catch (Refused unfit) {
            // It is attached, and nobody can be told how: asked again, the plugin says it again.
            return new OperationOutcome.Failed(
                    Effect.UNKNOWN,
                    "Internal",
                    "the plugin's publish context: " + unfit.refusal().message());
        }
    }

    private Secrets stored(VolumeId id, VolumeKey key) throws DiskTrouble {
        Encrypted secrets = state.volume(id)
                .or(() -> state.volumeTombstone(key).map(VolumeTombstone::volume))
                .map(VolumeRow::secrets)
                .orElse(Encrypted.NONE);
        return plain(id, secrets);
    }

    private Secrets plain(VolumeId id, Encrypted secrets) throws DiskTrouble {
        return vault.decrypt(secrets, Purpose.volume(id));
    }
}
