package io.cleat.schedule;

import io.cleat.model.AccessMode;
import io.cleat.model.HostVolume;
import io.cleat.model.HostVolumeNames;
import io.cleat.model.JobId;
import io.cleat.model.TaskGroup;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeRequest;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClusterState;
import io.cleat.state.Fit;
import io.cleat.state.HostVolumeRow;
import io.cleat.state.NodeRow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A node must have the host volumes that an allocation asks for, in the way it asks for them: those that its operator
 * has named, and those that were made for the job's namespace. Where the group keeps its volumes, it must have the one
 * that was used last under the allocation's name.
 */
final class HostVolumeFilter implements NodeFilter {
    /** The words that tools know. */
    private static final String MISSING = "missing compatible host volumes";

    private final ClusterState state;
    private final JobId job;
    private final TaskGroup group;
    private final List<VolumeRequest> requests;
    private final Proposed proposed;
    private final String allocName;
    private final Map<String, VolumeId> kept = new HashMap<>();

    /**
     * @param requests of the group for host volumes
     * @param isEverywhere whether the group has an allocation on each node, which has the volume of its node
     */
    HostVolumeFilter(
            ClusterState state,
            JobId job,
            TaskGroup group,
            List<VolumeRequest> requests,
            Proposed proposed,
            Placer.Called called,
            boolean isEverywhere) {
        this.state = state;
        this.job = job;
        this.group = group;
        this.requests = List.copyOf(requests);
        this.proposed = proposed;
        this.allocName = called.allocName();
        if (!isEverywhere) {
            for (VolumeRequest request : requests) {
                KeptVolume.of(state, job, group.name(), allocName, called.canary(), request, proposed::isStopped)
                        .ifPresent(claim -> kept.put(request.alias(), claim.volume()));
            }
        }
    }

    @Override
    public Optional<Rejection> reject(NodeRow node) {
        return requests.stream()
                .flatMap(request -> reject(node, request).stream())
                .findFirst();
    }

    private Optional<Rejection> reject(NodeRow node, VolumeRequest request) {
        String name = request.volumeFor(allocName);
        HostVolume told = node.facts().hostVolumes().get(name);
        VolumeId wanted = kept.get(request.alias());
        if (wanted != null && (told == null || !told.id().equals(HostVolumeNames.id(wanted)))) {
            return Optional.of(new Rejection(MISSING, wanted));
        }
        if (told == null) {
            return Optional.of(Rejection.of(MISSING));
        }
        if (told.id().isEmpty()) {
            return !request.isSticky() && (request.readOnly() || !told.readOnly())
                    ? Optional.empty()
                    : Optional.of(Rejection.of(MISSING));
        }
        Optional<HostVolumeRow> made = state.hostVolumes()
                .find(HostVolumeRow.key(told.id()))
                .filter(row -> row.spec().namespace().equals(job.namespace()))
                .filter(row -> row.state(state) == HostVolumeRow.State.READY);
        return made.isEmpty() ? Optional.of(Rejection.of(MISSING)) : claim(node, request, made.get());
    }

    private Optional<Rejection> claim(NodeRow node, VolumeRequest request, HostVolumeRow volume) {
        Fit fit = Fit.of(state, volume, request.modes(), request.readOnly(), node.id(), job, "");
        return switch (fit) {
            case Fit.Free _ ->
                isTakenByPlan(node, request) ? Optional.of(new Rejection(MISSING, volume.id())) : Optional.empty();
            case Fit.BehindOwn(ClaimRow holder) ->
                gives(holder) ? Optional.empty() : Optional.of(new Rejection(MISSING, volume.id()));
            case Fit.Held _ -> Optional.of(new Rejection(MISSING, volume.id()));
            case Fit.Unusable unusable -> Optional.of(new Rejection(MISSING, volume.id(), unusable));
        };
    }

    /** Whether one of the job's own makes room for it: one that stays would keep it for ever. */
    private boolean gives(ClaimRow holder) {
        return proposed.isStopped(holder.allocId())
                || state.allocation(holder.allocId())
                        .map(AllocationRow::isTerminal)
                        .orElse(true);
    }

    /** Whether the plan has one of the group write there alone already. */
    private boolean isTakenByPlan(NodeRow node, VolumeRequest request) {
        return request.modes().access() == AccessMode.SINGLE_NODE_SINGLE_WRITER
                && !request.readOnly()
                && proposed.isPlacedOn(node.id(), group.name());
    }
}
