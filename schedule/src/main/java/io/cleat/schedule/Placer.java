package io.cleat.schedule;

import io.cleat.model.Constraint;
import io.cleat.model.JobSpec;
import io.cleat.model.Resources;
import io.cleat.model.Task;
import io.cleat.model.TaskGroup;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeRequest;
import io.cleat.state.ClusterState;
import io.cleat.state.Fit;
import io.cleat.state.NodeRow;
import io.cleat.state.NodeUse;
import io.cleat.state.PlacementMetric;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds the node for one allocation.
 *
 * <p>Goals, in this order: (1) every rule of the job is met: pool and data centre, constraints, drivers, volumes; (2)
 * there is room for processor, memory and disk; (3) nodes fill up one after the other, so that large allocations still
 * find room, or the emptiest is taken, as an operator has it; (4) allocations of one group keep apart where there is a
 * choice; (5) a failed allocation does not go back to its node where there is a choice; (6) nodes are as the job
 * prefers them, and its allocations are spread as it says.
 *
 * <p>Goals 1 and 2 are filters, and what they leave out is counted by its reason. Goals 3 to 6 are scores from -1 to 1;
 * the node with the highest mean wins, and among equals the lowest id.
 */
final class Placer {
    private final ClusterState state;
    private final JobSpec job;
    private final Proposed proposed;
    private final Searches searches = new Searches();

    Placer(ClusterState state, JobSpec job, Proposed proposed) {
        this.state = state;
        this.job = job;
        this.proposed = proposed;
    }

    /**
     * What became of the search.
     *
     * @param node empty if none was found
     * @param volumes to blame for nodes that were left out
     * @param unusable those of them that nobody's release helps
     * @param portHolder who has a port that was wanted, on the first node where one was; null if none was
     * @param others whether nodes were left out for other reasons, or there was none to begin with
     */
    record Found(
            Optional<NodeRow> node,
            PlacementMetric metric,
            Set<VolumeId> volumes,
            Map<VolumeId, Fit.Unusable> unusable,
            @Nullable String portHolder,
            boolean others) {}

    /**
     * What the allocation is called that is to be placed.
     *
     * @param canary whether it runs beside another of its name
     */
    record Called(String allocName, boolean canary) {}

    /**
     * Looks at every node.
     *
     * @param avoided the node of a failed predecessor; empty for none
     */
    Found place(TaskGroup group, Called called, String avoided) {
        return among(state.nodes(), group, called, avoided);
    }

    /** As {@link #place}, among some nodes only. */
    Found among(Iterable<NodeRow> nodes, TaskGroup group, Called called, String avoided) {
        Tally tally = new Tally(job.nodePool());
        List<NodeFilter> filters = filters(group, called);
        Preferences preferences = new Preferences(job, group, proposed, searches);
        List<PlacementMetric.Score> scores = new ArrayList<>();
        Map<String, NodeRow> fitting = new TreeMap<>();
        for (NodeRow node : nodes) {
            if (!isInReach(node)) {
                continue;
            }
            tally.available(node);
            Optional<Rejection> rejected = filters.stream()
                    .flatMap(filter -> filter.reject(node).stream())
                    .findFirst();
            if (rejected.isPresent()) {
                tally.filtered(node, rejected.get());
                continue;
            }
            Optional<String> exhausted =
                    exhausted(node, group).or(() -> portsExhausted(node, group, called.allocName(), tally));
            if (exhausted.isPresent()) {
                tally.exhausted(node, exhausted.get());
                continue;
            }
            scores.add(score(node, group, avoided, preferences));
            fitting.put(node.id(), node);
        }
        scores.sort(Comparator.comparingDouble(PlacementMetric.Score::norm)
                .reversed()
                .thenComparing(PlacementMetric.Score::nodeId));
        Optional<NodeRow> best = scores.stream().findFirst().map(score -> fitting.get(score.nodeId()));
        return new Found(
                best, tally.metric(scores), tally.volumes, tally.unusable, tally.portHolder, tally.hasOtherReasons());
    }

    private boolean isInReach(NodeRow node) {
        return node.isSchedulable()
                && (job.nodePool().equals("all")
                        || job.nodePool().equals(node.facts().nodePool()))
                && job.datacenters().stream()
                        .anyMatch(glob -> Glob.matches(glob, node.facts().datacenter()));
    }

    private List<NodeFilter> filters(TaskGroup group, Called called) {
        List<NodeFilter> filters = new ArrayList<>();
        constraints(job.constraints(), Optional.empty(), filters);
        constraints(group.constraints(), Optional.of(group.name()), filters);
        for (Task task : group.tasks()) {
            constraints(task.constraints(), Optional.of(group.name()), filters);
        }
        filters.add(new DriverFilter(group));
        filters.add(new KillTimeoutFilter(group));
        if (group.network() != null) {
            filters.add(new NetworkFilter(group.network()));
        }
        List<VolumeRequest> ofHosts = group.volumes().values().stream()
                .filter(VolumeRequest::isForHost)
                .toList();
        if (!ofHosts.isEmpty()) {
            filters.add(new HostVolumeFilter(
                    state,
                    job.id(),
                    group,
                    ofHosts,
                    proposed,
                    called,
                    job.type().isOnEachNode()));
        }
        Map<VolumeId, List<VolumeRequest>> requests = new TreeMap<>();
        for (VolumeRequest request : group.volumes().values()) {
            if (request.isForHost()) {
                continue;
            }
            VolumeId volume = new VolumeId(job.id().namespace(), request.volumeFor(called.allocName()));
            requests.computeIfAbsent(volume, id -> new ArrayList<>()).add(request);
        }
        if (!requests.isEmpty()) {
            filters.add(new VolumeFilter(state, job.id(), requests));
        }
        return filters;
    }

    private void constraints(List<Constraint> constraints, Optional<String> group, List<NodeFilter> filters) {
        for (Constraint constraint : constraints) {
            filters.add(
                    switch (constraint.operand()) {
                        case "distinct_hosts" -> new DistinctHostsFilter(proposed, group);
                        case "distinct_property" -> new DistinctPropertyFilter(constraint, group, proposed);
                        default -> new ConstraintFilter(constraint, searches);
                    });
        }
    }

    private Optional<String> exhausted(NodeRow node, TaskGroup group) {
        Resources wanted = Cores.wanted(node.facts(), group);
        NodeUse used = proposed.used(node.id()).plus(wanted, group.disk().sizeMb());
        Resources total = node.facts().total();
        if (wanted.cores() > 0 && wanted.cores() > proposed.freeCores(node.facts())) {
            return Optional.of("cores");
        }
        if (used.cpuMhz() > total.cpuMhz()) {
            return Optional.of("cpu");
        }
        if (used.memoryMb() > total.memoryMb()) {
            return Optional.of("memory");
        }
        if (used.diskMb() > node.facts().diskMb()) {
            return Optional.of("disk");
        }
        return Optional.empty();
    }

    private Optional<String> portsExhausted(NodeRow node, TaskGroup group, String allocName, Tally tally) {
        if (group.network() == null || group.network().ports().isEmpty()) {
            return Optional.empty();
        }
        return switch (proposed.ports(node).give(group.network(), allocName)) {
            case NodePorts.Answer.Given _ -> Optional.empty();
            case NodePorts.Answer.Refused(String dimension, String holder) -> {
                tally.portHolder = tally.portHolder == null ? holder : tally.portHolder;
                yield Optional.of(dimension);
            }
        };
    }

    private PlacementMetric.Score score(NodeRow node, TaskGroup group, String avoided, Preferences preferences) {
        Map<String, Double> parts = new TreeMap<>();
        NodeUse after = proposed.used(node.id())
                .plus(Cores.wanted(node.facts(), group), group.disk().sizeMb());
        double packing = binPacking(after, node.facts().total());
        switch (state.scheduling().algorithm()) {
            case BINPACK -> parts.put("binpack", packing);
            case SPREAD -> parts.put("spread", 1 - packing);
        }
        int beside = proposed.ownOn(node.id(), Optional.of(group.name()));
        if (beside > 0) {
            parts.put("job-anti-affinity", -(beside + 1.0) / Math.max(group.count(), beside + 1));
        }
        if (node.id().equals(avoided)) {
            parts.put("node-reschedule-penalty", -1.0);
        }
        preferences.affinity(node).ifPresent(score -> parts.put("node-affinity", score));
        preferences.spread(node).ifPresent(score -> parts.put("allocation-spread", score));
        double norm = parts.values().stream()
                .mapToDouble(Double::doubleValue)
                .average()
                .orElse(0);
        return new PlacementMetric.Score(node.id(), parts, norm);
    }

    /** From 0 for an empty node to 1 for a full one, falling off ever faster as room is wasted. */
    private static double binPacking(NodeUse used, Resources total) {
        double freeCpu = 1 - (double) used.cpuMhz() / Math.max(1, total.cpuMhz());
        double freeMemory = 1 - (double) used.memoryMb() / Math.max(1, total.memoryMb());
        double score = 20 - Math.pow(10, freeCpu) - Math.pow(10, freeMemory);
        return Math.clamp(score, 0, 18) / 18;
    }

    /** Counts what became of each node. */
    private static final class Tally {
        /** Data centres and classes that are not told apart. */
        private static final String OTHERS = "others";

        private final String pool;
        private int evaluated;
        private int filtered;
        private int exhausted;
        private final Map<String, Integer> available = new TreeMap<>();
        private final Reasons reasons = new Reasons();
        private final Map<String, Integer> classesFiltered = new TreeMap<>();
        private final Map<String, Integer> classesExhausted = new TreeMap<>();
        private final Map<String, Integer> dimensions = new TreeMap<>();
        private final Set<VolumeId> volumes = new TreeSet<>();
        private final Map<VolumeId, Fit.Unusable> unusable = new TreeMap<>();
        private @Nullable String portHolder;
        private boolean otherReasons;

        Tally(String pool) {
            this.pool = pool;
        }

        void available(NodeRow node) {
            evaluated++;
            available.merge(node.facts().datacenter(), 1, Integer::sum);
        }

        void filtered(NodeRow node, Rejection rejection) {
            filtered++;
            reasons.add(rejection.reason(), node.id());
            if (!node.facts().nodeClass().isEmpty()) {
                classesFiltered.merge(node.facts().nodeClass(), 1, Integer::sum);
            }
            if (rejection.volume() == null) {
                otherReasons = true;
            } else {
                volumes.add(rejection.volume());
                if (rejection.unusable() != null) {
                    unusable.put(rejection.volume(), rejection.unusable());
                }
            }
        }

        void exhausted(NodeRow node, String dimension) {
            exhausted++;
            dimensions.merge(dimension, 1, Integer::sum);
            if (!node.facts().nodeClass().isEmpty()) {
                classesExhausted.merge(node.facts().nodeClass(), 1, Integer::sum);
            }
            otherReasons = true;
        }

        boolean hasOtherReasons() {
            return otherReasons || evaluated == 0;
        }

        PlacementMetric metric(List<PlacementMetric.Score> scores) {
            return new PlacementMetric(
                    evaluated,
                    filtered,
                    exhausted,
                    evaluated,
                    pool,
                    Reasons.most(available, OTHERS),
                    Reasons.most(classesFiltered, OTHERS),
                    reasons.counted(),
                    Reasons.most(classesExhausted, OTHERS),
                    dimensions,
                    scores.subList(0, Math.min(PlacementMetric.SCORES, scores.size())),
                    List.of(),
                    0);
        }
    }
}
