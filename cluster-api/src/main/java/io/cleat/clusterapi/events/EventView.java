package io.cleat.clusterapi.events;

import io.cleat.api.EventHeader;
import io.cleat.clusterapi.allocations.AllocationView;
import io.cleat.clusterapi.deployments.DeploymentView;
import io.cleat.clusterapi.evaluations.EvaluationView;
import io.cleat.clusterapi.jobs.JobView;
import io.cleat.clusterapi.nodes.NodeView;
import io.cleat.clusterapi.plugins.KnownCounts;
import io.cleat.clusterapi.plugins.PluginView;
import io.cleat.clusterapi.volumes.HostVolumeAnswers;
import io.cleat.clusterapi.volumes.OperationView;
import io.cleat.clusterapi.volumes.VolumeView;
import io.cleat.http.ShownNamespaces;
import io.cleat.model.JobId;
import io.cleat.model.VolumeId;
import io.cleat.server.commit.AppliedDecision;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.ClaimId;
import io.cleat.state.ClusterState;
import io.cleat.state.DeploymentRow;
import io.cleat.state.EvaluationRow;
import io.cleat.state.HostVolumeRow;
import io.cleat.state.JobRow;
import io.cleat.state.NodeRow;
import io.cleat.state.OperationCall;
import io.cleat.state.OperationRow;
import io.cleat.state.PluginRow;
import io.cleat.state.TableName;
import io.cleat.state.VolumeRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The events of one decision: one for each object that it changed; jobs first, then nodes, evaluations, deployments,
 * allocations, volumes and plugins, each kind in the order of the changes. Nodes, jobs, allocations and volumes say
 * what was done to them; evaluations and plugins, which follow from other things, say what the decision was as a whole.
 *
 * <p>What garbage collection removes of evaluations and allocations is told by nothing: they had ended before.
 */
final class EventView {
    private final ClusterState before;
    private final ClusterState after;
    private final List<Change> changes;
    private final Map<String, EventType> nodes = new LinkedHashMap<>();
    private final Map<JobId, EventType> jobs = new LinkedHashMap<>();
    private final Map<String, EventType> evaluations = new LinkedHashMap<>();
    private final Map<String, EventType> deployments = new LinkedHashMap<>();
    private final Map<String, EventType> allocations = new LinkedHashMap<>();
    private final Map<VolumeId, EventType> volumes = new LinkedHashMap<>();
    private final Map<VolumeId, EventType> hostVolumes = new LinkedHashMap<>();
    private final Map<String, OperationRow> operations = new LinkedHashMap<>();
    private final boolean isPlan;

    private EventView(AppliedDecision<ClusterState, Change> decision) {
        before = decision.before();
        after = decision.after();
        changes = decision.changes();
        isPlan = changes.stream().anyMatch(this::isOfPlan);
        changes.forEach(this::sort);
    }

    /** One event, its payload not yet made. */
    record Draft(EventHeader about, Function<ClusterState, Map<String, Object>> payload) {}

    static List<Draft> of(AppliedDecision<ClusterState, Change> decision) {
        return new EventView(decision).drafts();
    }

    /** Whether a change is one that only the scheduler's plans make. */
    private boolean isOfPlan(Change change) {
        return switch (change) {
            case Change.AllocationPut(AllocationRow row) ->
                before.allocation(row.id()).isEmpty();
            case Change.EvaluationPut(EvaluationRow row) ->
                row.status().isTerminal()
                        && before.evaluations()
                                .get(row.id())
                                .filter(old -> !old.status().isTerminal())
                                .isPresent();
            default -> false;
        };
    }

    private void sort(Change change) {
        switch (change) {
            case Change.NodePut(NodeRow row) -> add(nodes, row.id(), nodeType(row));
            case Change.NodeFactsChanged(var facts) -> add(nodes, facts.id(), EventType.NODE_REGISTRATION);
            case Change.NodeStatusChanged(String id, var _, var _) -> add(nodes, id, EventType.NODE_STREAM_EVENT);
            case Change.NodeEventsAdded(String id, var _) -> add(nodes, id, EventType.NODE_STREAM_EVENT);
            case Change.NodeRemoved(String id) -> add(nodes, id, EventType.NODE_DEREGISTRATION);
            case Change.NodeBuried(String id) -> add(nodes, id, EventType.NODE_DEREGISTRATION);
            case Change.JobPut(JobRow row, var _) -> add(jobs, row.id(), EventType.JOB_REGISTERED);
            case Change.JobStopped(JobId id) -> add(jobs, id, EventType.JOB_DEREGISTERED);
            case Change.JobRemoved(JobId id) -> add(jobs, id, jobRemoval());
            case Change.EvaluationPut(EvaluationRow row) -> add(evaluations, row.id(), EventType.EVALUATION_UPDATED);
            case Change.EvaluationsMoved(var ids, var _, var _) ->
                ids.forEach(id -> add(evaluations, id, EventType.EVALUATION_UPDATED));
            case Change.DeploymentPut(DeploymentRow row) -> add(deployments, row.id(), deploymentType(row));
            case Change.AllocationPut(AllocationRow row) ->
                add(allocations, row.id(), isPlan ? EventType.PLAN_RESULT : EventType.ALLOCATION_UPDATE_DESIRED_STATUS);
            case Change.AllocationReported report -> add(allocations, report.allocId(), EventType.ALLOCATION_UPDATED);
            case Change.VolumePut(VolumeRow row) -> add(volumes, row.id(), EventType.CSI_VOLUME_REGISTERED);
            case Change.VolumeEventsAdded(VolumeId id, var _) -> add(volumes, id, EventType.CSI_VOLUME_EVENT);
            case Change.VolumeRemoved(VolumeId id) -> add(volumes, id, EventType.CSI_VOLUME_DEREGISTERED);
            case Change.VolumeBuried(VolumeId id) -> add(volumes, id, EventType.CSI_VOLUME_DEREGISTERED);
            case Change.HostVolumePut(HostVolumeRow row) ->
                add(hostVolumes, row.id(), EventType.HOST_VOLUME_REGISTERED);
            case Change.HostVolumeRemoved(VolumeId id) -> add(hostVolumes, id, EventType.HOST_VOLUME_DELETED);
            case Change.ClaimPut(var row) -> add(volumes, row.volume(), EventType.CSI_VOLUME_CLAIM);
            case Change.ClaimRemoved(ClaimId id) ->
                Stream.of(before, after)
                        .flatMap(state -> state.claims().get(id).stream())
                        .findFirst()
                        .ifPresent(row -> add(volumes, row.volume(), EventType.CSI_VOLUME_CLAIM));
            case Change.OperationPut(OperationRow row) -> operations.put(row.id(), row);
            case Change.ClusterFormed _,
                    Change.NodeTombstoneRemoved _,
                    Change.JobLaunched _,
                    Change.JobMarkedStable _,
                    Change.JobTagged _,
                    Change.ScaleEventAdded _,
                    Change.DeploymentRemoved _,
                    Change.EvaluationRemoved _,
                    Change.AllocationRemoved _,
                    Change.VolumeTombstoneRemoved _,
                    Change.AttachmentPut _,
                    Change.AttachmentRemoved _,
                    Change.OperationRemoved _,
                    Change.RequestKept _,
                    Change.RemainderPut _,
                    Change.RemainderRemoved _,
                    Change.OtherPastPut _,
                    Change.RecoveryEnded _,
                    Change.HoldingPut _,
                    Change.HoldingRemoved _,
                    Change.NamespacePut _,
                    Change.NamespaceRemoved _,
                    Change.SchedulingPut _,
                    Change.VariablePut _,
                    Change.VariableRemoved _,
                    Change.StickyClaimPut _,
                    Change.StickyClaimRemoved _,
                    Change.RequestExpired _ -> {
                // Nothing that is shown in these topics.
            }
        }
    }

    private static <K> void add(Map<K, EventType> touched, K key, EventType type) {
        touched.merge(key, type, EventType::or);
    }

    private EventType nodeType(NodeRow row) {
        Optional<NodeRow> old = before.node(row.id());
        if (old.isPresent() && !Objects.equals(old.get().drain(), row.drain())) {
            return EventType.NODE_DRAIN;
        }
        return old.isPresent() && old.get().eligible() != row.eligible()
                ? EventType.NODE_ELIGIBILITY
                : EventType.NODE_REGISTRATION;
    }

    private EventType deploymentType(DeploymentRow row) {
        boolean isPromotion = before.deployments()
                .get(row.id())
                .filter(old -> promoted(old) < promoted(row))
                .isPresent();
        if (isPromotion) {
            return EventType.DEPLOYMENT_PROMOTION;
        }
        return isPlan ? EventType.PLAN_RESULT : EventType.DEPLOYMENT_STATUS_UPDATE;
    }

    private static long promoted(DeploymentRow row) {
        return row.groups().values().stream()
                .filter(DeploymentRow.Group::promoted)
                .count();
    }

    private EventType jobRemoval() {
        long removed =
                changes.stream().filter(c -> c instanceof Change.JobRemoved).count();
        return removed > 1 ? EventType.JOB_BATCH_DEREGISTERED : EventType.JOB_DEREGISTERED;
    }

    /** What the decision was as a whole. */
    private EventType whole() {
        return Stream.of(nodes, jobs, deployments, allocations, volumes, hostVolumes)
                .flatMap(touched -> touched.values().stream())
                .reduce(EventType.EVALUATION_UPDATED, EventType::or);
    }

    private List<Draft> drafts() {
        List<Draft> drafts = new ArrayList<>();
        EventType whole = whole();
        jobs.forEach((id, type) -> job(id).ifPresent(row -> drafts.add(job(row, type))));
        nodes.forEach((id, type) -> node(id).ifPresent(row -> drafts.add(node(row, type))));
        evaluations.forEach(
                (id, _) -> after.evaluations().get(id).ifPresent(row -> drafts.add(evaluation(row, whole))));
        deployments.forEach(
                (id, type) -> after.deployments().get(id).ifPresent(row -> drafts.add(deployment(row, type))));
        allocations.forEach((id, type) -> after.allocation(id).ifPresent(row -> drafts.add(allocation(row, type))));
        volumes.forEach((id, type) -> volume(id).ifPresent(row -> drafts.add(volume(row, type))));
        hostVolumes.forEach((id, type) -> HostVolumeRow.find(after, id)
                .or(() -> HostVolumeRow.find(before, id))
                .ifPresent(row -> drafts.add(hostVolume(row, type))));
        operations.values().stream().filter(this::isOfNoVolume).forEach(row -> drafts.add(operation(row)));
        plugins().forEach(row -> drafts.add(plugin(row, whole)));
        return drafts;
    }

    // What is gone is shown as it last was.

    private Optional<JobRow> job(JobId id) {
        return after.job(id).or(() -> before.job(id));
    }

    private Optional<NodeRow> node(String id) {
        return after.node(id).or(() -> before.node(id));
    }

    private Optional<VolumeRow> volume(VolumeId id) {
        return after.volume(id).or(() -> before.volume(id));
    }

    private static Draft job(JobRow row, EventType type) {
        return new Draft(
                new EventHeader("Job", type.wire(), row.id().id(), row.id().namespace(), List.of()),
                state -> Map.of("Job", JobView.job(state, row)));
    }

    private static Draft node(NodeRow row, EventType type) {
        return new Draft(
                new EventHeader("Node", type.wire(), row.id(), "", List.of()),
                state -> Map.of("Node", NodeView.whole(state, row)));
    }

    private static Draft evaluation(EvaluationRow row, EventType type) {
        return new Draft(
                new EventHeader(
                        "Evaluation",
                        type.wire(),
                        row.id(),
                        row.job().namespace(),
                        List.of(row.job().id())),
                _ -> Map.of("Evaluation", EvaluationView.of(row)));
    }

    private static Draft deployment(DeploymentRow row, EventType type) {
        return new Draft(
                new EventHeader(
                        "Deployment",
                        type.wire(),
                        row.id(),
                        row.job().namespace(),
                        List.of(row.job().id())),
                state -> Map.of("Deployment", DeploymentView.of(state, row)));
    }

    /** Without its job, which is large and changes with the job alone. */
    private static Draft allocation(AllocationRow row, EventType type) {
        return new Draft(
                new EventHeader(
                        "Allocation",
                        type.wire(),
                        row.id(),
                        row.job().namespace(),
                        Stream.of(row.job().id(), row.deploymentId())
                                .filter(id -> !id.isEmpty())
                                .toList()),
                state -> Map.of("Allocation", AllocationView.withoutJob(state, row)));
    }

    private static Draft volume(VolumeRow row, EventType type) {
        return new Draft(
                new EventHeader(
                        "CSIVolume",
                        type.wire(),
                        row.id().id(),
                        row.id().namespace(),
                        Stream.of(row.id().id(), row.spec().name(), row.spec().pluginId())
                                .filter(name -> !name.isEmpty())
                                .distinct()
                                .toList()),
                state -> Map.of("Volume", new VolumeView(state, new KnownCounts().in(state)).whole(row)));
    }

    private static Draft hostVolume(HostVolumeRow row, EventType type) {
        return new Draft(
                new EventHeader(
                        "HostVolume",
                        type.wire(),
                        row.spec().id(),
                        row.spec().namespace(),
                        Stream.of(row.spec().id(), row.spec().name(), row.spec().pluginId())
                                .filter(name -> !name.isEmpty())
                                .toList()),
                state -> Map.of("Volume", HostVolumeAnswers.whole(state, row)));
    }

    /** A registered volume has events of its own. */
    private boolean isOfNoVolume(OperationRow row) {
        return OperationCall.attachmentOf(row.call()) == null
                && row.call().about().flatMap(this::volume).isEmpty();
    }

    private static Draft operation(OperationRow row) {
        Optional<VolumeId> about = row.call().about();
        return new Draft(
                new EventHeader(
                        "CSIVolume",
                        EventType.CSI_VOLUME_OPERATION.wire(),
                        about.map(VolumeId::id).orElse(OperationView.snapshot(row.call())),
                        about.map(VolumeId::namespace).orElse(""),
                        List.of(row.pluginId())),
                _ -> Map.of("Operation", OperationView.of(row)));
    }

    private static Draft plugin(PluginRow row, EventType type) {
        return new Draft(
                new EventHeader("CSIPlugin", type.wire(), row.id(), "", List.of()),
                state -> Map.of("Plugin", PluginView.whole(state, row, ShownNamespaces.ALL)));
    }

    /** Rows of plugins come and go with what refers to them: no change names one. */
    private List<PluginRow> plugins() {
        if (before.version(TableName.PLUGINS) == after.version(TableName.PLUGINS)) {
            return List.of();
        }
        Map<String, PluginRow> touched = new TreeMap<>();
        before.plugins().stream()
                .filter(row -> after.plugin(row.id()).isEmpty())
                .forEach(row -> touched.put(row.id(), row));
        after.plugins().stream()
                .filter(row -> row.modifyVersion() == after.version())
                .forEach(row -> touched.put(row.id(), row));
        return List.copyOf(touched.values());
    }
}
