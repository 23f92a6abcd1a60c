package io.cleat.agent.plugins;

import io.cleat.base.Deadline;
import io.cleat.base.InvariantBroken;
import io.cleat.base.Ordered;
import io.cleat.base.Secrets;
import io.cleat.csi.CapacityRange;
import io.cleat.csi.ContentSource;
import io.cleat.csi.ControllerExpansion;
import io.cleat.csi.ControllerPublication;
import io.cleat.csi.CsiTrouble;
import io.cleat.csi.ExpandedVolume;
import io.cleat.csi.PluginChannel;
import io.cleat.csi.PluginVolume;
import io.cleat.csi.Snapshot;
import io.cleat.csi.SnapshotOrder;
import io.cleat.csi.SnapshotPage;
import io.cleat.csi.SnapshotQuery;
import io.cleat.csi.StorageCapacity;
import io.cleat.csi.Validation;
import io.cleat.csi.ValidationOrder;
import io.cleat.csi.VolumeCondition;
import io.cleat.csi.VolumeOrder;
import io.cleat.csi.VolumePage;
import io.cleat.csi.VolumeStatus;
import io.cleat.model.ListedSnapshot;
import io.cleat.model.ListedVolume;
import io.cleat.model.MountOptions;
import io.cleat.model.Topology;
import io.cleat.wire.ControllerCall;
import io.cleat.wire.ControllerReply;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The controller calls of the wire, in the words of the CSI client and back. */
record ControllerCalls(PluginChannel plugin, Deadline deadline) {
    private static final Logger LOG = LoggerFactory.getLogger(ControllerCalls.class);

    ControllerReply make(ControllerCall call) throws CsiTrouble, InterruptedException {
        return switch (call) {
            case ControllerCall.Create create -> create(create);
            case ControllerCall.Delete(String externalId, Secrets secrets) -> {
                plugin.controller().delete(externalId, secrets, deadline);
                yield new ControllerReply.Deleted();
            }
            case ControllerCall.Publish publish -> publish(publish);
            case ControllerCall.Unpublish(String externalId, String nodeId, Secrets secrets) -> {
                plugin.controller().unpublish(externalId, nodeId, secrets, deadline);
                yield new ControllerReply.Unpublished();
            }
            case ControllerCall.Validate validate -> validate(validate);
            case ControllerCall.ListVolumes(String token, int most) ->
                new ListedConditions(plugin, deadline)
                        .over(listed(plugin.controller().list(most, token, deadline)));
            case ControllerCall.Expand expand -> expand(expand);
            case ControllerCall.CreateSnapshot create -> createSnapshot(create);
            case ControllerCall.DeleteSnapshot(String snapshotId, Secrets secrets) -> {
                plugin.snapshots().delete(snapshotId, secrets, deadline);
                yield new ControllerReply.SnapshotDeleted();
            }
            case ControllerCall.ListSnapshots list -> listSnapshots(list);
            case ControllerCall.Capacity capacity -> capacity(capacity);
            case ControllerCall.MakeHostVolume _, ControllerCall.DeleteHostVolume _ ->
                throw new InvariantBroken(
                        "a plugin is asked for its own volumes", call.getClass().getName());
        };
    }

    private ControllerReply create(ControllerCall.Create create) throws CsiTrouble, InterruptedException {
        PluginVolume made = plugin.controller()
                .create(
                        new VolumeOrder(
                                create.name(),
                                new CapacityRange(create.capacityMin(), create.capacityMax()),
                                CsiTypes.uses(create.capabilities(), create.mountOptions()),
                                create.parameters(),
                                create.secrets(),
                                CsiTypes.topologies(create.topologies().required()),
                                CsiTypes.topologies(create.topologies().preferred()),
                                source(create),
                                Map.of()),
                        deadline);
        return new ControllerReply.Created(
                made.volumeId(), made.capacityBytes(), Ordered.copyOf(made.context()), reachable(made));
    }

    private static ContentSource source(ControllerCall.Create create) {
        if (!create.snapshotId().isEmpty()) {
            return new ContentSource.FromSnapshot(create.snapshotId());
        }
        return create.cloneId().isEmpty() ? ContentSource.EMPTY : new ContentSource.FromVolume(create.cloneId());
    }

    private ControllerReply publish(ControllerCall.Publish publish) throws CsiTrouble, InterruptedException {
        return new ControllerReply.Published(Secrets.of(plugin.controller()
                .publish(
                        new ControllerPublication(
                                publish.externalId(),
                                publish.externalNodeId(),
                                CsiTypes.use(publish.modes(), publish.mountOptions()),
                                publish.readOnly(),
                                publish.secrets(),
                                publish.context()),
                        deadline)
                .reveal()));
    }

    private ControllerReply validate(ControllerCall.Validate validate) throws CsiTrouble, InterruptedException {
        Validation validation = plugin.controller()
                .validate(
                        new ValidationOrder(
                                validate.externalId(),
                                validate.context(),
                                CsiTypes.uses(validate.capabilities(), MountOptions.NONE),
                                validate.parameters(),
                                validate.secrets()),
                        deadline);
        return switch (validation) {
            case Validation.Confirmed confirmed -> new ControllerReply.Confirmed();
            case Validation.NotConfirmed(String message) -> new ControllerReply.NotConfirmed(message);
        };
    }

    private static ControllerReply.Listed listed(VolumePage page) {
        page.leftOut().forEach(why -> LOG.warn("a volume is left out of a plugin's list: {}", why));
        return new ControllerReply.Listed(
                page.entries().stream().map(ControllerCalls::entry).toList(), page.nextToken());
    }

    private static ListedVolume entry(VolumeStatus status) {
        Optional<VolumeCondition> condition = status.condition();
        return new ListedVolume(
                status.volume().volumeId(),
                status.volume().capacityBytes(),
                Ordered.copyOf(status.volume().context()),
                List.copyOf(status.publishedNodeIds()),
                condition.map(VolumeCondition::abnormal).orElse(false),
                condition.map(VolumeCondition::message).orElse(""));
    }

    private ControllerReply expand(ControllerCall.Expand expand) throws CsiTrouble, InterruptedException {
        ExpandedVolume expanded = plugin.controller()
                .expand(
                        new ControllerExpansion(
                                expand.externalId(),
                                new CapacityRange(expand.capacityMin(), expand.capacityMax()),
                                Optional.ofNullable(expand.modes())
                                        .map(modes -> CsiTypes.use(modes, expand.mountOptions())),
                                expand.secrets()),
                        deadline);
        return new ControllerReply.Expanded(expanded.capacityBytes(), expanded.nodeExpansionRequired());
    }

    private ControllerReply createSnapshot(ControllerCall.CreateSnapshot create)
            throws CsiTrouble, InterruptedException {
        return new ControllerReply.SnapshotCreated(snapshot(plugin.snapshots()
                .create(
                        new SnapshotOrder(
                                create.sourceExternalId(),
                                create.name(),
                                create.parameters(),
                                create.secrets(),
                                List.of(),
                                List.of()),
                        deadline)));
    }

    private ControllerReply listSnapshots(ControllerCall.ListSnapshots list) throws CsiTrouble, InterruptedException {
        SnapshotPage page = plugin.snapshots()
                .list(
                        new SnapshotQuery(
                                list.most(), list.token(), list.sourceExternalId(), list.snapshotId(), list.secrets()),
                        deadline);
        return new ControllerReply.SnapshotsListed(
                page.snapshots().stream().map(ControllerCalls::snapshot).toList(), page.nextToken());
    }

    private static ListedSnapshot snapshot(Snapshot snapshot) {
        return new ListedSnapshot(
                snapshot.snapshotId(),
                snapshot.sourceVolumeId(),
                snapshot.sizeBytes(),
                snapshot.createdAt(),
                snapshot.ready());
    }

    private ControllerReply capacity(ControllerCall.Capacity capacity) throws CsiTrouble, InterruptedException {
        StorageCapacity room = plugin.controller()
                .capacity(
                        CsiTypes.uses(capacity.capabilities(), capacity.mountOptions()),
                        capacity.parameters(),
                        Optional.ofNullable(capacity.from()).map(from -> io.cleat.csi.Topology.of(from.segments())),
                        deadline);
        return new ControllerReply.Room(
                room.availableBytes(),
                room.largestVolumeBytes().orElse(0),
                room.smallestVolumeBytes().orElse(0));
    }

    private static List<Topology> reachable(PluginVolume volume) {
        return volume.topologies().stream()
                .map(each -> new Topology(each.segments()))
                .toList();
    }
}
