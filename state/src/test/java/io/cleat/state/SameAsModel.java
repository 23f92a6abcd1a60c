package io.cleat.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.ControllerCapability;
import io.cleat.model.JobId;
import io.cleat.model.NodeCapability;
import io.cleat.model.PluginInstance;
import io.cleat.model.Resources;
import io.cleat.model.VolumeId;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** An image beside a plain model that has had the same changes: rows, indexes, and what is kept of either. */
final class SameAsModel {
    private final NaiveModel model;
    private final ClusterState state;
    private final String step;

    private SameAsModel(NaiveModel model, ClusterState state, String step) {
        this.model = model;
        this.state = state;
        this.step = step;
    }

    /**
     * Compares all of them.
     *
     * @param step after which they are compared: for the words of a difference
     */
    static void compare(NaiveModel model, ClusterState state, String step) {
        new SameAsModel(model, state, step).compare();
    }

    private void compare() {
        samePairing();
        same(model.nodes.values(), state.nodes());
        same(model.jobs.values(), state.jobs());
        same(model.evaluations.values(), state.evaluations().all());
        same(model.allocations.values(), state.allocations());
        same(model.volumes.values(), state.volumes());
        same(model.claims.values(), state.claims().all());
        same(model.attachments.values(), state.attachments().all());
        same(model.operations.values(), state.operations().all());
        same(model.requests.values(), state.requests().all());
        same(model.buriedNodes.values(), state.nodeTombstones());
        same(model.buriedVolumes.values(), state.volumeTombstones());
        assertEquals(
                model.plugins(),
                new TreeSet<>(state.plugins().stream().map(PluginRow::id).toList()),
                step);
        for (String node : RandomChanges.NODES) {
            found(model.allocations, a -> a.nodeId().equals(node), state.allocationsOnNode(node));
            assertEquals(use(state.allocationsOnNode(node)), state.use(node), step);
            found(model.claims, c -> c.nodeId().equals(node), state.claims().onNode(node));
            found(
                    model.attachments,
                    a -> a.id().nodeId().equals(node),
                    state.attachments().onNode(node));
        }
        found(model.nodes, NodeRow::isDraining, state.drainingNodes());
        same(model.deployments.values(), state.deployments().all());
        for (JobId job : RandomChanges.JOBS) {
            found(
                    model.deployments,
                    d -> d.job().equals(job),
                    state.deployments().ofJob(job));
            found(model.allocations, a -> a.job().equals(job), state.allocationsOfJob(job));
            found(
                    model.evaluations,
                    e -> e.job().equals(job),
                    state.evaluations().ofJob(job));
        }
        for (VolumeKey key : RandomChanges.KEYS) {
            found(model.volumes, v -> v.key().equals(key), state.volumesWithKey(key));
            found(model.claims, c -> c.key().equals(key), state.claims().of(key));
            found(
                    model.attachments,
                    a -> a.id().key().equals(key),
                    state.attachments().of(key));
        }
        for (VolumeId volume : RandomChanges.VOLUMES) {
            found(model.claims, c -> c.volume().equals(volume), state.claims().ofVolume(volume));
            found(
                    model.operations,
                    o -> o.call().about().equals(Optional.of(volume)),
                    state.operations().of(volume));
        }
        for (String plugin : RandomChanges.PLUGINS) {
            found(model.nodes, n -> Tables.pluginsOn(n).contains(plugin), state.nodesWithPlugin(plugin));
            samePresence(plugin);
            found(model.jobs, j -> Tables.pluginsOf(j).contains(plugin), state.jobsWithPlugin(plugin));
            for (VolumeId from : RandomChanges.VOLUMES) {
                same(
                        model.volumes.values().stream()
                                .filter(v -> v.spec().pluginId().equals(plugin))
                                .filter(v -> v.id().compareTo(from) >= 0)
                                .toList(),
                        state.volumesOfPlugin(plugin, from));
            }
        }
        for (ClaimState in : ClaimState.values()) {
            found(model.claims, c -> c.state() == in, state.claims().in(in));
        }
        same(model.remainders.values(), state.remainders());
        for (JobId job : RandomChanges.JOBS) {
            same(model.texts.values().stream().filter(t -> t.job().equals(job)).toList(), state.jobVersions(job));
        }
        assertEquals(state.sumAnew(), state.sum(), step);
        lookedUp();
        found(model.otherPasts, OtherPastRow::open, List.copyOf(state.openPasts()));
        assertEquals(model.otherPasts.values().stream().anyMatch(OtherPastRow::open), state.isRecovering(), step);
        same(model.holdings.values(), state.holdings().all());
        same(model.namespaces.values(), state.namespaces());
        same(model.variables.values(), state.variables().all());
        found(
                model.variables,
                v -> v.lock() != null,
                List.copyOf(state.variables().locked()));
        for (VariableRow row : model.variables.values()) {
            assertEquals(row, state.variables().find(row.id()).orElseThrow(), step);
        }
        same(model.hostVolumes.values(), state.hostVolumes().from(HostVolumeRow.FIRST));
        for (HostVolumeRow row : model.hostVolumes.values()) {
            assertEquals(row, state.hostVolumes().find(row.key()).orElseThrow(), step);
            found(
                    model.hostVolumes,
                    each -> each.spec().nodeId().equals(row.spec().nodeId()),
                    state.hostVolumes().onNode(row.spec().nodeId()));
        }
        found(
                model.hostVolumes,
                row -> row.order() != null,
                List.copyOf(state.hostVolumes().ordered()));
        same(model.stickyClaims.values(), state.stickyClaims().from(""));
        for (StickyClaimRow row : model.stickyClaims.values()) {
            assertEquals(row, state.stickyClaims().find(row.id()).orElseThrow(), step);
            found(
                    model.stickyClaims,
                    each -> each.volume().equals(row.volume()),
                    state.stickyClaims().ofVolume(row.volume()));
            found(
                    model.stickyClaims,
                    each -> each.job().equals(row.job()),
                    state.stickyClaims().ofJob(row.job()));
        }
        for (ScaleEventsRow row : model.scaleEvents.values()) {
            assertEquals(row.events(), state.scaling().events(row.id()), step);
        }
        assertEquals(model.scaleEvents.size(), state.count(TableName.SCALE_EVENTS), step);
        same(
                model.jobs.values().stream().flatMap(ScalingPolicy::of).toList(),
                state.scaling().policies().toList());
        assertEquals(model.scheduling.getOrDefault("the one", SchedulingRow.USUAL), state.scheduling(), step);
        Set<String> names = new TreeSet<>(model.namespaces.keySet());
        names.add("default");
        model.jobs.keySet().forEach(job -> names.add(job.namespace()));
        model.volumes.keySet().forEach(volume -> names.add(volume.namespace()));
        model.hostVolumes.keySet().forEach(volume -> names.add(volume.namespace()));
        assertEquals(
                List.copyOf(names),
                Namespaces.all(state).stream().map(NamespaceRow::name).toList(),
                step);
        for (String name : names) {
            assertTrue(Namespaces.exists(state, name), step);
        }
        blocked();
        for (EvaluationStatus status : EvaluationStatus.values()) {
            found(
                    model.evaluations,
                    e -> e.status() == status,
                    state.evaluations().in(status));
        }
        for (int i = 0; i < 4; i++) {
            String id = "i" + i;
            found(model.claims, c -> c.allocId().equals(id), state.claims().ofAllocation(id));
            found(
                    model.operations,
                    o -> o.nodeId().equals(id),
                    state.operations().onNode(id));
        }
    }

    /** Those that have waited longest come first, whatever they wait for. */
    private void blocked() {
        List<EvaluationRow> oldestFirst = model.evaluations.values().stream()
                .filter(e -> e.status() == EvaluationStatus.BLOCKED)
                .sorted(Comparator.comparingLong(EvaluationRow::modifyVersion).thenComparing(EvaluationRow::id))
                .toList();
        assertEquals(oldestFirst, state.evaluations().blocked().toList(), step);
        assertEquals(
                oldestFirst.stream().filter(row -> row.waits().blockedOnAny()).toList(),
                state.evaluations().blockedOnRoom().toList(),
                step);
        assertEquals(
                oldestFirst.stream()
                        .filter(e -> e.waits().blockedOn().contains(Samples.VOLUME))
                        .toList(),
                state.evaluations().blockedOn(Samples.VOLUME).toList(),
                step);
        assertEquals(List.of(), state.evaluations().blockedOnManyVolumes().toList(), step);
        same(
                model.jobs.values().stream()
                        .filter(job -> !job.stop()
                                && Set.of("system", "sysbatch")
                                        .contains(job.spec().type().wire()))
                        .toList(),
                state.wantedOnEachNode(new JobId("", "")));
    }

    /** Of those that have not ended, added up anew. */
    private static NodeUse use(List<AllocationRow> rows) {
        List<AllocationRow> open = rows.stream().filter(row -> !row.isEnded()).toList();
        List<Resources> resources = open.stream()
                .flatMap(row -> row.placed().resources().values().stream())
                .toList();
        return new NodeUse(
                open.size(),
                resources.stream().mapToLong(Resources::cpuMhz).sum(),
                resources.stream().mapToLong(Resources::memoryMb).sum(),
                open.stream().mapToLong(row -> row.placed().diskMb()).sum());
    }

    /** What is kept of the instances of a plugin is what they are. */
    private void samePresence(String plugin) {
        int[] counts = new int[7];
        Set<ControllerCapability> ofControllers = EnumSet.noneOf(ControllerCapability.class);
        Set<NodeCapability> ofNodes = EnumSet.noneOf(NodeCapability.class);
        TreeSet<String> working = new TreeSet<>();
        for (NodeRow node : model.nodes.values()) {
            for (PluginInstance each : node.facts().plugins()) {
                if (!each.pluginId().equals(plugin)) {
                    continue;
                }
                boolean isWorking = each.healthy() && node.status() == NodeStatus.READY;
                counts[0]++;
                counts[5] += each.requiresController() ? 1 : 0;
                PluginInstance.Controller controller = each.controller();
                if (controller != null) {
                    counts[1]++;
                    counts[2] += isWorking ? 1 : 0;
                    counts[6] += controller.expandsOffline() ? 1 : 0;
                    ofControllers.addAll(controller.capabilities());
                    if (isWorking) {
                        working.add(node.id());
                    }
                }
                PluginInstance.Node asNode = each.node();
                if (asNode != null) {
                    counts[3]++;
                    counts[4] += isWorking ? 1 : 0;
                    ofNodes.addAll(asNode.capabilities());
                }
            }
        }
        PluginPresence presence = state.presence(plugin);
        assertEquals(
                new PluginPresence.Counts(counts[0], counts[1], counts[2], counts[3], counts[4], counts[5], counts[6]),
                presence.counts(),
                step);
        for (ControllerCapability each : ControllerCapability.values()) {
            assertEquals(ofControllers.contains(each), presence.can(each), step);
        }
        for (NodeCapability each : NodeCapability.values()) {
            assertEquals(ofNodes.contains(each), presence.can(each), step);
        }
        assertEquals(working.stream().findFirst(), presence.firstController(), step);
    }

    /** What is kept of claims and attachments that lack each other is what one look at all finds. */
    private void samePairing() {
        Map<String, Set<ClaimId>> claims = new TreeMap<>();
        for (ClaimRow claim : model.claims.values()) {
            AttachmentRow attachment = model.attachments.get(new AttachmentId(claim.key(), claim.nodeId()));
            boolean isServed =
                    attachment != null && attachment.state() != AttachmentState.DETACHING && attachment.covers(claim);
            if (claim.state() == ClaimState.GRANTED && !isServed) {
                claims.computeIfAbsent(claim.key().pluginId(), id -> new TreeSet<>())
                        .add(claim.id());
            }
        }
        assertEquals(claims.keySet(), state.pairing().plugins(), step);
        claims.forEach((plugin, ids) -> assertEquals(
                ids,
                state.pairing().claims(plugin).stream()
                        .map(ClaimRow::id)
                        .collect(Collectors.toCollection(TreeSet::new)),
                step));
        assertEquals(
                model.attachments.values().stream()
                        .filter(row -> row.state() == AttachmentState.DETACHING
                                || model.claims.values().stream().noneMatch(row::isFor))
                        .map(AttachmentRow::id)
                        .sorted()
                        .toList(),
                state.pairing().attachments().stream().map(AttachmentRow::id).toList(),
                step);
    }

    /** One row by its id, there or not. */
    private void lookedUp() {
        for (int i = 0; i < 4; i++) {
            String id = "i" + i;
            ClaimId claim = new ClaimId(id, "vol");
            assertEquals(model.claims.get(claim), state.claims().get(claim).orElse(null), step);
            assertEquals(model.allocations.get(id), state.allocation(id).orElse(null), step);
            assertEquals(model.evaluations.get(id), state.evaluations().get(id).orElse(null), step);
            assertEquals(model.operations.get(id), state.operations().get(id).orElse(null), step);
            assertEquals(model.deployments.get(id), state.deployments().get(id).orElse(null), step);
            assertEquals(model.requests.get(id), state.requests().get(id).orElse(null), step);
        }
        for (String node : RandomChanges.NODES) {
            assertEquals(model.nodes.get(node), state.node(node).orElse(null), step);
            assertEquals(model.buriedNodes.get(node), state.nodeTombstone(node).orElse(null), step);
            for (VolumeKey key : RandomChanges.KEYS) {
                AttachmentId id = new AttachmentId(key, node);
                assertEquals(
                        model.attachments.get(id), state.attachments().get(id).orElse(null), step);
            }
        }
        for (JobId job : RandomChanges.JOBS) {
            assertEquals(model.jobs.get(job), state.job(job).orElse(null), step);
        }
        for (VolumeId volume : RandomChanges.VOLUMES) {
            assertEquals(model.volumes.get(volume), state.volume(volume).orElse(null), step);
        }
        for (VolumeKey key : RandomChanges.KEYS) {
            assertEquals(
                    model.buriedVolumes.get(key), state.volumeTombstone(key).orElse(null), step);
            assertEquals(model.modes(key), state.claims().currentModes(key).orElse(null), step);
        }
    }

    private <R> void same(Collection<R> expected, Collection<R> actual) {
        assertEquals(List.copyOf(expected), List.copyOf(actual), step);
    }

    private <K, R> void found(Map<K, R> all, Predicate<R> condition, List<R> actual) {
        Set<R> expected = new HashSet<>(all.values().stream().filter(condition).toList());
        assertEquals(expected, new HashSet<>(actual), step);
        assertEquals(expected.size(), actual.size(), step);
    }
}
