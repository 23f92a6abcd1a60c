package io.cleat.schedule;

import io.cleat.model.HostVolume;
import io.cleat.model.JobId;
import io.cleat.model.VolumeRequest;
import io.cleat.state.ClusterState;
import io.cleat.state.Fit;
import io.cleat.state.HostVolumeRow;
import io.cleat.state.NodeRow;
import java.util.List;
import java.util.Optional;

/**
 * A node must have the host volumes that an allocation asks for, in the way it asks for them: those
 * that its operator has named, and those that were made for the job's namespace.
 */
final class HostVolumeFilter implements NodeFilter {
    /** The words that tools know. */
    private static final String MISSING = "missing compatible host volumes";

    private final ClusterState state;
    private final JobId job;
    private final List<VolumeRequest> requests;
    private final String allocName;

    /**
     * @param requests for host volumes
     */
    HostVolumeFilter(
            ClusterState state, JobId job, List<VolumeRequest> requests, String allocName) {
        this.state = state;
        this.job = job;
        this.requests = List.copyOf(requests);
        this.allocName = allocName;
    }

    @Override
    public Optional<Rejection> reject(NodeRow node) {
        return requests.stream().flatMap(request -> reject(node, request).stream()).findFirst();
    }

    private Optional<Rejection> reject(NodeRow node, VolumeRequest request) {
        String name = request.volumeFor(allocName);
        HostVolume told = node.facts().hostVolumes().get(name);
        if (told == null) {
            return Optional.of(Rejection.of(MISSING));
        }
        if (told.id().isEmpty()) {
            return request.readOnly() || !told.readOnly()
                    ? Optional.empty()
                    : Optional.of(Rejection.of(MISSING));
        }
        Optional<HostVolumeRow> made =
                state.hostVolumes()
                        .find(HostVolumeRow.key(told.id()))
                        .filter(row -> row.spec().namespace().equals(job.namespace()))
                        .filter(row -> row.state(state) == HostVolumeRow.State.READY);
        return made.isEmpty()
                ? Optional.of(Rejection.of(MISSING))
                : claim(node, request, made.get());
    }

    private Optional<Rejection> claim(NodeRow node, VolumeRequest request, HostVolumeRow volume) {
        Fit fit = Fit.of(state, volume, request.modes(), request.readOnly(), node.id(), job, "");
        return switch (fit) {
            case Fit.Free _, Fit.BehindOwn _ -> Optional.empty();
            case Fit.Held _ -> Optional.of(new Rejection(MISSING, volume.id()));
            case Fit.Unusable unusable ->
                    Optional.of(new Rejection(MISSING, volume.id(), unusable));
        };
    }
}
