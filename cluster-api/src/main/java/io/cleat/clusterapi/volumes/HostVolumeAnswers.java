package io.cleat.clusterapi.volumes;

import io.cleat.api.AllocationStub;
import io.cleat.api.Answer;
import io.cleat.api.AnswerMeta;
import io.cleat.api.Constraint;
import io.cleat.api.HostVolume;
import io.cleat.api.HostVolumeClaim;
import io.cleat.api.HostVolumeConversion;
import io.cleat.api.HostVolumeDeleteResponse;
import io.cleat.api.HostVolumeRequest;
import io.cleat.api.HostVolumeResponse;
import io.cleat.api.HostVolumeStub;
import io.cleat.api.Nanos;
import io.cleat.api.Rows;
import io.cleat.api.VolumeWhy;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.clusterapi.allocations.AllocationView;
import io.cleat.clusterapi.query.Reading;
import io.cleat.clusterapi.query.Readings;
import io.cleat.http.ListQuery;
import io.cleat.http.ReadQuery;
import io.cleat.http.ShownNamespaces;
import io.cleat.http.WriteQuery;
import io.cleat.model.BlockedBy;
import io.cleat.model.HostVolumeNames;
import io.cleat.model.HostVolumeSpec;
import io.cleat.model.VolumeId;
import io.cleat.server.intake.Done;
import io.cleat.server.intake.Requests;
import io.cleat.server.intake.Versions;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClusterState;
import io.cleat.state.HostVolumeOrder;
import io.cleat.state.HostVolumeRow;
import io.cleat.state.NodeRow;
import io.cleat.state.NodeStatus;
import io.cleat.state.StickyClaimRow;
import io.cleat.state.TableName;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Host volumes over the server. Reads wait on their table and on that of nodes, which say whether they are there. */
public final class HostVolumeAnswers {
    private static final Versions VERSION = new Versions(
            Set.of(TableName.HOST_VOLUMES, TableName.NODES),
            state -> Math.max(
                    1,
                    Math.max(
                            state.version(TableName.HOST_VOLUMES),
                            state.count(TableName.HOST_VOLUMES) == 0 ? 0 : state.version(TableName.NODES))));

    private static final Versions CLAIMS =
            new Versions(Set.of(TableName.STICKY_CLAIMS), state -> Math.max(1, state.version(TableName.STICKY_CLAIMS)));

    private final Readings readings;
    private final Requests requests;

    public HostVolumeAnswers(Readings readings, Requests requests) {
        this.readings = readings;
        this.requests = requests;
    }

    /**
     * Those whose name or id begins with the prefix.
     *
     * @param nodeId where they are; empty for any
     * @param nodePool of that node; empty for any
     */
    public Answer<Rows<HostVolumeStub>> list(ListQuery query, String nodeId, String nodePool)
            throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query.read(), VERSION);
        ClusterState state = reading.state();
        ShownNamespaces shown = query.read().shown();
        List<HostVolumeRow> rows = state.hostVolumes().from(HostVolumeRow.FIRST).stream()
                .filter(row -> shown.has(row.spec().namespace()))
                .filter(row -> nodeId.isEmpty() || row.spec().nodeId().equals(nodeId))
                .filter(row -> nodePool.isEmpty() || row.spec().nodePool().equals(nodePool))
                .filter(row -> row.spec().name().startsWith(query.prefix())
                        || row.spec().id().startsWith(query.prefix()))
                .toList();
        return query.page(
                (query.reverse() ? rows.reversed() : rows)::stream,
                row -> row.spec().namespace() + "." + row.spec().id(),
                row -> whole(state, row),
                row -> stub(state, row),
                reading.meta());
    }

    public Answer<Optional<HostVolume>> get(ReadQuery query, String id) throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query, VERSION);
        ClusterState state = reading.state();
        return new Answer<>(
                state.hostVolumes()
                        .find(HostVolumeRow.key(id))
                        .filter(row -> query.shown().has(row.spec().namespace()))
                        .map(row -> whole(state, row)),
                reading.meta());
    }

    /** Has a node make one; with an id, changes a known one. */
    public Answer<HostVolumeResponse> create(WriteQuery query, HostVolumeRequest request)
            throws Refused, Trouble, InterruptedException {
        HostVolume given = given(request);
        return stored(requests.hostVolumes()
                .put(HostVolumeConversion.toCreate(given, query.namespace()), "", requests.asked(query.requestId())));
    }

    /** Takes in a directory that a node has; with an id, changes a known one. */
    public Answer<HostVolumeResponse> register(WriteQuery query, HostVolumeRequest request)
            throws Refused, Trouble, InterruptedException {
        HostVolume given = given(request);
        return stored(requests.hostVolumes()
                .put(
                        HostVolumeConversion.toRegister(given, query.namespace()),
                        given.HostPath(),
                        requests.asked(query.requestId())));
    }

    private static HostVolume given(HostVolumeRequest request) throws Refused {
        HostVolume given = request.Volume();
        if (given == null) {
            throw new Refused(new Refusal.Invalid("missing volume definition"));
        }
        return given;
    }

    private Answer<HostVolumeResponse> stored(Done<HostVolumeRow> put) throws Refused, Trouble, InterruptedException {
        ClusterState state = readings.images().read(true);
        HostVolumeRow row = state.hostVolumes().find(put.reply().key()).orElse(put.reply());
        return new Answer<>(
                new HostVolumeResponse(put.version(), whole(state, row), ""), AnswerMeta.ofLeader(put.version()));
    }

    /** @param force forgets one whose node is not known any more */
    public Answer<HostVolumeDeleteResponse> delete(WriteQuery query, String id, boolean force)
            throws Refused, Trouble, InterruptedException {
        VolumeId volume = HostVolumeNames.volume(query.namespace(), id);
        long version = requests.hostVolumes().delete(volume, force, requests.asked(query.requestId()));
        return new Answer<>(new HostVolumeDeleteResponse(version), AnswerMeta.ofLeader(version));
    }

    /**
     * Which of them task groups keep: claims whose id begins with the prefix.
     *
     * @param jobId empty for any
     * @param taskGroup empty for any
     * @param volumeName empty for any
     */
    public Answer<Rows<HostVolumeClaim>> claims(ListQuery query, String jobId, String taskGroup, String volumeName)
            throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query.read(), CLAIMS);
        ShownNamespaces shown = query.read().shown();
        List<StickyClaimRow> rows = reading.state().stickyClaims().from(query.prefix()).stream()
                .takeWhile(row -> row.id().startsWith(query.prefix()))
                .filter(row -> shown.has(row.job().namespace()))
                .filter(row -> jobId.isEmpty() || row.job().id().equals(jobId))
                .filter(row -> taskGroup.isEmpty() || row.group().equals(taskGroup))
                .filter(row -> volumeName.isEmpty() || row.volumeName().equals(volumeName))
                .toList();
        return query.page(
                (query.reverse() ? rows.reversed() : rows)::stream,
                StickyClaimRow::id,
                HostVolumeAnswers::claim,
                HostVolumeAnswers::claim,
                reading.meta());
    }

    private static HostVolumeClaim claim(StickyClaimRow row) {
        return new HostVolumeClaim(
                row.allocId(),
                row.createVersion(),
                row.id(),
                row.job().id(),
                row.modifyVersion(),
                row.job().namespace(),
                row.group(),
                HostVolumeNames.id(row.volume()),
                row.volumeName());
    }

    /** Lets a group have another one. */
    public AnswerMeta deleteClaim(WriteQuery query, String id) throws Refused, Trouble, InterruptedException {
        return AnswerMeta.ofLeader(
                requests.hostVolumes().deleteClaim(query.namespace(), id, requests.asked(query.requestId())));
    }

    private static HostVolumeStub stub(ClusterState state, HostVolumeRow row) {
        HostVolumeSpec spec = row.spec();
        return new HostVolumeStub(
                row.capacity(),
                row.createVersion(),
                Nanos.of(row.createdAt()),
                spec.id(),
                row.modifyVersion(),
                Nanos.of(row.modifiedAt()),
                spec.name(),
                spec.namespace(),
                spec.nodeId(),
                spec.nodePool(),
                spec.pluginId(),
                row.state(state).wire());
    }

    /** What its node has not answered; a node that is not heard is not asked. */
    private static VolumeWhy.@Nullable Waiting waiting(ClusterState state, HostVolumeRow row) {
        HostVolumeOrder order = row.order();
        if (order == null) {
            return null;
        }
        Optional<NodeRow> node = state.node(row.spec().nodeId());
        BlockedBy told = order.blockedBy();
        boolean isHeard = node.filter(each -> each.status() == NodeStatus.READY).isPresent();
        BlockedBy now = isHeard || told.nextTry() == null
                ? told
                : new BlockedBy(
                        told.step(),
                        told.holder(),
                        told.since(),
                        null,
                        told.hint()
                                + "; the node "
                                + node.map(each -> "is " + each.status().wire()).orElse("is not known any more")
                                + ", and is asked once it is heard");
        return WhyView.waiting("volume " + row.spec().name(), now);
    }

    public static HostVolume whole(ClusterState state, HostVolumeRow row) {
        HostVolumeSpec spec = row.spec();
        List<AllocationStub> users = AllocationView.stubs(
                state,
                state.claims().of(row.key()).stream()
                        .map(ClaimRow::allocId)
                        .distinct()
                        .flatMap(id -> state.allocation(id).stream())
                        .toList());
        return new HostVolume(
                users.isEmpty() ? null : users,
                waiting(state, row),
                row.capacity(),
                spec.constraints().isEmpty()
                        ? null
                        : spec.constraints().stream()
                                .map(c -> new Constraint(c.left(), c.operand(), c.right()))
                                .toList(),
                row.createVersion(),
                Nanos.of(row.createdAt()),
                row.hostPath(),
                spec.id(),
                row.modifyVersion(),
                Nanos.of(row.modifiedAt()),
                spec.name(),
                spec.namespace(),
                spec.nodeId(),
                spec.nodePool(),
                spec.parameters().isEmpty() ? null : new TreeMap<>(spec.parameters()),
                spec.pluginId(),
                VolumeView.capabilities(spec.capabilities()),
                spec.capacityMax(),
                spec.capacityMin(),
                row.state(state).wire());
    }
}
