package io.cleat.server.decide;

import io.cleat.model.BlockedBy;
import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobId;
import io.cleat.model.JobType;
import io.cleat.model.MigratePolicy;
import io.cleat.model.TaskGroup;
import io.cleat.state.AllocationRow;
import io.cleat.state.AttachmentRow;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClaimState;
import io.cleat.state.ClusterState;
import io.cleat.state.JobVersionRow;
import io.cleat.state.NodeDrain;
import io.cleat.state.NodeRow;
import io.cleat.state.VolumeProgress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How far a draining node is: a look at the rows, nothing of its own is stored.
 *
 * <p>What needs a storage plugin goes before the plugin, also when it is forced: tasks end, service and batch jobs
 * before system jobs; their volumes are unpublished and unstaged, and where the plugin attaches, detached, each
 * acknowledged; then the plugins end.
 *
 * @param services allocations of service and batch jobs that have not ended
 * @param systems those of system jobs
 * @param claims whose volumes may still be mounted
 * @param attachments of volumes that nobody uses here any more
 * @param plugins allocations that run storage plugins and have not ended
 */
public record Draining(
        ClusterState state,
        NodeRow node,
        List<AllocationRow> services,
        List<AllocationRow> systems,
        List<ClaimRow> claims,
        List<AttachmentRow> attachments,
        List<AllocationRow> plugins) {
    /** What is being done. The order is that of doing. */
    public enum Phase {
        TASKS,
        UNPUBLISH,
        UNSTAGE,
        DETACH,
        PLUGINS,
        DONE
    }

    /**
     * One thing that is waited for.
     *
     * @param object such as {@code allocation 1f2e.. of job default/web on node n1}
     * @param since when it began
     * @param waitingFor why it takes so long, as far as is known
     */
    public record Left(
            Phase phase,
            String object,
            Instant since,
            @Nullable BlockedBy waitingFor) {}

    /** How far {@code node} is, or would be if it were drained. */
    public static Draining of(ClusterState state, NodeRow node) {
        NodeDrain drain = node.drain();
        boolean ignoresSystem = drain != null && drain.ignoresSystem();
        List<AllocationRow> services = new ArrayList<>();
        List<AllocationRow> systems = new ArrayList<>();
        List<AllocationRow> plugins = new ArrayList<>();
        Set<String> staying = new HashSet<>();
        for (AllocationRow allocation : state.allocationsOnNode(node.id())) {
            boolean system = isSystem(state, allocation);
            if (system && ignoresSystem) {
                staying.add(allocation.id());
            } else if (!allocation.isEnded()) {
                (isPlugin(state, allocation) ? plugins : system ? systems : services).add(allocation);
            }
        }
        List<ClaimRow> claims = new ArrayList<>();
        Set<Object> used = new HashSet<>();
        for (ClaimRow claim : state.claims().onNode(node.id())) {
            used.add(claim.key());
            if (claim.holds() && !staying.contains(claim.allocId())) {
                claims.add(claim);
            }
        }
        List<AttachmentRow> attachments = state.attachments().onNode(node.id()).stream()
                .filter(attachment -> !used.contains(attachment.id().key()))
                .toList();
        return new Draining(state, node, services, systems, claims, attachments, plugins);
    }

    private static boolean isSystem(ClusterState state, AllocationRow allocation) {
        return state.jobVersion(allocation.jobVersion())
                .map(version -> version.spec().type() == JobType.SYSTEM)
                .orElse(false);
    }

    /** Whether nothing takes its place elsewhere. */
    static boolean isOnEachNode(ClusterState state, AllocationRow allocation) {
        return state.jobVersion(allocation.jobVersion())
                .map(version -> version.spec().type().isOnEachNode())
                .orElse(false);
    }

    private static boolean isPlugin(ClusterState state, AllocationRow allocation) {
        return group(state, allocation).stream()
                .flatMap(group -> group.tasks().stream())
                .anyMatch(task -> task.csiPlugin() != null);
    }

    private static Optional<TaskGroup> group(ClusterState state, AllocationRow allocation) {
        return state.jobVersion(allocation.jobVersion())
                .map(JobVersionRow::spec)
                .flatMap(spec -> spec.group(allocation.group()));
    }

    public Phase phase() {
        return left().stream().map(Left::phase).min(Phase::compareTo).orElse(Phase.DONE);
    }

    /** All that is waited for, in the order of the phases. */
    public List<Left> left() {
        List<Left> left = new ArrayList<>();
        services.forEach(allocation -> left.add(task(Phase.TASKS, allocation)));
        systems.forEach(allocation -> left.add(task(Phase.TASKS, allocation)));
        claims.stream().map(this::mounted).sorted(Draining::byPhase).forEach(left::add);
        for (AttachmentRow attachment : attachments) {
            left.add(new Left(
                    Phase.DETACH, Words.volume(attachment.volume()), attachment.since(), attachment.blockedBy()));
        }
        plugins.forEach(allocation -> left.add(task(Phase.PLUGINS, allocation)));
        return left;
    }

    private static int byPhase(Left one, Left other) {
        return one.phase().compareTo(other.phase());
    }

    private Left task(Phase phase, AllocationRow allocation) {
        return new Left(
                phase,
                Words.allocation(state, allocation.id()),
                allocation.stamps().modifiedAt(),
                null);
    }

    private Left mounted(ClaimRow claim) {
        Optional<VolumeProgress> progress = state.allocation(claim.allocId())
                .map(row -> row.seen().volumes().get(claim.alias()));
        BlockedBy waitingFor = progress.map(VolumeProgress::waitingFor).orElse(null);
        if (waitingFor == null && claim.state() == ClaimState.RELEASING) {
            waitingFor = claim.blockedBy();
        }
        boolean unstaging = waitingFor != null && waitingFor.step().equals("unstage");
        return new Left(
                unstaging ? Phase.UNSTAGE : Phase.UNPUBLISH,
                Words.volume(state, claim.volume()) + " of " + Words.allocation(state, claim.allocId()),
                claim.since(),
                waitingFor);
    }

    /** Whether there is something to do now, other than to wait. */
    public boolean isDue(Instant now) {
        return !due(now).isEmpty() || phase() == Phase.DONE;
    }

    /** The allocations that are to be stopped now. */
    List<AllocationRow> due(Instant now) {
        NodeDrain drain = node.drain();
        if (!services.isEmpty()) {
            return running(drain != null && drain.isForced(now) ? services : mayMove());
        }
        if (!systems.isEmpty()) {
            return running(systems);
        }
        return claims.isEmpty() && attachments.isEmpty() ? running(plugins) : List.of();
    }

    private static List<AllocationRow> running(List<AllocationRow> allocations) {
        return allocations.stream()
                .filter(row -> row.desired() == DesiredStatus.RUN)
                .toList();
    }

    /**
     * Those of service jobs that may move by their group's {@code migrate} block: so many of a group at once that the
     * others, wherever they are, go on. Batch jobs are left to end by themselves.
     */
    private List<AllocationRow> mayMove() {
        Map<JobId, Map<String, List<AllocationRow>>> groups = new TreeMap<>();
        for (AllocationRow allocation : running(services)) {
            if (typeOf(allocation) == JobType.SERVICE) {
                groups.computeIfAbsent(allocation.job(), job -> new TreeMap<>())
                        .computeIfAbsent(allocation.group(), group -> new ArrayList<>())
                        .add(allocation);
            }
        }
        List<AllocationRow> moving = new ArrayList<>();
        groups.forEach((job, byGroup) -> byGroup.values().forEach(here -> moving.addAll(mayMove(job, here))));
        return moving;
    }

    private List<AllocationRow> mayMove(JobId job, List<AllocationRow> here) {
        TaskGroup group = group(state, here.getFirst()).orElse(null);
        if (group == null) {
            return here;
        }
        MigratePolicy policy = group.migrate();
        boolean byHealth = policy != null;
        int atOnce = policy == null ? 1 : Math.max(1, policy.maxParallel());
        long healthy = state.allocationsOfJob(job).stream()
                .filter(row -> row.group().equals(group.name()))
                .filter(row -> isWell(row, byHealth))
                .count();
        long spare = Math.max(0, healthy - Math.max(0, group.count() - atOnce));
        List<AllocationRow> moving = new ArrayList<>();
        for (AllocationRow allocation : here) {
            if (!isWell(allocation, byHealth)) {
                moving.add(allocation);
            } else if (spare > 0) {
                spare--;
                moving.add(allocation);
            }
        }
        return moving;
    }

    /**
     * Whether others may go because this one is there.
     *
     * @param byHealth whether one that took another's place counts only once it is healthy
     */
    private static boolean isWell(AllocationRow allocation, boolean byHealth) {
        boolean isProved =
                allocation.isHealthy() || allocation.lineage().previous().isEmpty();
        return allocation.desired() == DesiredStatus.RUN
                && allocation.status() == ClientStatus.RUNNING
                && !allocation.isUnhealthy()
                && (isProved || !byHealth);
    }

    private @Nullable JobType typeOf(AllocationRow allocation) {
        return state.jobVersion(allocation.jobVersion())
                .map(version -> version.spec().type())
                .orElse(null);
    }
}
