package io.cleat.state;

import io.cleat.model.ClientStatus;
import io.cleat.model.HostRequest;
import io.cleat.model.JobId;
import io.cleat.model.JobSpec;
import io.cleat.model.TaskGroup;
import io.cleat.model.VariableId;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import io.cleat.model.VolumeRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What an image should hold, kept the plainest way: mutable maps, rows taken apart into their components and put
 * together again by name ({@link Plain}), and everything that an index would find found by looking at every row. It
 * uses no method of a row that makes another one, no draft, no table of a life and no bound of the program: those are
 * what it checks.
 */
final class NaiveModel {
    final Map<String, NodeRow> nodes = new TreeMap<>();
    final Map<JobId, JobRow> jobs = new TreeMap<>();
    final Map<JobVersionId, JobVersionRow> texts = new TreeMap<>();
    final Map<String, EvaluationRow> evaluations = new TreeMap<>();
    final Map<String, AllocationRow> allocations = new TreeMap<>();
    final Map<VolumeId, VolumeRow> volumes = new TreeMap<>();
    final Map<ClaimId, ClaimRow> claims = new TreeMap<>();
    final Map<AttachmentId, AttachmentRow> attachments = new TreeMap<>();
    final Map<String, OperationRow> operations = new TreeMap<>();
    final Map<String, RequestRow> requests = new TreeMap<>();
    final Map<String, NodeTombstone> buriedNodes = new TreeMap<>();
    final Map<VolumeKey, VolumeTombstone> buriedVolumes = new TreeMap<>();

    final Map<String, DeploymentRow> deployments = new TreeMap<>();

    final Map<String, RemainderRow> remainders = new TreeMap<>();
    final Map<String, OtherPastRow> otherPasts = new TreeMap<>();
    final Map<HoldingId, HoldingRow> holdings = new TreeMap<>();
    final Map<String, NamespaceRow> namespaces = new TreeMap<>();
    final Map<VolumeId, HostVolumeRow> hostVolumes = new TreeMap<>();
    final Map<String, StickyClaimRow> stickyClaims = new TreeMap<>();
    final Map<ScaleEventsId, ScaleEventsRow> scaleEvents = new TreeMap<>();
    final Map<String, SchedulingRow> scheduling = new TreeMap<>();
    final Map<VariableId, VariableRow> variables = new TreeMap<>();

    void apply(Change change, long version, Instant at) {
        switch (change) {
            case Change.ClusterFormed _ -> {}
            case Change.NodePut(var row) -> {
                put(nodes, row.id(), row, version);
                buriedNodes.remove(row.id());
            }
            case Change.NodeFactsChanged(var facts) ->
                change(nodes, facts.id(), version, row -> Plain.with(row, "facts", facts));
            case Change.NodeStatusChanged(var id, var status, var words) ->
                change(
                        nodes,
                        id,
                        version,
                        row -> Plain.with(
                                row,
                                "status",
                                status,
                                "statusDescription",
                                words,
                                "statusSince",
                                row.status().equals(status) ? row.statusSince() : at));
            case Change.NodeEventsAdded(var id, var events) ->
                change(nodes, id, version, row -> Plain.with(row, "events", last(10, row.events(), events)));
            case Change.NodeRemoved(var id) -> {
                nodes.remove(id);
                otherPasts.remove(id);
            }
            case Change.NodeBuried(var id) -> {
                otherPasts.remove(id);
                Optional.ofNullable(nodes.remove(id))
                        .ifPresent(row -> put(buriedNodes, id, new NodeTombstone(row, at, 0, 0), version));
            }
            case Change.NodeTombstoneRemoved(var id) -> buriedNodes.remove(id);
            case Change.JobPut(var row, var source) -> {
                put(
                        jobs,
                        row.spec().id(),
                        row.jobModifyVersion() == 0 ? Plain.with(row, "jobModifyVersion", version) : row,
                        version);
                JobVersionRow text =
                        new JobVersionRow(row.spec(), row.number(), row.submittedAt(), false, source, null, 0, 0);
                put(texts, new JobVersionId(row.spec().id(), version), text, version);
                stickyClaims.values().removeIf(claim -> claim.job().equals(row.id()) && !isKept(claim, row.spec()));
            }
            case Change.JobStopped(var id) -> change(jobs, id, version, row -> Plain.with(row, "stop", true));
            case Change.JobLaunched(var id, var time) ->
                change(jobs, id, version, row -> Plain.with(row, "launchedAt", time));
            case Change.JobRemoved(var id) -> {
                jobs.remove(id);
                stickyClaims.values().removeIf(claim -> claim.job().equals(id));
                for (JobVersionId text : List.copyOf(texts.keySet())) {
                    JobVersionRow known = texts.get(text);
                    boolean isSaid = known != null && (known.source() != null || known.tag() != null);
                    if (text.job().equals(id) && isSaid) {
                        change(texts, text, version, row -> Plain.with(row, "source", null, "tag", null));
                    }
                }
            }
            case Change.JobMarkedStable(var id, var stable) ->
                change(texts, id, version, row -> Plain.with(row, "stable", stable));
            case Change.DeploymentPut(var row) -> put(deployments, row.id(), row, version);
            case Change.DeploymentRemoved(var id) -> deployments.remove(id);
            case Change.EvaluationPut(var row) -> put(evaluations, row.id(), row, version);
            case Change.EvaluationsMoved(var ids, var to, var words) ->
                ids.stream()
                        .filter(id -> mayMove(id, to))
                        .forEach(id -> change(evaluations, id, version, row -> moved(row, to, words, at)));
            case Change.EvaluationRemoved(var id) -> evaluations.remove(id);
            case Change.AllocationPut(var row) ->
                put(allocations, row.id(), ended(Plain.with(row, "allocModifyVersion", version), at), version);
            case Change.AllocationReported report ->
                change(
                        allocations,
                        report.allocId(),
                        version,
                        row -> ended(
                                Plain.with(
                                        row,
                                        "status",
                                        report.status(),
                                        "statusDescription",
                                        report.description(),
                                        "tasks",
                                        report.tasks(),
                                        "volumes",
                                        report.volumes(),
                                        "health",
                                        report.health(),
                                        "address",
                                        report.address()),
                                at));
            case Change.AllocationRemoved(var id) -> allocations.remove(id);
            case Change.VolumePut(var row) -> put(volumes, row.id(), row, version);
            case Change.VolumeEventsAdded(var id, var events) ->
                change(volumes, id, version, row -> Plain.with(row, "events", last(50, row.events(), events)));
            case Change.VolumeRemoved(var id) -> volumes.remove(id);
            case Change.VolumeBuried(var id) ->
                Optional.ofNullable(volumes.remove(id))
                        .ifPresent(row -> put(buriedVolumes, key(row), new VolumeTombstone(row, at, 0, 0), version));
            case Change.VolumeTombstoneRemoved(var key) -> buriedVolumes.remove(key);
            case Change.ClaimPut(var row) -> {
                put(claims, row.id(), row, version);
                change(volumes, row.volume(), version, volume -> Plain.with(volume, "modifiedAt", at));
            }
            case Change.ClaimRemoved(var id) ->
                Optional.ofNullable(claims.remove(id))
                        .ifPresent(row ->
                                change(volumes, row.volume(), version, volume -> Plain.with(volume, "modifiedAt", at)));
            case Change.AttachmentPut(var row) -> put(attachments, row.id(), row, version);
            case Change.AttachmentRemoved(var id) -> attachments.remove(id);
            case Change.OperationPut(var row) -> put(operations, row.id(), row, version);
            case Change.OperationRemoved(var id) -> operations.remove(id);
            case Change.RequestKept(var row) -> put(requests, row.id(), row, version);
            case Change.RequestExpired(var id) -> requests.remove(id);
            case Change.RemainderPut(var row) -> put(remainders, row.id(), row, version);
            case Change.RemainderRemoved(var id) -> remainders.remove(id);
            case Change.OtherPastPut(var row) -> put(otherPasts, row.nodeId(), row, version);
            case Change.RecoveryEnded _ ->
                List.copyOf(otherPasts.values()).stream()
                        .filter(OtherPastRow::open)
                        .forEach(row -> put(otherPasts, row.nodeId(), row.settled(), version));
            case Change.HoldingPut(var row) -> put(holdings, row.id(), row, version);
            case Change.HoldingRemoved(var id) -> holdings.remove(id);
            case Change.JobTagged(var id, var tag) -> change(texts, id, version, row -> Plain.with(row, "tag", tag));
            case Change.ScaleEventAdded(var id, var event) -> {
                ScaleEventsRow old = scaleEvents.get(id);
                List<ScaleEvent> known = old == null ? List.of() : old.events();
                ScaleEvent numbered = Plain.with(event, "version", version);
                put(scaleEvents, id, new ScaleEventsRow(id, last(20, known, List.of(numbered)), 0, 0), version);
            }
            case Change.HostVolumePut(var row) -> put(hostVolumes, row.id(), row, version);
            case Change.HostVolumeRemoved(var id) -> {
                hostVolumes.remove(id);
                stickyClaims.values().removeIf(claim -> claim.volume().equals(id));
            }
            case Change.StickyClaimPut(var row) -> put(stickyClaims, row.id(), row, version);
            case Change.StickyClaimRemoved(var id) -> stickyClaims.remove(id);
            case Change.NamespacePut(var row) -> put(namespaces, row.name(), row, version);
            case Change.NamespaceRemoved(var name) -> namespaces.remove(name);
            case Change.SchedulingPut(var row) -> put(scheduling, "the one", row, version);
            case Change.VariablePut(var row) -> put(variables, row.id(), row, version);
            case Change.VariableRemoved(var id) -> variables.remove(id);
        }
        forgetTexts();
        scaleEvents
                .keySet()
                .removeIf(id -> !jobs.containsKey(id.job())
                        || jobs.get(id.job()).spec().groups().stream()
                                .noneMatch(g -> g.name().equals(id.group())));
    }

    private static boolean isKept(StickyClaimRow claim, JobSpec spec) {
        for (TaskGroup group : spec.groups()) {
            for (VolumeRequest request : group.volumes().values()) {
                HostRequest host = request.host();
                if (group.name().equals(claim.group())
                        && request.source().equals(claim.volumeName())
                        && host != null
                        && host.sticky()) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Blocked ones may go on or be canceled, pending ones be canceled; what is over stays so. */
    private boolean mayMove(String id, EvaluationStatus to) {
        EvaluationRow row = evaluations.get(id);
        return row != null
                && (row.status() == to
                        || row.status() == EvaluationStatus.BLOCKED
                        || (row.status() == EvaluationStatus.PENDING && to == EvaluationStatus.CANCELED));
    }

    private static EvaluationRow moved(EvaluationRow row, EvaluationStatus to, String words, Instant at) {
        return Plain.with(
                row,
                "status",
                to,
                "statusDescription",
                words,
                "modifiedAt",
                at,
                "blockedOn",
                List.of(),
                "blockedOnAny",
                false,
                "blockedBy",
                null);
    }

    private static VolumeKey key(VolumeRow row) {
        return new VolumeKey(row.spec().pluginId(), row.spec().externalId());
    }

    private static <T> List<T> last(int most, List<T> old, List<T> more) {
        List<T> kept = new ArrayList<>(old);
        kept.addAll(more);
        while (kept.size() > most) {
            kept.removeFirst();
        }
        return kept;
    }

    /** How a volume is used: as the grant with the smallest epoch says that is not given back. */
    @Nullable
    VolumeModes modes(VolumeKey key) {
        ClaimRow oldest = null;
        for (ClaimRow row : claims.values()) {
            boolean isHeld = row.state() == ClaimState.GRANTED || row.state() == ClaimState.RELEASING;
            if (isHeld && row.key().equals(key) && (oldest == null || row.epoch() < oldest.epoch())) {
                oldest = row;
            }
        }
        return oldest == null ? null : oldest.modes();
    }

    /** The ids of the plugins that something refers to. */
    Set<String> plugins() {
        Set<String> ids = new TreeSet<>();
        nodes.values().forEach(n -> n.facts().plugins().forEach(instance -> ids.add(instance.pluginId())));
        jobs.values().stream()
                .filter(job -> !job.stop())
                .flatMap(job -> job.spec().groups().stream())
                .flatMap(group -> group.tasks().stream())
                .forEach(task -> Optional.ofNullable(task.csiPlugin()).ifPresent(plugin -> ids.add(plugin.id())));
        return ids;
    }

    private AllocationRow ended(AllocationRow row, Instant at) {
        AllocationRow old = allocations.get(row.id());
        boolean isOver = row.status() == ClientStatus.COMPLETE
                || row.status() == ClientStatus.FAILED
                || row.status() == ClientStatus.LOST;
        Instant endedAt =
                old != null && old.seen().endedAt() != null ? old.seen().endedAt() : isOver ? at : null;
        return Plain.with(row, "modifiedAt", at, "endedAt", endedAt);
    }

    private void forgetTexts() {
        texts.keySet().removeIf(id -> {
            boolean isRun = allocations.values().stream()
                    .anyMatch(a -> a.job().equals(id.job()) && a.byVersion().jobModifyVersion() == id.storedVersion());
            long newer = texts.keySet().stream()
                    .filter(t -> t.job().equals(id.job()))
                    .filter(t -> t.storedVersion() > id.storedVersion())
                    .count();
            boolean isNew = jobs.containsKey(id.job()) && newer < 6;
            boolean isGood = jobs.containsKey(id.job())
                    && Optional.ofNullable(texts.get(id))
                            .map(JobVersionRow::stable)
                            .orElse(false)
                    && texts.values().stream()
                            .filter(JobVersionRow::stable)
                            .filter(t -> t.spec().id().equals(id.job()))
                            .noneMatch(t -> t.createVersion() > id.storedVersion());
            boolean isTagged = jobs.containsKey(id.job())
                    && Optional.ofNullable(texts.get(id))
                            .map(JobVersionRow::tag)
                            .isPresent();
            return !isRun && !isNew && !isGood && !isTagged;
        });
    }

    private static <K, R extends Record & Row<R>> void put(Map<K, R> table, K key, R row, long version) {
        R old = table.get(key);
        table.put(
                key,
                Plain.with(
                        row, "createVersion", old == null ? version : old.createVersion(), "modifyVersion", version));
    }

    private static <K, R extends Record & Row<R>> void change(
            Map<K, R> table, K key, long version, UnaryOperator<R> change) {
        R old = table.get(key);
        if (old != null) {
            put(table, key, change.apply(old), version);
        }
    }
}
