package io.cleat.state;

import io.cleat.codec.RecordHash;
import io.cleat.model.JobId;
import io.cleat.model.VolumeId;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * All that the cluster knows, as of one version. Immutable; any thread reads it for as long as it likes. Lists are in
 * the order of their rows' ids unless said otherwise.
 */
public final class ClusterState {
    private final Tables tables;
    private final long version;
    private final Instant decidedAt;

    ClusterState(Tables tables, long version, Instant decidedAt) {
        this.tables = tables;
        this.version = version;
        this.decidedAt = decidedAt;
    }

    /** Nothing yet: version 0, decided at the epoch. */
    public static ClusterState empty() {
        return new ClusterState(new Tables(), 0, Instant.EPOCH);
    }

    /**
     * The image after one more decision. Total: no list of changes is refused.
     *
     * @param newVersion of the decision; larger than this one's
     * @param at when it was decided; not before this one's
     */
    public ClusterState apply(List<Change> changes, long newVersion, Instant at) {
        Tables next = new Tables(tables);
        Applier applier = new Applier(next, newVersion, at);
        changes.forEach(applier::apply);
        return new ClusterState(next, newVersion, at);
    }

    /** A copy of the tables, for whoever writes a snapshot. */
    Tables tables() {
        return new Tables(tables);
    }

    /**
     * A number for the whole image, equal for equal ones on all members: a sum over the rows that each change keeps, so
     * that it costs nothing to ask for.
     */
    public long sum() {
        return sum(Table::sum);
    }

    /** The same number, made anew from all rows. */
    long sumAnew() {
        return sum(Table::sumAnew);
    }

    /** A table that an older program does not have adds nothing while it is untouched. */
    private long sum(ToLongFunction<Table<?, ?>> rows) {
        long sum = RecordHash.of(tables.clusterId) + RecordHash.mix(version) + RecordHash.of(decidedAt);
        for (TableName name : TableName.values()) {
            Table<?, ?> table = tables.table(name);
            if (table.version() > 0) {
                sum += RecordHash.mix(RecordHash.of(name) + RecordHash.mix(rows.applyAsLong(table)) + table.version());
            }
        }
        return RecordHash.mix(sum);
    }

    @Override
    public String toString() {
        return "ClusterState[version=" + version + ", decidedAt=" + decidedAt + "]";
    }

    /** The number of the last decision that changed something. */
    public long version() {
        return version;
    }

    /** When it was decided. Never goes back from one image to the next. */
    public Instant decidedAt() {
        return decidedAt;
    }

    /** The version that last changed a row of the table; 0 if none ever did. */
    public long version(TableName table) {
        return tables.table(table).version();
    }

    /** How many rows the table has. */
    public int count(TableName table) {
        return tables.table(table).size();
    }

    /** Absent until the cluster is formed. */
    public Optional<String> clusterId() {
        return Optional.ofNullable(tables.clusterId);
    }

    /** Rows for those who read many. */
    public Scans scans() {
        return new Scans(tables);
    }

    /** The claims and attachments that lack each other. */
    public Pairing pairing() {
        return new Pairing(tables);
    }

    /** The services that others find. */
    public Registrations registrations() {
        return new Registrations(tables);
    }

    // Nodes.

    public Optional<NodeRow> node(String id) {
        return Optional.ofNullable(tables.nodes.get(id));
    }

    public Collection<NodeRow> nodes() {
        return tables.nodes.all();
    }

    /** From the first whose id is not less than {@code id}. */
    public Collection<NodeRow> nodesFrom(String id) {
        return tables.nodes.from(id);
    }

    /** The nodes that are being emptied. */
    public List<NodeRow> drainingNodes() {
        return tables.nodes.find(Tables.DRAINING_NODES, true);
    }

    /** The nodes that have an instance of the plugin. */
    public List<NodeRow> nodesWithPlugin(String pluginId) {
        return tables.nodes.find(Tables.NODES_BY_PLUGIN, pluginId);
    }

    /** What their instances of it are together; kept with each change, so that it costs nothing. */
    public PluginPresence presence(String pluginId) {
        return tables.presence(pluginId);
    }

    // Jobs.

    public Optional<JobRow> job(JobId id) {
        return Optional.ofNullable(tables.jobs.get(id));
    }

    public Collection<JobRow> jobs() {
        return tables.jobs.all();
    }

    public Collection<JobRow> jobsFrom(JobId id) {
        return tables.jobs.from(id);
    }

    /** The wanted jobs that run the plugin. */
    public List<JobRow> jobsWithPlugin(String pluginId) {
        return tables.jobs.find(Tables.JOBS_BY_PLUGIN, pluginId);
    }

    /** The wanted jobs that run on each node, from the first whose id is not less. */
    public Collection<JobRow> wantedOnEachNode(JobId id) {
        return tables.jobs.find(Tables.WANTED_ON_EACH_NODE, true, id);
    }

    /** The stored versions of a job, oldest first; also of a purged one that allocations run by. */
    public List<JobVersionRow> jobVersions(JobId id) {
        return tables.jobVersions.find(Tables.VERSIONS_BY_JOB, id);
    }

    /** The stored versions of this job, oldest first: none of a purged one that had its id. */
    public List<JobVersionRow> versionsOf(JobRow job) {
        return jobVersions(job.id()).stream()
                .filter(row -> row.createVersion() >= job.createVersion())
                .toList();
    }

    /** The version that an allocation runs by; there as long as the allocation's row is. */
    public Optional<JobVersionRow> jobVersion(JobVersionId id) {
        return Optional.ofNullable(tables.jobVersions.get(id));
    }

    /**
     * How a job is: derived from its allocations and evaluations. A service that was looked at and found no place runs,
     * as clients know it; its evaluation says what it waits for.
     */
    public JobStatus jobStatus(JobRow job) {
        return JobStatus.of(this, job);
    }

    public ScalingRows scaling() {
        return new ScalingRows(tables.jobs, tables.scaleEvents);
    }

    /** Jobs of which copies are run at their times. */
    public Collection<JobRow> jobsWithTimes() {
        return tables.jobs.each(Tables.JOBS_BY_TIME, true);
    }

    /** The copies of a job that are still known, by id. */
    public Collection<JobRow> childrenOf(JobId parent) {
        return tables.jobs.each(Tables.JOBS_BY_PARENT, parent);
    }

    public EvaluationRows evaluations() {
        return new EvaluationRows(tables.evaluations);
    }

    public DeploymentRows deployments() {
        return new DeploymentRows(tables.deployments);
    }

    public ClaimRows claims() {
        return new ClaimRows(tables.claims);
    }

    // Allocations.

    public Optional<AllocationRow> allocation(String id) {
        return Optional.ofNullable(tables.allocations.get(id));
    }

    public Collection<AllocationRow> allocations() {
        return tables.allocations.all();
    }

    public Collection<AllocationRow> allocationsFrom(String id) {
        return tables.allocations.from(id);
    }

    public List<AllocationRow> allocationsOfJob(JobId id) {
        return tables.allocations.find(Tables.ALLOCATIONS_BY_JOB, id);
    }

    /** The allocations that a deployment placed or changed. */
    public List<AllocationRow> allocationsOfDeployment(DeploymentRow deployment) {
        return allocationsOfJob(deployment.job()).stream()
                .filter(row -> row.deploymentId().equals(deployment.id()))
                .toList();
    }

    public List<AllocationRow> allocationsOnNode(String nodeId) {
        return tables.allocations.find(Tables.ALLOCATIONS_BY_NODE, nodeId);
    }

    /** Those on a node that have not ended: what has ended stays there long, and is many. */
    public List<AllocationRow> openAllocationsOnNode(String nodeId) {
        return tables.allocations.find(Tables.OPEN_ALLOCATIONS_BY_NODE, nodeId);
    }

    /** What those that have not ended use of the node together; kept with each change, so that it costs nothing. */
    public NodeUse use(String nodeId) {
        return tables.use(nodeId);
    }

    public List<AllocationRow> allocationsOfEvaluation(String evalId) {
        return tables.allocations.find(Tables.ALLOCATIONS_BY_EVALUATION, evalId);
    }

    // Volumes.

    public Optional<VolumeRow> volume(VolumeId id) {
        return Optional.ofNullable(tables.volumes.get(id));
    }

    public Collection<VolumeRow> volumes() {
        return tables.volumes.all();
    }

    public Collection<VolumeRow> volumesFrom(VolumeId id) {
        return tables.volumes.from(id);
    }

    public List<VolumeRow> volumesWithKey(VolumeKey key) {
        return tables.volumes.find(Tables.VOLUMES_BY_KEY, key);
    }

    /** From the first whose id is not less than {@code id}. */
    public Collection<VolumeRow> volumesOfPlugin(String pluginId, VolumeId id) {
        return tables.volumes.find(Tables.VOLUMES_BY_PLUGIN, pluginId, id);
    }

    public Optional<VolumeTombstone> volumeTombstone(VolumeKey key) {
        return Optional.ofNullable(tables.volumeTombstones.get(key));
    }

    public Collection<VolumeTombstone> volumeTombstones() {
        return tables.volumeTombstones.all();
    }

    public Optional<NodeTombstone> nodeTombstone(String nodeId) {
        return Optional.ofNullable(tables.nodeTombstones.get(nodeId));
    }

    public Collection<NodeTombstone> nodeTombstones() {
        return tables.nodeTombstones.all();
    }

    public HostVolumeRows hostVolumes() {
        return new HostVolumeRows(tables.hostVolumes);
    }

    /** Which host volumes groups keep. */
    public StickyClaims stickyClaims() {
        return new StickyClaims(tables.stickyClaims);
    }

    public AttachmentRows attachments() {
        return new AttachmentRows(tables.attachments);
    }

    /** Kept requests. */
    public RequestRows requests() {
        return new RequestRows(tables.requests);
    }

    public OperationRows operations() {
        return new OperationRows(tables.operations);
    }

    // Plugins.

    public Optional<PluginRow> plugin(String id) {
        return Optional.ofNullable(tables.plugins.get(id));
    }

    public Collection<PluginRow> plugins() {
        return tables.plugins.all();
    }

    public Collection<PluginRow> pluginsFrom(String id) {
        return tables.plugins.from(id);
    }

    // Remainders.

    /** What is left to be done in parts, by id. */
    public Collection<RemainderRow> remainders() {
        return tables.remainders.all();
    }

    public Optional<RemainderRow> remainder(String id) {
        return Optional.ofNullable(tables.remainders.get(id));
    }

    // Namespaces.

    /** Those of which somebody has said something; see {@link Namespaces} for all. */
    public Collection<NamespaceRow> namespaces() {
        return tables.namespaces.all();
    }

    public Optional<NamespaceRow> namespace(String name) {
        return Optional.ofNullable(tables.namespaces.get(name));
    }

    /** How an operator has jobs placed. */
    public SchedulingRow scheduling() {
        SchedulingRow said = tables.scheduling.get(SchedulingRow.USUAL.id());
        return said == null ? SchedulingRow.USUAL : said;
    }

    /** Variables, which have an order of their own. */
    public VariableRows variables() {
        return new VariableRows(tables.variables);
    }

    // Recovery.

    /** Whether nothing is granted, released or stopped, until a person says so. */
    public boolean isRecovering() {
        return tables.otherPasts.has(Tables.OTHER_PASTS_BY_OPEN, true);
    }

    /** The nodes for which the cluster is in recovery, by id. */
    public Collection<OtherPastRow> openPasts() {
        return tables.otherPasts.each(Tables.OTHER_PASTS_BY_OPEN, true);
    }

    /** What the node had last acted on that this cluster did not know. */
    public Optional<OtherPastRow> otherPast(String nodeId) {
        return Optional.ofNullable(tables.otherPasts.get(nodeId));
    }

    /** What nodes hold for allocations that this cluster does not know. */
    public HoldingRows holdings() {
        return new HoldingRows(tables.holdings);
    }
}
