package io.cleat.state;

import io.cleat.model.JobId;
import io.cleat.model.PluginInstance;
import io.cleat.model.Task;
import io.cleat.model.TaskGroup;
import io.cleat.model.VariableId;
import io.cleat.model.VolumeId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * All tables while a list of changes is applied, and how their indexes are ordered.
 *
 * <p>Used by one thread; what it holds is immutable, so that a copy shares everything.
 */
final class Tables {
    static final Index<String, NodeRow> NODES_BY_PLUGIN = new Index<>(0, Tables::pluginsOn);
    static final Index<Boolean, NodeRow> DRAINING_NODES =
            Index.some(1, node -> Optional.of(true).filter(yes -> node.isDraining()));
    static final Index<String, JobRow> JOBS_BY_PLUGIN = new Index<>(0, Tables::pluginsOf);
    static final Index<Boolean, JobRow> WANTED_ON_EACH_NODE = Index.some(
            1,
            job -> Optional.of(true)
                    .filter(yes -> job.isWanted() && job.spec().type().isOnEachNode()));
    static final Index<JobId, JobRow> JOBS_BY_PARENT =
            Index.some(2, job -> job.spec().parent());
    static final Index<Boolean, JobRow> JOBS_BY_TIME =
            Index.some(3, job -> job.times().map(times -> true));
    static final Index<String, JobRow> JOBS_BY_SCALING = new Index<>(4, ScalingPolicy::keysOf);
    static final Index<JobId, JobVersionRow> VERSIONS_BY_JOB = Index.one(0, JobVersionRow::job);
    static final Index<ServiceName, JobVersionRow> VERSIONS_BY_SERVICE = new Index<>(1, ServiceName::of);
    static final Index<Boolean, JobVersionRow> VERSIONS_WITH_SERVICES =
            new Index<>(2, row -> ServiceName.of(row).isEmpty() ? Set.of() : Set.of(true));
    static final Index<JobId, EvaluationRow> EVALUATIONS_BY_JOB = Index.one(0, EvaluationRow::job);
    static final Index<EvaluationStatus, EvaluationRow> EVALUATIONS_BY_STATUS = Index.one(1, EvaluationRow::status);
    static final Index<Awaited, EvaluationRow> EVALUATIONS_BY_AWAITED = new Index<>(2, Awaited::of);
    static final Index<JobId, AllocationRow> ALLOCATIONS_BY_JOB = Index.one(0, AllocationRow::job);
    static final Index<String, AllocationRow> ALLOCATIONS_BY_NODE = Index.one(1, AllocationRow::nodeId);
    static final Index<String, AllocationRow> ALLOCATIONS_BY_EVALUATION =
            Index.one(2, row -> row.lineage().evalId());
    static final Index<String, AllocationRow> OPEN_ALLOCATIONS_BY_NODE =
            new Index<>(3, row -> row.isEnded() ? Set.of() : Set.of(row.nodeId()));
    static final Index<VolumeKey, VolumeRow> VOLUMES_BY_KEY = Index.one(0, VolumeRow::key);
    static final Index<String, VolumeRow> VOLUMES_BY_PLUGIN =
            Index.one(1, volume -> volume.spec().pluginId());
    static final Index<VolumeKey, ClaimRow> CLAIMS_BY_KEY = Index.one(0, ClaimRow::key);
    static final Index<VolumeId, ClaimRow> CLAIMS_BY_VOLUME = Index.one(1, ClaimRow::volume);
    static final Index<String, ClaimRow> CLAIMS_BY_NODE = Index.one(2, ClaimRow::nodeId);
    static final Index<ClaimState, ClaimRow> CLAIMS_BY_STATE = Index.one(3, ClaimRow::state);
    static final Index<AttachmentId, ClaimRow> CLAIMS_BY_ATTACHMENT = Index.one(4, ClaimRow::attachment);
    static final Index<String, AttachmentRow> ATTACHMENTS_BY_NODE =
            Index.one(0, attachment -> attachment.id().nodeId());
    static final Index<VolumeKey, AttachmentRow> ATTACHMENTS_BY_KEY =
            Index.one(1, attachment -> attachment.id().key());
    static final Index<String, AttachmentRow> ATTACHMENTS_BY_PLUGIN =
            Index.one(2, attachment -> attachment.id().key().pluginId());
    static final Index<AttachmentState, AttachmentRow> ATTACHMENTS_BY_STATE = Index.one(3, AttachmentRow::state);
    static final Index<String, OperationRow> OPERATIONS_BY_NODE = Index.one(0, OperationRow::nodeId);
    static final Index<VolumeId, OperationRow> OPERATIONS_BY_VOLUME =
            Index.some(1, operation -> operation.call().about());
    static final Index<OperationState, OperationRow> OPERATIONS_BY_STATE = Index.one(2, OperationRow::state);

    static final Index<Long, RequestRow> REQUESTS_BY_AGE = Index.one(0, RequestRow::createVersion);
    static final Index<JobId, DeploymentRow> DEPLOYMENTS_BY_JOB = Index.one(0, DeploymentRow::job);
    static final Index<Boolean, OtherPastRow> OTHER_PASTS_BY_OPEN = Index.one(0, OtherPastRow::open);
    static final Index<VolumeKey, HoldingRow> HOLDINGS_BY_KEY =
            Index.one(0, holding -> holding.id().key());
    static final Index<String, HoldingRow> HOLDINGS_BY_NODE =
            Index.one(1, holding -> holding.id().nodeId());

    static final Index<Boolean, VariableRow> LOCKED_VARIABLES =
            Index.some(0, row -> Optional.ofNullable(row.lock()).map(lock -> true));
    static final Index<VolumeKey, HostVolumeRow> HOST_VOLUMES_BY_KEY = Index.one(0, HostVolumeRow::key);
    static final Index<String, HostVolumeRow> HOST_VOLUMES_BY_NODE =
            Index.one(1, volume -> volume.spec().nodeId());
    static final Index<Boolean, HostVolumeRow> HOST_VOLUMES_BY_ORDER =
            Index.some(2, row -> Optional.ofNullable(row.order()).map(order -> true));
    static final Index<VolumeId, HostVolumeRow> HOST_VOLUMES_BY_NAME = Index.one(
            3, volume -> new VolumeId(volume.spec().namespace(), volume.spec().name()));
    static final Index<JobId, StickyClaimRow> STICKY_CLAIMS_BY_JOB = Index.one(0, StickyClaimRow::job);
    static final Index<VolumeId, StickyClaimRow> STICKY_CLAIMS_BY_VOLUME = Index.one(1, StickyClaimRow::volume);

    static final Index<JobId, ScaleEventsRow> SCALE_EVENTS_BY_JOB =
            Index.one(0, row -> row.id().job());

    @Nullable
    String clusterId;

    Table<String, NodeRow> nodes;
    Table<JobId, JobRow> jobs;
    Table<JobVersionId, JobVersionRow> jobVersions;
    Table<String, EvaluationRow> evaluations;
    Table<String, AllocationRow> allocations;
    Table<VolumeId, VolumeRow> volumes;
    Table<ClaimId, ClaimRow> claims;
    Table<AttachmentId, AttachmentRow> attachments;
    Table<String, OperationRow> operations;
    Table<String, RequestRow> requests;
    Table<String, PluginRow> plugins;
    Table<String, NodeTombstone> nodeTombstones;
    Table<VolumeKey, VolumeTombstone> volumeTombstones;
    Table<String, DeploymentRow> deployments;
    Table<String, RemainderRow> remainders;
    Table<String, OtherPastRow> otherPasts;
    Table<HoldingId, HoldingRow> holdings;
    Table<String, NamespaceRow> namespaces;
    Table<String, SchedulingRow> scheduling;
    Table<VariableId, VariableRow> variables;
    Table<VolumeId, HostVolumeRow> hostVolumes;
    Table<String, StickyClaimRow> stickyClaims;
    Table<ScaleEventsId, ScaleEventsRow> scaleEvents;

    // What is kept beside the rows.
    private NodeUses uses;
    private PluginPresences presences;
    private Unpaired unpaired;

    Tables() {
        unpaired = Unpaired.NONE;
        uses = NodeUses.NONE;
        presences = PluginPresences.NONE;
        nodes = Table.empty(NodeRow::id, List.of(NODES_BY_PLUGIN, DRAINING_NODES));
        jobs = Table.empty(
                JobRow::id,
                List.of(JOBS_BY_PLUGIN, WANTED_ON_EACH_NODE, JOBS_BY_PARENT, JOBS_BY_TIME, JOBS_BY_SCALING));
        jobVersions =
                Table.empty(JobVersionRow::id, List.of(VERSIONS_BY_JOB, VERSIONS_BY_SERVICE, VERSIONS_WITH_SERVICES));
        evaluations = Table.empty(
                EvaluationRow::id, List.of(EVALUATIONS_BY_JOB, EVALUATIONS_BY_STATUS, EVALUATIONS_BY_AWAITED));
        allocations = Table.empty(
                AllocationRow::id,
                List.of(ALLOCATIONS_BY_JOB, ALLOCATIONS_BY_NODE, ALLOCATIONS_BY_EVALUATION, OPEN_ALLOCATIONS_BY_NODE));
        volumes = Table.empty(VolumeRow::id, List.of(VOLUMES_BY_KEY, VOLUMES_BY_PLUGIN));
        claims = Table.empty(
                ClaimRow::id,
                List.of(CLAIMS_BY_KEY, CLAIMS_BY_VOLUME, CLAIMS_BY_NODE, CLAIMS_BY_STATE, CLAIMS_BY_ATTACHMENT));
        attachments = Table.empty(
                AttachmentRow::id,
                List.of(ATTACHMENTS_BY_NODE, ATTACHMENTS_BY_KEY, ATTACHMENTS_BY_PLUGIN, ATTACHMENTS_BY_STATE));
        operations =
                Table.empty(OperationRow::id, List.of(OPERATIONS_BY_NODE, OPERATIONS_BY_VOLUME, OPERATIONS_BY_STATE));
        requests = Table.empty(RequestRow::id, List.of(REQUESTS_BY_AGE));
        plugins = Table.empty(PluginRow::id, List.of());
        nodeTombstones = Table.empty(NodeTombstone::id, List.of());
        volumeTombstones = Table.empty(VolumeTombstone::key, List.of());
        deployments = Table.empty(DeploymentRow::id, List.of(DEPLOYMENTS_BY_JOB));
        remainders = Table.empty(RemainderRow::id, List.of());
        otherPasts = Table.empty(OtherPastRow::nodeId, List.of(OTHER_PASTS_BY_OPEN));
        holdings = Table.empty(HoldingRow::id, List.of(HOLDINGS_BY_KEY, HOLDINGS_BY_NODE));
        namespaces = Table.empty(NamespaceRow::name, List.of());
        scheduling = Table.empty(SchedulingRow::id, List.of());
        variables = Table.empty(VariableRow::id, List.of(LOCKED_VARIABLES));
        hostVolumes = Table.empty(
                HostVolumeRow::id,
                List.of(HOST_VOLUMES_BY_KEY, HOST_VOLUMES_BY_NODE, HOST_VOLUMES_BY_ORDER, HOST_VOLUMES_BY_NAME));
        stickyClaims = Table.empty(StickyClaimRow::id, List.of(STICKY_CLAIMS_BY_JOB, STICKY_CLAIMS_BY_VOLUME));
        scaleEvents = Table.empty(ScaleEventsRow::id, List.of(SCALE_EVENTS_BY_JOB));
    }

    Tables(Tables from) {
        clusterId = from.clusterId;
        nodes = from.nodes;
        jobs = from.jobs;
        jobVersions = from.jobVersions;
        evaluations = from.evaluations;
        allocations = from.allocations;
        volumes = from.volumes;
        claims = from.claims;
        attachments = from.attachments;
        operations = from.operations;
        requests = from.requests;
        plugins = from.plugins;
        nodeTombstones = from.nodeTombstones;
        volumeTombstones = from.volumeTombstones;
        deployments = from.deployments;
        remainders = from.remainders;
        otherPasts = from.otherPasts;
        holdings = from.holdings;
        namespaces = from.namespaces;
        scheduling = from.scheduling;
        variables = from.variables;
        hostVolumes = from.hostVolumes;
        stickyClaims = from.stickyClaims;
        scaleEvents = from.scaleEvents;
        uses = from.uses;
        presences = from.presences;
        unpaired = from.unpaired;
    }

    PluginPresence presence(String pluginId) {
        return presences.of(pluginId);
    }

    void putNode(NodeRow row, long version) {
        presences = presences.moved(nodes.get(row.id()), row);
        nodes = nodes.put(row, version);
    }

    void restoreNode(NodeRow row) {
        presences = presences.moved(nodes.get(row.id()), row);
        nodes = nodes.restore(row);
    }

    void removeNode(String id, long version) {
        presences = presences.moved(nodes.get(id), null);
        nodes = nodes.remove(id, version);
    }

    Unpaired unpaired() {
        return unpaired;
    }

    void putClaim(ClaimRow row, long version) {
        ClaimRow old = claims.get(row.id());
        claims = claims.put(row, version);
        pairAnew(old, row);
    }

    void restoreClaim(ClaimRow row) {
        ClaimRow old = claims.get(row.id());
        claims = claims.restore(row);
        pairAnew(old, row);
    }

    void removeClaim(ClaimId id, long version) {
        ClaimRow old = claims.get(id);
        claims = claims.remove(id, version);
        pairAnew(old, null);
    }

    void putAttachment(AttachmentRow row, long version) {
        attachments = attachments.put(row, version);
        pair(row.id());
    }

    void restoreAttachment(AttachmentRow row) {
        attachments = attachments.restore(row);
        pair(row.id());
    }

    void removeAttachment(AttachmentId id, long version) {
        attachments = attachments.remove(id, version);
        pair(id);
    }

    private void pairAnew(@Nullable ClaimRow old, @Nullable ClaimRow row) {
        if (old != null) {
            unpaired = unpaired.without(old);
            pair(old.attachment());
        }
        if (row != null) {
            pair(row.attachment());
        }
    }

    private void pair(AttachmentId id) {
        unpaired = unpaired.paired(id, attachments.get(id), claims.each(CLAIMS_BY_ATTACHMENT, id));
    }

    NodeUse use(String nodeId) {
        return uses.of(nodeId);
    }

    void putAllocation(AllocationRow row, long version) {
        uses = uses.moved(allocations.get(row.id()), row);
        allocations = allocations.put(row, version);
    }

    void restoreAllocation(AllocationRow row) {
        uses = uses.moved(allocations.get(row.id()), row);
        allocations = allocations.restore(row);
    }

    void removeAllocation(String id, long version) {
        uses = uses.moved(allocations.get(id), null);
        allocations = allocations.remove(id, version);
    }

    Table<?, ?> table(TableName name) {
        return switch (name) {
            case NODES -> nodes;
            case JOBS -> jobs;
            case JOB_VERSIONS -> jobVersions;
            case EVALUATIONS -> evaluations;
            case ALLOCATIONS -> allocations;
            case VOLUMES -> volumes;
            case CLAIMS -> claims;
            case ATTACHMENTS -> attachments;
            case OPERATIONS -> operations;
            case REQUESTS -> requests;
            case PLUGINS -> plugins;
            case NODE_TOMBSTONES -> nodeTombstones;
            case VOLUME_TOMBSTONES -> volumeTombstones;
            case DEPLOYMENTS -> deployments;
            case REMAINDERS -> remainders;
            case OTHER_PASTS -> otherPasts;
            case HOLDINGS -> holdings;
            case NAMESPACES -> namespaces;
            case SCHEDULING -> scheduling;
            case VARIABLES -> variables;
            case HOST_VOLUMES -> hostVolumes;
            case STICKY_CLAIMS -> stickyClaims;
            case SCALE_EVENTS -> scaleEvents;
        };
    }

    void setVersion(TableName name, long version) {
        switch (name) {
            case NODES -> nodes = nodes.withVersion(version);
            case JOBS -> jobs = jobs.withVersion(version);
            case JOB_VERSIONS -> jobVersions = jobVersions.withVersion(version);
            case EVALUATIONS -> evaluations = evaluations.withVersion(version);
            case ALLOCATIONS -> allocations = allocations.withVersion(version);
            case VOLUMES -> volumes = volumes.withVersion(version);
            case CLAIMS -> claims = claims.withVersion(version);
            case ATTACHMENTS -> attachments = attachments.withVersion(version);
            case OPERATIONS -> operations = operations.withVersion(version);
            case REQUESTS -> requests = requests.withVersion(version);
            case PLUGINS -> plugins = plugins.withVersion(version);
            case NODE_TOMBSTONES -> nodeTombstones = nodeTombstones.withVersion(version);
            case VOLUME_TOMBSTONES -> volumeTombstones = volumeTombstones.withVersion(version);
            case DEPLOYMENTS -> deployments = deployments.withVersion(version);
            case REMAINDERS -> remainders = remainders.withVersion(version);
            case OTHER_PASTS -> otherPasts = otherPasts.withVersion(version);
            case HOLDINGS -> holdings = holdings.withVersion(version);
            case NAMESPACES -> namespaces = namespaces.withVersion(version);
            case SCHEDULING -> scheduling = scheduling.withVersion(version);
            case VARIABLES -> variables = variables.withVersion(version);
            case HOST_VOLUMES -> hostVolumes = hostVolumes.withVersion(version);
            case STICKY_CLAIMS -> stickyClaims = stickyClaims.withVersion(version);
            case SCALE_EVENTS -> scaleEvents = scaleEvents.withVersion(version);
        }
    }

    /** The plugins that a node has instances of. */
    static SortedSet<String> pluginsOn(NodeRow node) {
        SortedSet<String> ids = new TreeSet<>();
        for (PluginInstance instance : node.facts().plugins()) {
            ids.add(instance.pluginId());
        }
        return ids;
    }

    /** The plugins that a wanted job runs. */
    static SortedSet<String> pluginsOf(JobRow job) {
        SortedSet<String> ids = new TreeSet<>();
        if (job.isWanted()) {
            for (TaskGroup group : job.spec().groups()) {
                ids.addAll(pluginsOf(group));
            }
        }
        return ids;
    }

    static SortedSet<String> pluginsOf(TaskGroup group) {
        SortedSet<String> ids = new TreeSet<>();
        for (Task task : group.tasks()) {
            Optional.ofNullable(task.csiPlugin()).ifPresent(plugin -> ids.add(plugin.id()));
        }
        return ids;
    }
}
