package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.model.HostVolumeNames;
import io.cleat.model.HostVolumeSpec;
import io.cleat.schedule.HostVolumePlace;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.HostVolumeRow;
import io.cleat.state.NodeRow;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Notes a host volume, on a node that may have it, before that node is asked to make it; or has a known one used in
 * other ways.
 *
 * @param spec valid; without a node if any may have it
 * @param isKnown whether one with that id is to be there
 * @param path of the directory that its node is to take in; empty for one that it is to make
 */
public record PutHostVolume(HostVolumeSpec spec, boolean isKnown, String path) implements Command<HostVolumeReply> {
    @Override
    public Decision<Change, HostVolumeReply> decide(ClusterState newest, DecideContext context) {
        Optional<HostVolumeRow> known = newest.hostVolumes().find(HostVolumeRow.key(spec.id()));
        Optional<Refusal> refusal = tooEarly(context)
                .or(() -> NamespaceRules.missing(newest, context, spec))
                .or(() -> isKnown ? changed(newest, known) : Optional.empty());
        if (refusal.isPresent()) {
            return Work.refuse(refusal.get());
        }
        Work work = new Work(newest, context);
        if (known.isPresent()) {
            HostVolumeSpec there = known.get().spec();
            work.add(new Change.HostVolumePut(
                    known.get().withSpec(spec.on(there.nodeId(), there.nodePool()), work.now())));
            Wakes.volumes(work, Set.of(known.get().key()));
        } else {
            switch (HostVolumePlace.find(newest, spec)) {
                case HostVolumePlace.Nowhere(Refusal why) -> {
                    return Work.refuse(why);
                }
                case HostVolumePlace.On(NodeRow node) ->
                    work.add(new Change.HostVolumePut(HostVolumeOrders.begun(
                            work,
                            HostVolumeRow.of(spec.on(node.id(), node.facts().nodePool()), work.now()),
                            path)));
            }
        }
        return work.accept(new HostVolumeReply(HostVolumeNames.volume(spec.namespace(), spec.id()), false));
    }

    static Optional<Refusal> tooEarly(DecideContext context) {
        return context.featureLevel() >= Change.HOST_VOLUMES_LEVEL
                ? Optional.empty()
                : Optional.of(
                        new Refusal.Conflict("not every server reads host volumes yet: update all of them first"));
    }

    /** What of a known one is as it was made, and who uses it. */
    private Optional<Refusal> changed(ClusterState newest, Optional<HostVolumeRow> known) {
        if (known.isEmpty() || !known.get().spec().namespace().equals(spec.namespace())) {
            return Optional.of(new Refusal.NotFound("no such volume: " + spec.id()));
        }
        HostVolumeRow row = known.get();
        List<String> fixed = Stream.of(
                        fixed("name", spec.name(), row.spec().name()),
                        fixed("plugin ID", spec.pluginId(), row.spec().pluginId()),
                        spec.nodeId().isEmpty()
                                ? Optional.<String>empty()
                                : fixed("node ID", spec.nodeId(), row.spec().nodeId()),
                        spec.nodePool().isEmpty()
                                ? Optional.<String>empty()
                                : fixed("node pool", spec.nodePool(), row.spec().nodePool()))
                .flatMap(Optional::stream)
                .toList();
        if (!fixed.isEmpty()) {
            return Optional.of(new Refusal.Conflict("unable to update volume: " + String.join(", ", fixed)));
        }
        if (!spec.capabilities().equals(row.spec().capabilities())
                && !Claims.holders(newest, row.key()).isEmpty()) {
            return Optional.of(new Refusal.Conflict(
                    "unable to update volume: its capabilities cannot be updated while it is in use"));
        }
        return Optional.empty();
    }

    private static Optional<String> fixed(String what, String wanted, String is) {
        return wanted.equals(is)
                ? Optional.empty()
                : Optional.of("volume " + what + " cannot be updated: it is \"" + is + "\"");
    }
}
