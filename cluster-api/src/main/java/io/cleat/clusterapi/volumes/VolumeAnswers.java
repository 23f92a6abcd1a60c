package io.cleat.clusterapi.volumes;

import io.cleat.api.Answer;
import io.cleat.api.AnswerMeta;
import io.cleat.api.CsiVolume;
import io.cleat.api.CsiVolumeRequest;
import io.cleat.api.CsiVolumeResponse;
import io.cleat.api.CsiVolumeStub;
import io.cleat.api.ExternalVolume;
import io.cleat.api.ExternalVolumeResponse;
import io.cleat.api.Rows;
import io.cleat.api.VolumeConversion;
import io.cleat.api.VolumeOperation;
import io.cleat.api.VolumeOperationCancelResponse;
import io.cleat.api.VolumeWhy;
import io.cleat.base.Refused;
import io.cleat.base.Secrets;
import io.cleat.base.Trouble;
import io.cleat.clusterapi.plugins.KnownCounts;
import io.cleat.clusterapi.query.ListOfViews;
import io.cleat.clusterapi.query.Ranges;
import io.cleat.clusterapi.query.Reading;
import io.cleat.clusterapi.query.Readings;
import io.cleat.clusterapi.query.RenderedRows;
import io.cleat.http.ListQuery;
import io.cleat.http.ReadQuery;
import io.cleat.http.WriteQuery;
import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.Listed;
import io.cleat.model.ListedVolume;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeSpec;
import io.cleat.server.decide.CancelOperation;
import io.cleat.server.intake.Asked;
import io.cleat.server.intake.Done;
import io.cleat.server.intake.Requests;
import io.cleat.server.intake.Versions;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClusterState;
import io.cleat.state.OperationRow;
import io.cleat.state.TableName;
import io.cleat.state.VolumeRow;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Volumes over the server. Reads wait on the table of volumes, which claims touch too. */
public final class VolumeAnswers {
    private static final Versions VERSION = Versions.of(TableName.VOLUMES);
    private static final Versions WHY_VERSION = Versions.of(
            TableName.VOLUMES,
            TableName.CLAIMS,
            TableName.ATTACHMENTS,
            TableName.OPERATIONS,
            TableName.EVALUATIONS,
            TableName.ALLOCATIONS,
            TableName.PLUGINS);

    private static final Versions OPERATIONS_VERSION = Versions.of(TableName.OPERATIONS);

    /** As many rows of a list may be kept as JSON. */
    private static final int KEPT_ROWS = 5000;

    /** The JSON of a volume that more allocations use is made as it is written, and never whole. */
    private static final int KEPT_USERS = 100;

    /** Without access control nobody has a name: whoever reaches the socket is an operator. */
    private static final String OPERATOR = "an operator";

    private final Readings readings;
    private final Requests requests;
    private final KnownCounts counts;
    private final RenderedRows<VolumeId, VolumeRow, VolumeView.Beside> rendered = RenderedRows.atOnce(8 << 20);
    private final RenderedRows<VolumeId, VolumeRow, VolumeView.Around> whole = RenderedRows.onceReadAgain(4 << 20);

    public VolumeAnswers(Readings readings, Requests requests, KnownCounts counts) {
        this.readings = readings;
        this.requests = requests;
        this.counts = counts;
    }

    /**
     * Volumes in the order of namespace and id; the token of one is {@code namespace.id}. The filter looks at the
     * {@link CsiVolume}.
     *
     * @param pluginId only those of this plugin; empty for all
     * @param nodeId only those that allocations on this node use; empty for all
     */
    public Answer<Rows<CsiVolumeStub>> list(ListQuery query, String pluginId, String nodeId)
            throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query.read(), VERSION);
        ClusterState state = reading.state();
        VolumeView view = new VolumeView(state, counts.in(state));
        Ranges.Ordered<Ranges.Name, VolumeRow> ordered =
                nodeId.isEmpty() ? ordered(state, pluginId) : ofNode(state, pluginId, usedOn(state, nodeId));
        return query.page(
                Ranges.named(query, ordered, VolumeAnswers::name),
                row -> name(row).token(),
                view::whole,
                view::stub,
                isKept(query, state) ? row -> written(view, row) : view::stub,
                reading.meta());
    }

    /** Whether a list is short enough to leave the rows kept that others look at. */
    private static boolean isKept(ListQuery query, ClusterState state) {
        return query.perPage() > 0 ? query.perPage() <= KEPT_ROWS : state.count(TableName.VOLUMES) <= KEPT_ROWS;
    }

    private Object written(VolumeView view, VolumeRow row) {
        VolumeView.Beside beside = view.beside(row);
        return rendered.of(row.id(), row, beside, () -> VolumeView.stub(row, beside));
    }

    private static Ranges.Name name(VolumeRow row) {
        return new Ranges.Name(row.id().namespace(), row.id().id());
    }

    /** The volumes of a plugin, or all. */
    private static Ranges.Ordered<Ranges.Name, VolumeRow> ordered(ClusterState state, String pluginId) {
        return pluginId.isEmpty()
                ? Ranges.ordered(
                        from -> state.volumesFrom(id(from)),
                        before -> state.scans().volumesBefore(id(before)))
                : Ranges.ordered(
                        from -> state.volumesOfPlugin(pluginId, id(from)),
                        before -> state.scans().volumesOfPluginBefore(pluginId, id(before)));
    }

    /** Those of a plugin, or all, that a node uses: looked up, not looked for among all. */
    private static Ranges.Ordered<Ranges.Name, VolumeRow> ofNode(
            ClusterState state, String pluginId, NavigableSet<VolumeId> used) {
        return Ranges.ordered(
                from -> rows(state, pluginId, used.tailSet(id(from), true)),
                before -> rows(state, pluginId, used.headSet(id(before), false).descendingSet()));
    }

    private static List<VolumeRow> rows(ClusterState state, String pluginId, SortedSet<VolumeId> ids) {
        return ids.stream()
                .flatMap(id -> state.volume(id).stream())
                .filter(row -> pluginId.isEmpty() || row.spec().pluginId().equals(pluginId))
                .toList();
    }

    private static VolumeId id(Ranges.Name name) {
        return new VolumeId(name.namespace(), name.id());
    }

    /** What allocations of a node use, as their jobs say, and what those that are over still hold. */
    private static NavigableSet<VolumeId> usedOn(ClusterState state, String nodeId) {
        NavigableSet<VolumeId> ids = new TreeSet<>();
        for (ClaimRow claim : state.claims().onNode(nodeId)) {
            if (claim.holds()) {
                ids.add(claim.volume());
            }
        }
        for (AllocationRow allocation : state.allocationsOnNode(nodeId)) {
            if (allocation.desired() != DesiredStatus.RUN && allocation.status() != ClientStatus.RUNNING) {
                continue;
            }
            state.jobVersion(allocation.jobVersion())
                    .flatMap(jobVersion -> jobVersion.spec().group(allocation.group()))
                    .ifPresent(group -> group.volumes().values().stream()
                            .filter(request -> !request.isForHost())
                            .forEach(request -> ids.add(
                                    new VolumeId(allocation.job().namespace(), request.volumeFor(allocation.name())))));
        }
        return ids;
    }

    /** The {@link CsiVolume}. */
    public Answer<Optional<Object>> get(ReadQuery query, String id) throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query, VERSION);
        VolumeView view = new VolumeView(reading.state(), counts.in(reading.state()));
        return new Answer<>(
                reading.state().volume(new VolumeId(query.namespace(), id)).map(row -> whole(view, row)),
                reading.meta());
    }

    private Object whole(VolumeView view, VolumeRow row) {
        VolumeView.Around around = view.around(row);
        return around.users().size() > KEPT_USERS
                ? VolumeView.whole(row, around)
                : whole.of(row.id(), row, around, () -> VolumeView.whole(row, around));
    }

    /** Why the volume is as it is. */
    public Answer<Optional<VolumeWhy>> why(ReadQuery query, String id) throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query, WHY_VERSION);
        return new Answer<>(WhyView.of(reading.state(), new VolumeId(query.namespace(), id)), reading.meta());
    }

    /**
     * The plugins' calls about volumes and snapshots that are not settled; those that attach and detach are told by the
     * claims that wait for them.
     *
     * @param about the id of a volume or snapshot; empty for all
     */
    public Answer<List<VolumeOperation>> operations(ReadQuery query, String about)
            throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query, OPERATIONS_VERSION);
        List<OperationRow> rows = reading.state().operations().all().stream()
                .filter(OperationView::isPending)
                .filter(row -> about.isEmpty() || OperationView.isAbout(row, about))
                .filter(row -> isIn(query, row))
                .toList();
        return new Answer<>(new ListOfViews<>(rows, OperationView::of), reading.meta());
    }

    /** Has a call undone that makes or deletes a volume or a snapshot. */
    public Answer<VolumeOperationCancelResponse> cancel(WriteQuery query, String operationId)
            throws Refused, Trouble, InterruptedException {
        Done<CancelOperation.Reply> cancelled =
                requests.operations().cancel(operationId, OPERATOR, requests.deadline());
        return new Answer<>(
                new VolumeOperationCancelResponse(
                        cancelled.version(), cancelled.reply().message()),
                AnswerMeta.ofLeader(cancelled.version()));
    }

    /** A snapshot is in no namespace: its deletion is shown in each. */
    private static boolean isIn(ReadQuery query, OperationRow row) {
        return row.call().about().map(id -> query.shown().has(id.namespace())).orElse(true);
    }

    /** Registers volumes that exist at their plugin, or changes registered ones. */
    public Answer<CsiVolumeResponse> register(WriteQuery query, CsiVolumeRequest request)
            throws Refused, Trouble, InterruptedException {
        return write(query, request, requests.volumes()::register);
    }

    /** Creates volumes at their plugin and registers them; one that is registered is changed. */
    public Answer<CsiVolumeResponse> create(WriteQuery query, CsiVolumeRequest request)
            throws Refused, Trouble, InterruptedException {
        return write(query, request, requests.volumes()::create);
    }

    /** One of the two ways to store a volume. */
    private interface Store {
        long store(VolumeSpec volume, Secrets secrets, Asked asked) throws Refused, Trouble, InterruptedException;
    }

    /** All are checked before the first is stored; then each has an outcome of its own. */
    private Answer<CsiVolumeResponse> write(WriteQuery query, CsiVolumeRequest request, Store store)
            throws Refused, Trouble, InterruptedException {
        List<CsiVolume> given = request.Volumes() == null ? List.of() : request.Volumes();
        List<VolumeSpec> specs = new ArrayList<>();
        for (CsiVolume volume : given) {
            specs.add(VolumeConversion.toSpec(volume, query.namespace()));
        }
        Outcomes outcomes = new Outcomes(query.requestId(), specs.size());
        AtomicLong version = new AtomicLong();
        for (int i = 0; i < specs.size(); i++) {
            VolumeSpec spec = specs.get(i);
            Secrets secrets = Objects.requireNonNullElse(given.get(i).Secrets(), Secrets.none());
            outcomes.next(
                    "volume " + spec.id().id(),
                    requestId -> version.set(store.store(spec, secrets, requests.asked(requestId))));
        }
        outcomes.end();
        return stored(specs, version.get());
    }

    private Answer<CsiVolumeResponse> stored(List<VolumeSpec> specs, long version)
            throws Refused, Trouble, InterruptedException {
        ClusterState state = readings.images().read(true);
        VolumeView view = new VolumeView(state, counts.in(state));
        List<CsiVolume> volumes = specs.stream()
                .flatMap(spec -> state.volume(spec.id()).stream())
                .map(view::whole)
                .toList();
        return new Answer<>(new CsiVolumeResponse(version, true, 0, "", volumes, ""), AnswerMeta.ofLeader(version));
    }

    /**
     * Forgets a volume; its plugin is not called.
     *
     * @param force though claims of ended allocations remain
     */
    public AnswerMeta deregister(WriteQuery query, String id, boolean force)
            throws Refused, Trouble, InterruptedException {
        return AnswerMeta.ofLeader(requests.volumes()
                .deregister(new VolumeId(query.namespace(), id), force, requests.asked(query.requestId())));
    }

    /**
     * Deletes a volume at its plugin and forgets it.
     *
     * @param secrets laid over the stored ones
     */
    public AnswerMeta delete(WriteQuery query, String id, Secrets secrets)
            throws Refused, Trouble, InterruptedException {
        return AnswerMeta.ofLeader(requests.volumes()
                .delete(new VolumeId(query.namespace(), id), secrets, requests.asked(query.requestId())));
    }

    /**
     * Releases what ended allocations on a node still hold of a volume.
     *
     * @param abandon gives up a release whose outcome stays unknown: the operator vouches for it
     * @param machineIsOff name or id of the node whose machine the operator says is off; empty for no such word
     */
    public AnswerMeta detach(WriteQuery query, String id, String nodeId, boolean abandon, String machineIsOff)
            throws Refused, Trouble, InterruptedException {
        return AnswerMeta.ofLeader(requests.volumes()
                .detach(
                        new VolumeId(query.namespace(), id),
                        nodeId,
                        abandon,
                        machineIsOff,
                        OPERATOR,
                        requests.asked(query.requestId()))
                .version());
    }

    /**
     * The plugin's own list.
     *
     * @param nextToken the plugin's own token; empty for the first page
     */
    public ExternalVolumeResponse external(ReadQuery query, String pluginId, int perPage, String nextToken)
            throws Refused, Trouble, InterruptedException {
        Listed<ListedVolume> listed = requests.volumes().external(pluginId, nextToken, perPage, requests.deadline());
        int shown = listed.entries().size();
        List<ListedVolume> entries = listed.entries().subList(0, perPage > 0 ? Math.min(perPage, shown) : shown);
        return new ExternalVolumeResponse(
                0, false, 0, listed.nextToken(), orNull(new ListOfViews<>(entries, VolumeAnswers::external)));
    }

    private static @Nullable List<ExternalVolume> orNull(List<ExternalVolume> volumes) {
        return volumes.isEmpty() ? null : volumes;
    }

    private static ExternalVolume external(ListedVolume entry) {
        return new ExternalVolume(
                entry.capacity(),
                "",
                entry.externalId(),
                entry.abnormal(),
                entry.publishedNodeIds().isEmpty() ? null : entry.publishedNodeIds(),
                "",
                entry.condition(),
                entry.context().isEmpty() ? null : new TreeMap<>(entry.context()));
    }
}
