package io.cleat.server.intake;

import static java.util.stream.Collectors.joining;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.InvariantBroken;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Secrets;
import io.cleat.base.TextRule;
import io.cleat.base.Trouble;
import io.cleat.codec.RecordCodec;
import io.cleat.model.CallEnd;
import io.cleat.model.ControllerCapability;
import io.cleat.model.Listed;
import io.cleat.model.ListedSnapshot;
import io.cleat.model.ListedVolume;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeSpec;
import io.cleat.schedule.PluginHealth;
import io.cleat.server.decide.CreateSnapshot;
import io.cleat.server.decide.CreateVolume;
import io.cleat.server.decide.DeleteSnapshot;
import io.cleat.server.decide.DeleteVolume;
import io.cleat.server.decide.DeregisterVolume;
import io.cleat.server.decide.DetachVolume;
import io.cleat.server.decide.RegisterVolume;
import io.cleat.server.decide.VolumeReply;
import io.cleat.server.session.Controllers;
import io.cleat.server.session.NodeSessions;
import io.cleat.server.vault.Purpose;
import io.cleat.server.vault.Vault;
import io.cleat.state.ClusterState;
import io.cleat.state.OperationCall;
import io.cleat.state.OperationOutcome;
import io.cleat.state.OperationRow;
import io.cleat.state.PluginRow;
import io.cleat.state.VolumeRow;
import io.cleat.wire.ControllerCall;
import io.cleat.wire.ControllerReply;
import io.cleat.wire.OrderOutcome;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Requests about volumes. What needs a plugin's call waits for its end: the call goes on though nobody waits for it any
 * more. Any thread.
 */
public final class VolumeRequests {
    static final RecordCodec<VolumeSpec> TEXT = RecordCodec.stored("askv", 2, VolumeSpec.class);
    static final RecordCodec<VolumeReply> REPLY = RecordCodec.stored("rvol", 1, VolumeReply.class);

    private final Commits commits;
    private final NodeSessions sessions;
    private final Vault vault;

    VolumeRequests(Commits commits, NodeSessions sessions, Vault vault) {
        this.commits = commits;
        this.sessions = sessions;
        this.vault = vault;
    }

    /**
     * Registers a volume that exists at its plugin, or changes a registered one. Where the plugin has a controller,
     * that confirms the capabilities first.
     *
     * @param spec valid
     * @param secrets replace those of a registered volume
     * @return the version that has it
     */
    public long register(VolumeSpec spec, Secrets secrets, Asked asked) throws Refused, Trouble, InterruptedException {
        RegisterVolume command =
                new RegisterVolume(spec, vault.encrypt(secrets, Purpose.volume(spec.id())), commits.seed());
        return finish(
                commits.once(command, () -> List.of(TEXT.encode(spec), names(secrets)), REPLY, asked),
                spec.id(),
                asked);
    }

    /**
     * Has a plugin create a volume and registers it; a registered one is changed instead.
     *
     * @return the version that has it
     */
    public long create(VolumeSpec spec, Secrets secrets, Asked asked) throws Refused, Trouble, InterruptedException {
        CreateVolume command =
                new CreateVolume(spec, vault.encrypt(secrets, Purpose.volume(spec.id())), commits.seed());
        return finish(
                commits.once(command, () -> List.of(TEXT.encode(spec), names(secrets)), REPLY, asked),
                spec.id(),
                asked);
    }

    /**
     * Has a plugin delete a volume, and forgets it.
     *
     * @param secrets laid over the stored ones
     * @return the version without it
     */
    public long delete(VolumeId id, Secrets secrets, Asked asked) throws Refused, Trouble, InterruptedException {
        Optional<VolumeRow> row = commits.newest().volume(id);
        Secrets all = secrets;
        if (row.isPresent()) {
            all = vault.decrypt(row.get().secrets(), Purpose.volume(id)).overlaidBy(secrets);
        }
        DeleteVolume command = new DeleteVolume(id, vault.encrypt(all, Purpose.volume(id)), commits.seed());
        return finish(commits.once(command, () -> List.of(id, names(secrets)), REPLY, asked), id, asked);
    }

    /**
     * Forgets a volume; its plugin is not called.
     *
     * @param force though claims of ended allocations remain, which keep excluding others
     * @return the version without it
     */
    public long deregister(VolumeId id, boolean force, Asked asked) throws Refused, Trouble, InterruptedException {
        return commits.once(new DeregisterVolume(id, force), () -> List.of(id, force), REPLY, asked)
                .version();
    }

    /**
     * Tells what ended allocations still hold of a volume on a node, which is released by itself; or has it released
     * without proof.
     *
     * @param abandon an operator vouches that nothing of it is left there
     * @param machineIsOff the node whose machine the operator says is off; empty for no such word
     * @param by who vouches, for the record
     */
    public Done<DetachVolume.Reply> detach(
            VolumeId id, String nodeId, boolean abandon, String machineIsOff, String by, Asked asked)
            throws Refused, Trouble, InterruptedException {
        return commits.commit(new DetachVolume(id, nodeId, abandon, machineIsOff, by), asked.deadline());
    }

    /**
     * The plugin's own list of its volumes.
     *
     * @param token the plugin's own; empty for the start
     * @param most entries wanted; 0 for the plugin's choice
     */
    public Listed<ListedVolume> external(String pluginId, String token, int most, Deadline deadline)
            throws Refused, InterruptedException {
        ControllerReply reply =
                ask(pluginId, "controller list volumes: ", new ControllerCall.ListVolumes(token, most), deadline);
        if (reply instanceof ControllerReply.Listed(List<ListedVolume> entries, String next)) {
            return new Listed<>(entries, next);
        }
        throw unexpected("controller list volumes: ", reply);
    }

    private static Refusal noSuchPlugin(ClusterState state, String pluginId) {
        String known = state.plugins().stream().map(PluginRow::id).collect(joining(", "));
        return new Refusal.Conflict("no such plugin: "
                + TextRule.quoted(pluginId)
                + " is run by no job and on no node; "
                + (known.isEmpty() ? "there is none: run a job with a csi_plugin block" : "there are: " + known));
    }

    /**
     * Has a controller asked something that changes nothing.
     *
     * @param prefix of its words, if it refuses
     */
    private ControllerReply ask(String pluginId, String prefix, ControllerCall call, Deadline deadline)
            throws Refused, InterruptedException {
        ClusterState state = commits.newest();
        List<Controllers.Instance> working = Controllers.working(state, pluginId);
        if (working.isEmpty()) {
            throw new Refused(
                    state.plugin(pluginId).isEmpty()
                            ? noSuchPlugin(state, pluginId)
                            : new Refusal.Conflict(
                                    "failed to find instances of controller plugin \"" + pluginId + "\""));
        }
        // A node whose link has just broken is ready until it is missed.
        List<Controllers.Instance> linked = working.stream()
                .filter(instance -> sessions.isLinked(instance.nodeId()))
                .toList();
        if (linked.isEmpty()) {
            throw new Refused(new Refusal.Failed(
                    prefix
                            + "plugin "
                            + pluginId
                            + " was not asked, as no node that runs its controller has a link to this server (node "
                            + working.getFirst().nodeId()
                            + "); try again in some seconds",
                    Effect.NONE));
        }
        Controllers.Instance asked = linked.getFirst();
        Optional<OrderOutcome> outcome = Optional.empty();
        for (Controllers.Instance instance : linked) {
            asked = instance;
            outcome = sessions.ask(instance.nodeId(), pluginId, instance.allocId(), call, deadline);
            if (!isElsewhere(outcome)) {
                break;
            }
        }
        if (outcome.isEmpty()) {
            throw new Refused(new Refusal.Failed(
                    prefix + "no answer from plugin " + pluginId + " on node " + asked.nodeId() + "; try again",
                    Effect.NONE));
        }
        return switch (outcome.get()) {
            case OrderOutcome.Done(ControllerReply reply) -> reply;
            case OrderOutcome.Failed failed ->
                throw new Refused(new Refusal.Failed(prefix + failed.message(), Effect.NONE));
        };
    }

    /** A node that has come back may have the instance no more, and not have said so yet. */
    private static boolean isElsewhere(Optional<OrderOutcome> outcome) {
        return outcome.isPresent()
                && outcome.get() instanceof OrderOutcome.Failed failed
                && failed.code().equals(CallEnd.NOT_MADE);
    }

    private static Refused unexpected(String prefix, ControllerReply reply) {
        return new Refused(new Refusal.Failed(
                prefix + "the node answered " + reply.getClass().getSimpleName(), Effect.NONE));
    }

    /**
     * Has a plugin make a snapshot of a volume.
     *
     * @param name the same name of the same volume makes the same snapshot again
     * @param secrets laid over the volume's stored ones
     */
    public Done<ListedSnapshot> createSnapshot(
            VolumeId volume, String name, Map<String, String> parameters, Secrets secrets, Asked asked)
            throws Refused, Trouble, InterruptedException {
        Optional<VolumeRow> row = commits.newest().volume(volume);
        Secrets all = secrets;
        if (row.isPresent()) {
            all = vault.decrypt(row.get().secrets(), Purpose.volume(volume)).overlaidBy(secrets);
        }
        CreateSnapshot command = new CreateSnapshot(
                volume, name, parameters, vault.encrypt(all, Purpose.volume(volume)), commits.seed());
        OperationRow settled = settled(
                commits.once(
                        command, () -> List.of(volume, name, new TreeMap<>(parameters), names(secrets)), REPLY, asked),
                "snapshot " + name + " of volume " + volume.id(),
                asked);
        if (check(settled) instanceof OperationOutcome.SnapshotCreated(ListedSnapshot made)) {
            return new Done<>(made, settled.modifyVersion());
        }
        throw new InvariantBroken("a snapshot's call ends with a snapshot", settled.id());
    }

    /** Has a plugin delete a snapshot; one that is gone is deleted. */
    public long deleteSnapshot(String pluginId, String snapshotId, Secrets secrets, Asked asked)
            throws Refused, Trouble, InterruptedException {
        DeleteSnapshot command = new DeleteSnapshot(
                pluginId, snapshotId, vault.encrypt(secrets, Purpose.snapshot(snapshotId)), commits.seed());
        OperationRow settled = settled(
                commits.once(command, () -> List.of(pluginId, snapshotId, names(secrets)), REPLY, asked),
                "snapshot " + snapshotId,
                asked);
        check(settled);
        return settled.modifyVersion();
    }

    /**
     * The plugin's own list of its snapshots.
     *
     * @param token the plugin's own; empty for the start
     * @param most entries wanted; 0 for the plugin's choice
     */
    public Listed<ListedSnapshot> snapshots(String pluginId, String token, int most, Secrets secrets, Deadline deadline)
            throws Refused, InterruptedException {
        PluginHealth plugin = PluginHealth.of(commits.newest(), pluginId);
        if (plugin.isPresent() && !plugin.can(ControllerCapability.LIST_SNAPSHOTS)) {
            throw new Refused(new Refusal.Conflict("plugin does not support listing snapshots: plugin "
                    + pluginId
                    + " does not announce LIST_SNAPSHOTS; snapshots that were made"
                    + " are used and deleted by their ids all the same"));
        }
        String prefix = "controller list snapshots: ";
        ControllerReply reply =
                ask(pluginId, prefix, new ControllerCall.ListSnapshots(token, most, "", "", secrets), deadline);
        if (reply instanceof ControllerReply.SnapshotsListed(List<ListedSnapshot> entries, String next)) {
            return new Listed<>(entries, next);
        }
        throw unexpected(prefix, reply);
    }

    private long finish(Done<VolumeReply> done, VolumeId id, Asked asked)
            throws Refused, Trouble, InterruptedException {
        if (done.reply() instanceof VolumeReply.Done) {
            return done.version();
        }
        OperationRow settled = settled(done, "volume " + id.id(), asked);
        check(settled);
        return settled.modifyVersion();
    }

    /** The call that was started, once it is settled. */
    private OperationRow settled(Done<VolumeReply> done, String what, Asked asked)
            throws Refused, Trouble, InterruptedException {
        if (!(done.reply() instanceof VolumeReply.Started(String operationId))) {
            throw new InvariantBroken("a call was started for " + what, done.reply());
        }
        return commits.settled(operationId, asked.deadline())
                .orElseThrow(() -> new Refused(new Refusal.NotFound(
                        "the request was carried out, and how it ended is not kept any more: look at " + what)));
    }

    private static OperationOutcome check(OperationRow row) throws Refused {
        OperationOutcome outcome = row.outcome();
        if (outcome == null) {
            throw new InvariantBroken("a settled operation has an outcome", row.id());
        }
        switch (outcome) {
            case OperationOutcome.Failed(Effect effect, String code, String message) ->
                throw new Refused(new Refusal.Failed(code.isEmpty() ? message : prefix(row.call()) + message, effect));
            case OperationOutcome.Abandoned(String by) ->
                throw new Refused(new Refusal.Conflict("it was given up by an operator: " + by));
            case OperationOutcome.Created _,
                    OperationOutcome.Deleted _,
                    OperationOutcome.Published _,
                    OperationOutcome.Unpublished _,
                    OperationOutcome.Confirmed _,
                    OperationOutcome.Expanded _,
                    OperationOutcome.SnapshotCreated _,
                    OperationOutcome.SnapshotDeleted _ -> {}
        }
        return outcome;
    }

    /** As tools know it. */
    private static String prefix(OperationCall call) {
        return switch (call) {
            case OperationCall.Create _ -> "controller create volume: ";
            case OperationCall.Validate _ -> "controller validate volume: ";
            case OperationCall.Delete _ -> "controller delete volume: ";
            case OperationCall.Expand _ -> "unable to expand volume: controller expand volume: ";
            case OperationCall.CreateSnapshot _ -> "controller create snapshot: ";
            case OperationCall.DeleteSnapshot _ -> "controller delete snapshot: ";
            case OperationCall.Publish _ -> "controller attach volume: ";
            case OperationCall.Unpublish _ -> "controller detach volume: ";
        };
    }

    /** Values are left out: what is kept of a request must not tell them. */
    private static String names(Secrets secrets) {
        return secrets.byName().keySet().toString();
    }
}
