package io.cleat.schedule;

import io.cleat.model.Constraint;
import io.cleat.model.GroupNetwork;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
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

    /** The last of each group. */
    private final Map<String, Look> looks = new HashMap<>();

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
     * Looks at every node; for one more of a group of which each node can be judged by itself, at those alone on which
     * the plan has changed something since the last.
     *
     * @param avoided the node of a failed predecessor; empty for none
     */
    Found place(TaskGroup group, Called called, String avoided) {
        if (!avoided.isEmpty() || !isJudgedByNode(group)) {
            return among(state.nodes(), group, called, avoided);
        }
        Look last = looks.get(group.name());
        if (last == null || !last.follow()) {
            last = new Look(group, called, avoided);
            last.at(state.nodes());
            looks.put(group.name(), last);
        }
        return last.found();
    }

    /** As {@link #place}, among some nodes only. */
    Found among(Iterable<NodeRow> nodes, TaskGroup group, Called called, String avoided) {
        Look look = new Look(group, called, avoided);
        look.at(nodes);
        return look.found();
    }

    /** Whether what is placed on one node changes nothing for others, and the name nothing for any. */
    private boolean isJudgedByNode(TaskGroup group) {
        return job.spreads().isEmpty()
                && group.spreads().isEmpty()
                && constraintsOf(group).noneMatch(each -> each.operand().equals("distinct_property"))
                && group.volumes().values().stream().noneMatch(each -> each.isForHost() || each.perAlloc());
    }

    private Stream<Constraint> constraintsOf(TaskGroup group) {
        return Stream.of(
                        job.constraints().stream(),
                        group.constraints().stream(),
                        group.tasks().stream().flatMap(task -> task.constraints().stream()))
                .flatMap(each -> each);
    }

    /** A look at nodes for one allocation, and again for the next like it. */
    private final class Look {
        private final TaskGroup group;
        private final Called called;
        private final String avoided;
        private final List<NodeFilter> filters;
        private final Preferences preferences;

        /** What is wanted of each node alike; empty where it depends on the node. */
        private final Optional<Resources> anywhere;

        private final Search search = new Search(job.nodePool());

        /** How many changes of the plan it has seen. */
        private int seen = proposed.changed().size();

        Look(TaskGroup group, Called called, String avoided) {
            this.group = group;
            this.called = called;
            this.avoided = avoided;
            this.filters = filters(group, called);
            this.preferences = new Preferences(job, group, proposed, searches);
            this.anywhere = Cores.wantedAnywhere(group);
        }

        void at(Iterable<NodeRow> nodes) {
            for (NodeRow node : nodes) {
                if (isInReach(node)) {
                    search.available(node);
                    judge(node);
                }
            }
        }

        /** Looks again where the plan has changed something; false if all have to be looked at. */
        boolean follow() {
            List<String> changed = proposed.changed();
            for (String id : new TreeSet<>(changed.subList(seen, changed.size()))) {
                Optional<NodeRow> node = state.node(id).filter(Placer.this::isInReach);
                if (node.isPresent()) {
                    if (!search.forget(id)) {
                        return false;
                    }
                    judge(node.get());
                }
            }
            seen = changed.size();
            return true;
        }

        Found found() {
            return search.found(node -> {
                Map<String, Double> scores = new TreeMap<>();
                score(node, after(node), scores::put);
                return scores;
            });
        }

        private void judge(NodeRow node) {
            for (NodeFilter filter : filters) {
                Optional<Rejection> rejected = filter.reject(node);
                if (rejected.isPresent()) {
                    search.filtered(node, rejected.get());
                    return;
                }
            }
            NodeUse after = after(node);
            Optional<String> exhausted = exhausted(node, after);
            if (exhausted.isPresent()) {
                search.exhausted(node, exhausted.get());
                return;
            }
            if (ports(node) instanceof NodePorts.Answer.Refused(String dimension, String holder)) {
                search.portsExhausted(node, dimension, holder);
                return;
            }
            Mean mean = new Mean();
            score(node, after, mean);
            search.fits(node, mean.value());
        }

        /** What the group's tasks use together there; without cores of their own it is the same anywhere. */
        private Resources wanted(NodeRow node) {
            return anywhere.orElseGet(() -> Cores.wanted(node.facts(), group));
        }

        /** What is in use there with the allocation. */
        private NodeUse after(NodeRow node) {
            return proposed.used(node.id()).plus(wanted(node), group.disk().sizeMb());
        }

        private Optional<String> exhausted(NodeRow node, NodeUse used) {
            Resources total = node.facts().total();
            int cores = wanted(node).cores();
            if (cores > 0 && cores > proposed.freeCores(node.facts())) {
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

        /** From -1 to 1 each. */
        private void score(NodeRow node, NodeUse after, Scores scores) {
            double packing = binPacking(after, node.facts().total());
            switch (state.scheduling().algorithm()) {
                case BINPACK -> scores.add("binpack", packing);
                case SPREAD -> scores.add("spread", 1 - packing);
            }
            int beside = proposed.ownOn(node.id(), Optional.of(group.name()));
            if (beside > 0) {
                scores.add("job-anti-affinity", -(beside + 1.0) / Math.max(group.count(), beside + 1));
            }
            if (node.id().equals(avoided)) {
                scores.add("node-reschedule-penalty", -1.0);
            }
            preferences.affinity(node).ifPresent(score -> scores.add("node-affinity", score));
            preferences.spread(node).ifPresent(score -> scores.add("allocation-spread", score));
        }

        private NodePorts.Answer ports(NodeRow node) {
            GroupNetwork network = group.network();
            return network == null || network.ports().isEmpty()
                    ? new NodePorts.Answer.Given(List.of())
                    : proposed.ports(node).give(network, called.allocName());
        }
    }

    private boolean isInReach(NodeRow node) {
        boolean isInPool = job.nodePool().equals("all")
                || job.nodePool().equals(node.facts().nodePool());
        if (!node.isSchedulable() || !isInPool) {
            return false;
        }
        for (String glob : job.datacenters()) {
            if (Glob.matches(glob, node.facts().datacenter())) {
                return true;
            }
        }
        return false;
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

    /** Who is told the scores of a node. */
    @FunctionalInterface
    private interface Scores {
        void add(String name, double score);
    }

    /** Of scores, whatever their names. */
    private static final class Mean implements Scores {
        private double sum;
        private int count;

        @Override
        public void add(String name, double score) {
            sum += score;
            count++;
        }

        double value() {
            return sum / count;
        }
    }

    /** From 0 for an empty node to 1 for a full one, falling off ever faster as room is wasted. */
    private static double binPacking(NodeUse used, Resources total) {
        double freeCpu = 1 - (double) used.cpuMhz() / Math.max(1, total.cpuMhz());
        double freeMemory = 1 - (double) used.memoryMb() / Math.max(1, total.memoryMb());
        double score = 20 - Math.pow(10, freeCpu) - Math.pow(10, freeMemory);
        return Math.clamp(score, 0, 18) / 18;
    }
}
