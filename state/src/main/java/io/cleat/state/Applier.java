package io.cleat.state;

import io.cleat.model.JobId;
import io.cleat.model.JobSource;
import io.cleat.model.JobTag;
import io.cleat.model.TaskGroup;
import io.cleat.model.VariableId;
import io.cleat.model.VolumeId;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Turns changes into rows. Beyond the rows that a change names it keeps what follows from them: the versions of a job
 * that are still needed, the versions of plugins, and that a volume counts as changed when its claims do, and that a
 * group keeps no volume that it does not ask for.
 */
final class Applier {
    /** How many versions of a job are kept though nothing runs by them. */
    static final int JOB_VERSIONS_KEPT = 6;

    private final Tables tables;
    private final long version;
    private final Instant at;

    Applier(Tables tables, long version, Instant at) {
        this.tables = tables;
        this.version = version;
        this.at = at;
    }

    void apply(Change change) {
        switch (change) {
            case Change.ClusterFormed(String id) -> tables.clusterId = id;
            case Change.NodePut(NodeRow node) -> putNode(node);
            case Change.NodeFactsChanged(var facts) ->
                node(facts.id()).ifPresent(node -> putNode(node.withFacts(facts)));
            case Change.NodeStatusChanged(String id, NodeStatus status, String description) ->
                node(id).ifPresent(node -> putNode(node.withStatus(status, description, at)));
            case Change.NodeEventsAdded(String id, var events) ->
                node(id).ifPresent(node -> putNode(node.withEvents(events)));
            case Change.NodeRemoved(String id) -> removeNode(id);
            case Change.NodeBuried(String id) -> buryNode(id);
            case Change.NodeTombstoneRemoved(String id) ->
                tables.nodeTombstones = tables.nodeTombstones.remove(id, version);
            case Change.JobPut(JobRow job, var source) -> putJob(job, source);
            case Change.JobStopped(JobId id) -> stopJob(id);
            case Change.JobLaunched(JobId id, Instant time) -> launchJob(id, time);
            case Change.JobRemoved(JobId id) -> removeJob(id);
            case Change.JobMarkedStable(JobVersionId jobVersion, boolean stable) -> markStable(jobVersion, stable);
            case Change.DeploymentPut(DeploymentRow row) -> tables.deployments = tables.deployments.put(row, version);
            case Change.DeploymentRemoved(String id) -> tables.deployments = tables.deployments.remove(id, version);
            case Change.EvaluationPut(EvaluationRow row) -> tables.evaluations = tables.evaluations.put(row, version);
            case Change.EvaluationsMoved moved -> moveEvaluations(moved);
            case Change.EvaluationRemoved(String id) -> tables.evaluations = tables.evaluations.remove(id, version);
            case Change.AllocationPut(AllocationRow row) ->
                putAllocation(row.allocModifyVersion(version).modifiedAt(at));
            case Change.AllocationReported report -> report(report);
            case Change.AllocationRemoved(String id) -> removeAllocation(id);
            case Change.VolumePut(VolumeRow row) -> tables.volumes = tables.volumes.put(row, version);
            case Change.VolumeEventsAdded(VolumeId id, var events) ->
                volume(id).ifPresent(row -> putVolume(row.withEvents(events)));
            case Change.VolumeRemoved(VolumeId id) -> tables.volumes = tables.volumes.remove(id, version);
            case Change.VolumeBuried(VolumeId id) -> buryVolume(id);
            case Change.VolumeTombstoneRemoved(VolumeKey key) ->
                tables.volumeTombstones = tables.volumeTombstones.remove(key, version);
            case Change.ClaimPut(ClaimRow row) -> putClaim(row);
            case Change.ClaimRemoved(ClaimId id) -> removeClaim(id);
            case Change.AttachmentPut(AttachmentRow row) -> tables.putAttachment(row, version);
            case Change.AttachmentRemoved(AttachmentId id) -> tables.removeAttachment(id, version);
            case Change.OperationPut(OperationRow row) -> tables.operations = tables.operations.put(row, version);
            case Change.OperationRemoved(String id) -> tables.operations = tables.operations.remove(id, version);
            case Change.RequestKept(RequestRow row) -> tables.requests = tables.requests.put(row, version);
            case Change.RequestExpired(String id) -> tables.requests = tables.requests.remove(id, version);
            case Change.RemainderPut(RemainderRow row) -> tables.remainders = tables.remainders.put(row, version);
            case Change.RemainderRemoved(String id) -> tables.remainders = tables.remainders.remove(id, version);
            case Change.OtherPastPut(OtherPastRow row) -> tables.otherPasts = tables.otherPasts.put(row, version);
            case Change.RecoveryEnded _ -> endRecovery();
            case Change.HoldingPut(HoldingRow row) -> tables.holdings = tables.holdings.put(row, version);
            case Change.HoldingRemoved(HoldingId id) -> tables.holdings = tables.holdings.remove(id, version);
            case Change.NamespacePut(NamespaceRow row) -> tables.namespaces = tables.namespaces.put(row, version);
            case Change.NamespaceRemoved(String name) -> tables.namespaces = tables.namespaces.remove(name, version);
            case Change.JobTagged(JobVersionId jobVersion, var tag) -> tag(jobVersion, tag);
            case Change.ScaleEventAdded(ScaleEventsId of, ScaleEvent event) -> scaled(of, event);
            case Change.HostVolumePut(HostVolumeRow row) -> tables.hostVolumes = tables.hostVolumes.put(row, version);
            case Change.HostVolumeRemoved(VolumeId id) -> removeHostVolume(id);
            case Change.StickyClaimPut(StickyClaimRow row) ->
                tables.stickyClaims = tables.stickyClaims.put(row, version);
            case Change.StickyClaimRemoved(String id) -> letGo(id);
            case Change.SchedulingPut(SchedulingRow row) -> tables.scheduling = tables.scheduling.put(row, version);
            case Change.VariablePut(VariableRow row) -> tables.variables = tables.variables.put(row, version);
            case Change.VariableRemoved(VariableId id) -> tables.variables = tables.variables.remove(id, version);
        }
    }

    private void endRecovery() {
        for (OtherPastRow row : tables.otherPasts.find(Tables.OTHER_PASTS_BY_OPEN, true)) {
            tables.otherPasts = tables.otherPasts.put(row.settled(), version);
        }
    }

    private void moveEvaluations(Change.EvaluationsMoved moved) {
        for (String id : moved.evalIds()) {
            EvaluationRow row = tables.evaluations.get(id);
            if (row != null && EvaluationStatus.LIFE.allows(row.status(), moved.to())) {
                tables.evaluations = tables.evaluations.put(
                        row.status(moved.to(), moved.description(), at).blockedOn(List.of(), false, null), version);
            }
        }
    }

    private Optional<NodeRow> node(String id) {
        return Optional.ofNullable(tables.nodes.get(id));
    }

    private void putNode(NodeRow node) {
        NodeRow old = tables.nodes.get(node.id());
        tables.putNode(node, version);
        tables.nodeTombstones = tables.nodeTombstones.remove(node.id(), version);
        if (old == null || !PluginPresences.isAlike(old, node)) {
            SortedSet<String> plugins = Tables.pluginsOn(node);
            if (old != null) {
                plugins.addAll(Tables.pluginsOn(old));
            }
            refreshPlugins(plugins);
        }
    }

    private void removeNode(String id) {
        NodeRow old = tables.nodes.get(id);
        tables.removeNode(id, version);
        tables.otherPasts = tables.otherPasts.remove(id, version);
        if (old != null) {
            refreshPlugins(Tables.pluginsOn(old));
        }
    }

    private void buryNode(String id) {
        NodeRow old = tables.nodes.get(id);
        removeNode(id);
        if (old != null) {
            tables.nodeTombstones = tables.nodeTombstones.put(new NodeTombstone(old, at, 0, 0), version);
        }
    }

    private void putJob(JobRow job, @Nullable JobSource source) {
        JobRow old = tables.jobs.get(job.id());
        tables.jobs = tables.jobs.put(job, version);
        tables.jobVersions = tables.jobVersions.put(
                new JobVersionRow(job.spec(), job.number(), job.submittedAt(), false, source, null, version, version),
                version);
        keepWanted(job);
        forgetTexts(job.id());
        forgetScaling(job.id());
        SortedSet<String> plugins = Tables.pluginsOf(job);
        if (old != null) {
            plugins.addAll(Tables.pluginsOf(old));
        }
        refreshPlugins(plugins);
    }

    /** What no group of the job keeps any more is let go. */
    private void keepWanted(JobRow job) {
        for (StickyClaimRow row : tables.stickyClaims.find(Tables.STICKY_CLAIMS_BY_JOB, job.id())) {
            if (job.spec().groups().stream().noneMatch(row::isWantedBy)) {
                letGo(row.id());
            }
        }
    }

    private void removeHostVolume(VolumeId id) {
        tables.hostVolumes = tables.hostVolumes.remove(id, version);
        for (StickyClaimRow row : tables.stickyClaims.find(Tables.STICKY_CLAIMS_BY_VOLUME, id)) {
            letGo(row.id());
        }
    }

    private void letGo(String stickyClaimId) {
        tables.stickyClaims = tables.stickyClaims.remove(stickyClaimId, version);
    }

    private void markStable(JobVersionId id, boolean stable) {
        JobVersionRow old = tables.jobVersions.get(id);
        if (old != null) {
            tables.jobVersions = tables.jobVersions.put(old.marked(stable), version);
            forgetTexts(id.job());
        }
    }

    private void tag(JobVersionId id, @Nullable JobTag tag) {
        JobVersionRow old = tables.jobVersions.get(id);
        if (old != null) {
            tables.jobVersions = tables.jobVersions.put(old.tagged(tag), version);
            forgetTexts(id.job());
        }
    }

    private void scaled(ScaleEventsId id, ScaleEvent event) {
        ScaleEventsRow old = tables.scaleEvents.get(id);
        tables.scaleEvents = tables.scaleEvents.put(
                (old == null ? new ScaleEventsRow(id, List.of(), 0, 0) : old).with(event.decidedIn(version)), version);
        forgetScaling(id.job());
    }

    /** Drops the events of groups that the job does not have, or has no more. */
    private void forgetScaling(JobId id) {
        JobRow job = tables.jobs.get(id);
        for (ScaleEventsRow row : tables.scaleEvents.find(Tables.SCALE_EVENTS_BY_JOB, id)) {
            if (job == null || job.spec().group(row.id().group()).isEmpty()) {
                tables.scaleEvents = tables.scaleEvents.remove(row.id(), version);
            }
        }
    }

    private void stopJob(JobId id) {
        JobRow old = tables.jobs.get(id);
        if (old != null) {
            tables.jobs = tables.jobs.put(old.stopped(), version);
            refreshPlugins(Tables.pluginsOf(old));
        }
    }

    private void launchJob(JobId id, Instant time) {
        JobRow old = tables.jobs.get(id);
        if (old != null) {
            tables.jobs = tables.jobs.put(old.launched(time), version);
        }
    }

    private void removeJob(JobId id) {
        JobRow old = tables.jobs.get(id);
        tables.jobs = tables.jobs.remove(id, version);
        forgetTexts(id);
        for (StickyClaimRow row : tables.stickyClaims.find(Tables.STICKY_CLAIMS_BY_JOB, id)) {
            letGo(row.id());
        }
        forgetWords(id);
        forgetScaling(id);
        if (old != null) {
            refreshPlugins(Tables.pluginsOf(old));
        }
    }

    /**
     * Drops the versions of a job that are neither among its newest, nor the newest stable one, nor tagged, nor run by
     * an allocation. Of a job that is gone only the last are kept.
     */
    private void forgetTexts(JobId id) {
        List<JobVersionRow> jobVersions = tables.jobVersions.find(Tables.VERSIONS_BY_JOB, id);
        int kept = tables.jobs.get(id) == null ? 0 : JOB_VERSIONS_KEPT;
        if (jobVersions.size() <= kept) {
            return;
        }
        Set<Long> needed = tables.allocations.find(Tables.ALLOCATIONS_BY_JOB, id).stream()
                .map(row -> row.byVersion().jobModifyVersion())
                .collect(Collectors.toSet());
        if (kept > 0) {
            jobVersions.stream()
                    .filter(JobVersionRow::stable)
                    .map(JobVersionRow::createVersion)
                    .max(Long::compare)
                    .ifPresent(needed::add);
            jobVersions.stream()
                    .filter(jobVersion -> jobVersion.tag() != null)
                    .map(JobVersionRow::createVersion)
                    .forEach(needed::add);
        }
        for (JobVersionRow jobVersion : jobVersions.subList(0, jobVersions.size() - kept)) {
            if (!needed.contains(jobVersion.createVersion())) {
                tables.jobVersions = tables.jobVersions.remove(jobVersion.id(), version);
            }
        }
    }

    /** What people wrote and said goes with the job, though an allocation runs by it. */
    private void forgetWords(JobId id) {
        for (JobVersionRow jobVersion : tables.jobVersions.find(Tables.VERSIONS_BY_JOB, id)) {
            if (jobVersion.source() != null || jobVersion.tag() != null) {
                tables.jobVersions = tables.jobVersions.put(jobVersion.withoutWords(), version);
            }
        }
    }

    private void putAllocation(AllocationRow row) {
        AllocationRow old = tables.allocations.get(row.id());
        Instant before = old == null ? null : old.seen().endedAt();
        Instant endedAt = row.isEnded() && before == null ? at : before;
        tables.putAllocation(row.endedAt(endedAt), version);
        if (old != null && !old.jobVersion().equals(row.jobVersion())) {
            forgetTexts(old.job());
        }
        if (old == null || old.isTerminal() != row.isTerminal() || old.status() != row.status()) {
            refreshPlugins(pluginsRunBy(row));
        }
    }

    private void report(Change.AllocationReported report) {
        AllocationRow old = tables.allocations.get(report.allocId());
        if (old != null) {
            putAllocation(old.reported(report.status(), report.description())
                    .tasks(report.tasks())
                    .volumes(report.volumes())
                    .health(report.health())
                    .address(report.address())
                    .modifiedAt(at));
        }
    }

    private void removeAllocation(String id) {
        AllocationRow old = tables.allocations.get(id);
        if (old == null) {
            return;
        }
        SortedSet<String> plugins = pluginsRunBy(old);
        tables.removeAllocation(id, version);
        forgetTexts(old.job());
        refreshPlugins(plugins);
    }

    private SortedSet<String> pluginsRunBy(AllocationRow row) {
        JobVersionRow jobVersion = tables.jobVersions.get(row.jobVersion());
        Optional<TaskGroup> group =
                jobVersion == null ? Optional.empty() : jobVersion.spec().group(row.group());
        return group.map(Tables::pluginsOf).orElseGet(TreeSet::new);
    }

    private Optional<VolumeRow> volume(VolumeId id) {
        return Optional.ofNullable(tables.volumes.get(id));
    }

    private void putVolume(VolumeRow row) {
        tables.volumes = tables.volumes.put(row, version);
    }

    private void buryVolume(VolumeId id) {
        VolumeRow old = tables.volumes.get(id);
        if (old != null) {
            tables.volumes = tables.volumes.remove(id, version);
            tables.volumeTombstones = tables.volumeTombstones.put(new VolumeTombstone(old, at, 0, 0), version);
        }
    }

    private void putClaim(ClaimRow row) {
        tables.putClaim(row, version);
        volume(row.volume()).ifPresent(volume -> putVolume(volume.touched(at)));
    }

    private void removeClaim(ClaimId id) {
        ClaimRow old = tables.claims.get(id);
        tables.removeClaim(id, version);
        if (old != null) {
            volume(old.volume()).ifPresent(volume -> putVolume(volume.touched(at)));
        }
    }

    /** Makes, touches or removes the rows of these plugins, as something refers to them or not. */
    private void refreshPlugins(Collection<String> ids) {
        for (String id : ids) {
            boolean isReferred =
                    tables.nodes.has(Tables.NODES_BY_PLUGIN, id) || tables.jobs.has(Tables.JOBS_BY_PLUGIN, id);
            tables.plugins = isReferred
                    ? tables.plugins.put(new PluginRow(id, 0, 0), version)
                    : tables.plugins.remove(id, version);
        }
    }
}
