package io.cleat.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.ClientStatus;
import io.cleat.model.ControllerCapability;
import io.cleat.model.JobId;
import io.cleat.model.JobSource;
import io.cleat.model.NodeCapability;
import io.cleat.model.PluginInstance;
import io.cleat.model.Resources;
import io.cleat.model.VariableId;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The image against {@link NaiveModel}, change by change, under random changes. */
final class ClusterStateModelTest {
    private static final List<String> NODES = List.of("n1", "n2", "n3");
    private static final List<String> PLUGINS = List.of("local", "nfs");
    private static final List<JobId> JOBS =
            List.of(new JobId("default", "a"), new JobId("default", "b"), new JobId("x", "a"));
    private static final List<VolumeId> VOLUMES = List.of(new VolumeId("default", "u"), new VolumeId("team", "v"));
    private static final List<VolumeKey> KEYS = List.of(new VolumeKey("local", "1"), new VolumeKey("local", "2"));

    private final NaiveModel model = new NaiveModel();
    private ClusterState state = ClusterState.empty();

    @Test
    void randomChangesGiveWhatThePlainModelGives() throws Exception {
        for (long seed = 1; seed <= 20; seed++) {
            new ClusterStateModelTest().run(seed, ClusterStateModelTest::ofAnything);
        }
    }

    /** Few jobs whose texts change often: which of them are kept, and for whom. */
    @Test
    void theTextsOfJobsAreThoseThatThePlainModelKeeps() throws Exception {
        for (long seed = 1; seed <= 12; seed++) {
            new ClusterStateModelTest().run(seed, ClusterStateModelTest::ofTexts);
        }
    }

    @Test
    void anOldImageStaysAsItWas() {
        ClusterState before = state.apply(List.of(new Change.NodePut(Samples.node("n1", "local"))), 1, Samples.AT);
        String digest = Snapshot.digest(before);
        before.apply(Samples.everyChange(), 2, Samples.AT);
        assertEquals(digest, Snapshot.digest(before));
    }

    @Test
    void aClaimThatChangesItsVolumeMakesTheVolumeNewer() {
        state = state.apply(List.of(new Change.VolumePut(Samples.volume(VOLUMES.get(0), KEYS.get(0)))), 1, Samples.AT);
        ClaimRow claim = Samples.claim("a1", VOLUMES.get(0), KEYS.get(0), ClaimState.GRANTED);
        state = state.apply(List.of(new Change.ClaimPut(claim)), 2, Samples.AT);
        assertEquals(2, state.volume(VOLUMES.get(0)).orElseThrow().modifyVersion());
        assertEquals(2, state.version(TableName.VOLUMES));
        assertEquals(1, state.volume(VOLUMES.get(0)).orElseThrow().createVersion());
    }

    @Test
    void whatAllocationsRunByStaysThoughTheJobIsPurged() {
        state = state.apply(List.of(new Change.JobPut(Samples.job(JOBS.get(0), null))), 1, Samples.AT);
        state = state.apply(
                List.of(new Change.AllocationPut(Samples.allocation("a1", JOBS.get(0), 1, "n1"))), 2, Samples.AT);
        state = state.apply(List.of(new Change.JobRemoved(JOBS.get(0))), 3, Samples.AT);
        AllocationRow allocation = state.allocation("a1").orElseThrow();
        assertTrue(state.jobVersion(allocation.jobVersion()).isPresent());
        state = state.apply(List.of(new Change.AllocationRemoved("a1")), 4, Samples.AT);
        assertTrue(state.jobVersion(allocation.jobVersion()).isEmpty());
    }

    /** Now and then the image goes on from its snapshot. */
    private void run(long seed, BiFunction<ClusterStateModelTest, Random, Change> changes) throws Exception {
        Random random = new Random(seed);
        for (int step = 1; step <= 150; step++) {
            Change change = changes.apply(this, random);
            Instant at = Samples.AT.plusSeconds(step);
            state = state.apply(List.of(change), step, at);
            model.apply(change, step, at);
            if (step % 30 == 0) {
                state = SnapshotBytes.readBack(state);
            }
            compare("seed " + seed + ", step " + step + ", " + change.getClass().getSimpleName());
        }
    }

    private Change ofTexts(Random random) {
        JobId job = JOBS.get(random.nextInt(5) / 4);
        String id = "i" + random.nextInt(3);
        return switch (random.nextInt(14)) {
            case 12, 13 ->
                new Change.JobTagged(
                        new JobVersionId(job, someText(random, job)), random.nextInt(3) > 0 ? Samples.TAG : null);
            case 0, 1, 2, 3, 4, 5 -> new Change.JobPut(Samples.job(job, null));
            case 6, 7 ->
                new Change.JobMarkedStable(new JobVersionId(job, someText(random, job)), random.nextInt(4) > 0);
            case 8, 9 -> new Change.AllocationPut(Samples.allocation(id, job, someText(random, job), "n1"));
            case 10 -> new Change.AllocationRemoved(id);
            default -> random.nextInt(6) == 0 ? new Change.JobRemoved(job) : new Change.AllocationRemoved(id);
        };
    }

    /** With up to three instances, of which some are ill, and some serve but one half. */
    private static NodeRow withPlugins(String node, Random random) {
        List<PluginInstance> instances = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            PluginInstance whole = Samples.instance(pick(random, PLUGINS), "p-" + node + i);
            PluginInstance.Controller controller = new PluginInstance.Controller(
                    Set.of(pick(random, List.of(ControllerCapability.values()))), random.nextBoolean());
            int half = random.nextInt(3);
            instances.add(new PluginInstance(
                    whole.pluginId(),
                    whole.allocId(),
                    random.nextBoolean(),
                    "said",
                    whole.provider(),
                    whole.version(),
                    random.nextBoolean(),
                    false,
                    whole.updatedAt(),
                    half == 1 ? null : controller,
                    half == 2 ? null : whole.node()));
        }
        NodeRow row = Samples.node(node, instances);
        NodeDrain drain = new NodeDrain(
                random.nextBoolean() ? NodeDrain.Status.DRAINING : NodeDrain.Status.COMPLETE,
                Duration.ofHours(1),
                false,
                Samples.AT,
                Samples.AT,
                null,
                Map.of());
        return random.nextBoolean() ? row.withDrain(drain, false) : row;
    }

    private Change ofAnything(Random random) {
        String node = pick(random, NODES);
        JobId job = pick(random, JOBS);
        VolumeId volume = pick(random, VOLUMES);
        VolumeKey key = pick(random, KEYS);
        String id = "i" + random.nextInt(4);
        return switch (random.nextInt(53)) {
            case 0, 1 -> new Change.NodePut(random.nextBoolean() ? withPlugins(node, random) : Samples.node(node));
            case 2 -> new Change.NodeFactsChanged(withPlugins(node, random).facts());
            case 3 -> new Change.NodeStatusChanged(node, NodeStatus.DOWN, "x");
            case 4 -> new Change.NodeTombstoneRemoved(node);
            case 5 -> random.nextBoolean() ? new Change.NodeRemoved(node) : new Change.NodeBuried(node);
            case 6, 7 ->
                new Change.JobPut(
                        Samples.job(job, random.nextBoolean() ? pick(random, PLUGINS) : null),
                        random.nextBoolean() ? new JobSource("text", "hcl2", Map.of(), "") : null);
            case 8 -> new Change.JobStopped(job);
            case 9 -> new Change.JobRemoved(job);
            case 10 -> new Change.EvaluationPut(Samples.evaluation(id, job));
            case 11 -> new Change.EvaluationRemoved(id);
            case 12, 13 -> new Change.AllocationPut(Samples.allocation(id, job, someText(random, job), node));
            case 14 -> Samples.report(id, random.nextBoolean() ? ClientStatus.RUNNING : ClientStatus.FAILED);
            case 15 -> new Change.AllocationRemoved(id);
            case 16, 17 -> new Change.VolumePut(Samples.volume(volume, key));
            case 18 -> random.nextBoolean() ? new Change.VolumeRemoved(volume) : new Change.VolumeBuried(volume);
            case 19 -> new Change.VolumeTombstoneRemoved(key);
            case 20, 21 ->
                new Change.ClaimPut(Plain.with(
                        Samples.claim(id, volume, key, pick(random, List.of(ClaimState.values()))),
                        "epoch",
                        1L + random.nextInt(1 << 30),
                        "modes",
                        new VolumeModes(pick(random, List.of(AccessMode.values())), AttachmentMode.FILE_SYSTEM)));
            case 22 -> new Change.ClaimRemoved(new ClaimId(id, "vol"));
            case 23 ->
                new Change.AttachmentPut(Plain.with(
                        Samples.attachment(new AttachmentId(key, node)),
                        "state",
                        pick(random, List.of(AttachmentState.values()))));
            case 24 -> new Change.AttachmentRemoved(new AttachmentId(key, node));
            case 25 ->
                new Change.OperationPut(Samples.operation(
                        id,
                        random.nextBoolean()
                                ? new OperationCall.Delete(volume, "e", Encrypted.NONE)
                                : new OperationCall.Unpublish(volume, Samples.ATTACHMENT, "n"),
                        null));
            case 26 -> new Change.DeploymentPut(Samples.deployment(id, job));
            case 27 -> new Change.DeploymentRemoved(id);
            case 28 -> new Change.JobMarkedStable(new JobVersionId(job, someText(random, job)), random.nextBoolean());
            case 29 ->
                new Change.EvaluationsMoved(
                        List.of(id, "i0"),
                        random.nextBoolean() ? EvaluationStatus.PENDING : EvaluationStatus.CANCELED,
                        "moved");
            case 30 -> new Change.RemainderPut(new RemainderRow(pick(random, Samples.everyRemainder()), 1, 0, 0));
            case 31 ->
                new Change.RemainderRemoved(
                        pick(random, Samples.everyRemainder()).id());
            case 32 -> new Change.OtherPastPut(Samples.otherPast(node, random.nextInt(1000)));
            case 33 -> new Change.RecoveryEnded("somebody");
            case 34 -> new Change.HoldingPut(Samples.holding(node, id, key));
            case 35 -> new Change.HoldingRemoved(Samples.holding(node, id, key).id());
            case 36 -> new Change.NamespacePut(Samples.namespace(id));
            case 37 -> new Change.NamespaceRemoved(id);
            case 38 ->
                new Change.SchedulingPut(Samples.scheduling(pick(random, List.of(SchedulingRow.Algorithm.values()))));
            case 39, 40 ->
                new Change.VariablePut(Plain.with(
                        Samples.variable(new VariableId(job.namespace(), id)),
                        "lock",
                        random.nextBoolean() ? null : Samples.lock()));
            case 41 -> new Change.VariableRemoved(new VariableId(job.namespace(), id));
            case 42 -> new Change.HostVolumePut(Samples.hostVolume(node, id));
            case 43 -> new Change.HostVolumeRemoved(Samples.hostVolume(node, id).id());
            case 44, 45 ->
                new Change.StickyClaimPut(Samples.stickyClaim(
                        id, job, Samples.hostVolume(node, id).id()));
            case 46 -> new Change.StickyClaimRemoved(id);
            case 47 -> new Change.HostVolumePut(Samples.hostVolume(node, id).ordered(Samples.order(), Samples.AT));
            case 48 -> new Change.JobPut(Samples.keeping(job));
            case 49, 50 ->
                new Change.ScaleEventAdded(
                        new ScaleEventsId(job, random.nextInt(4) == 0 ? "none" : "g"),
                        Samples.scaleEvent(random.nextBoolean() ? null : 3));
            case 51 ->
                new Change.JobTagged(
                        new JobVersionId(job, someText(random, job)), random.nextBoolean() ? Samples.TAG : null);
            default -> new Change.RequestKept(new RequestRow(id, "d", "{}", Samples.AT, 0, 0));
        };
    }

    private long someText(Random random, JobId job) {
        List<Long> versions = model.texts.keySet().stream()
                .filter(text -> text.job().equals(job))
                .map(JobVersionId::storedVersion)
                .toList();
        return versions.isEmpty() ? 0 : pick(random, versions);
    }

    /** Those that have waited longest come first, whatever they wait for. */
    private void blocked(String step) {
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
                step,
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
    private void samePresence(String step, String plugin) {
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
    private void samePairing(String step) {
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

    private void compare(String step) {
        samePairing(step);
        same(step, model.nodes.values(), state.nodes());
        same(step, model.jobs.values(), state.jobs());
        same(step, model.evaluations.values(), state.evaluations().all());
        same(step, model.allocations.values(), state.allocations());
        same(step, model.volumes.values(), state.volumes());
        same(step, model.claims.values(), state.claims().all());
        same(step, model.attachments.values(), state.attachments().all());
        same(step, model.operations.values(), state.operations().all());
        same(step, model.requests.values(), state.requests().all());
        same(step, model.buriedNodes.values(), state.nodeTombstones());
        same(step, model.buriedVolumes.values(), state.volumeTombstones());
        assertEquals(
                model.plugins(),
                new TreeSet<>(state.plugins().stream().map(PluginRow::id).toList()),
                step);
        for (String node : NODES) {
            found(step, model.allocations, a -> a.nodeId().equals(node), state.allocationsOnNode(node));
            assertEquals(use(state.allocationsOnNode(node)), state.use(node), step);
            found(
                    step,
                    model.claims,
                    c -> c.nodeId().equals(node),
                    state.claims().onNode(node));
            found(
                    step,
                    model.attachments,
                    a -> a.id().nodeId().equals(node),
                    state.attachments().onNode(node));
        }
        found(step, model.nodes, NodeRow::isDraining, state.drainingNodes());
        same(step, model.deployments.values(), state.deployments().all());
        for (JobId job : JOBS) {
            found(
                    step,
                    model.deployments,
                    d -> d.job().equals(job),
                    state.deployments().ofJob(job));
            found(step, model.texts, t -> t.job().equals(job), state.jobVersions(job));
            found(step, model.allocations, a -> a.job().equals(job), state.allocationsOfJob(job));
            found(
                    step,
                    model.evaluations,
                    e -> e.job().equals(job),
                    state.evaluations().ofJob(job));
        }
        for (VolumeKey key : KEYS) {
            found(step, model.volumes, v -> v.key().equals(key), state.volumesWithKey(key));
            found(step, model.claims, c -> c.key().equals(key), state.claims().of(key));
            found(
                    step,
                    model.attachments,
                    a -> a.id().key().equals(key),
                    state.attachments().of(key));
        }
        for (VolumeId volume : VOLUMES) {
            found(
                    step,
                    model.claims,
                    c -> c.volume().equals(volume),
                    state.claims().ofVolume(volume));
            found(
                    step,
                    model.operations,
                    o -> o.call().about().equals(Optional.of(volume)),
                    state.operations().of(volume));
        }
        for (String plugin : PLUGINS) {
            found(step, model.nodes, n -> Tables.pluginsOn(n).contains(plugin), state.nodesWithPlugin(plugin));
            samePresence(step, plugin);
            found(step, model.jobs, j -> Tables.pluginsOf(j).contains(plugin), state.jobsWithPlugin(plugin));
            for (VolumeId from : VOLUMES) {
                same(
                        step,
                        model.volumes.values().stream()
                                .filter(v -> v.spec().pluginId().equals(plugin))
                                .filter(v -> v.id().compareTo(from) >= 0)
                                .toList(),
                        state.volumesOfPlugin(plugin, from));
            }
        }
        for (ClaimState in : ClaimState.values()) {
            found(step, model.claims, c -> c.state() == in, state.claims().in(in));
        }
        same(step, model.remainders.values(), state.remainders());
        for (JobId job : JOBS) {
            same(
                    step,
                    model.texts.values().stream()
                            .filter(t -> t.job().equals(job))
                            .toList(),
                    state.jobVersions(job));
        }
        assertEquals(state.sumAnew(), state.sum(), step);
        lookedUp(step);
        found(step, model.otherPasts, OtherPastRow::open, List.copyOf(state.openPasts()));
        assertEquals(model.otherPasts.values().stream().anyMatch(OtherPastRow::open), state.isRecovering(), step);
        same(step, model.holdings.values(), state.holdings().all());
        same(step, model.namespaces.values(), state.namespaces());
        same(step, model.variables.values(), state.variables().all());
        found(
                step,
                model.variables,
                v -> v.lock() != null,
                List.copyOf(state.variables().locked()));
        for (VariableRow row : model.variables.values()) {
            assertEquals(row, state.variables().find(row.id()).orElseThrow(), step);
        }
        same(step, model.hostVolumes.values(), state.hostVolumes().from(HostVolumeRow.FIRST));
        for (HostVolumeRow row : model.hostVolumes.values()) {
            assertEquals(row, state.hostVolumes().find(row.key()).orElseThrow(), step);
            found(
                    step,
                    model.hostVolumes,
                    each -> each.spec().nodeId().equals(row.spec().nodeId()),
                    state.hostVolumes().onNode(row.spec().nodeId()));
        }
        found(
                step,
                model.hostVolumes,
                row -> row.order() != null,
                List.copyOf(state.hostVolumes().ordered()));
        same(step, model.stickyClaims.values(), state.stickyClaims().from(""));
        for (StickyClaimRow row : model.stickyClaims.values()) {
            assertEquals(row, state.stickyClaims().find(row.id()).orElseThrow(), step);
            found(
                    step,
                    model.stickyClaims,
                    each -> each.volume().equals(row.volume()),
                    state.stickyClaims().ofVolume(row.volume()));
            found(
                    step,
                    model.stickyClaims,
                    each -> each.job().equals(row.job()),
                    state.stickyClaims().ofJob(row.job()));
        }
        for (ScaleEventsRow row : model.scaleEvents.values()) {
            assertEquals(row.events(), state.scaling().events(row.id()), step);
        }
        assertEquals(model.scaleEvents.size(), state.count(TableName.SCALE_EVENTS), step);
        same(
                step,
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
        blocked(step);
        for (EvaluationStatus status : EvaluationStatus.values()) {
            found(
                    step,
                    model.evaluations,
                    e -> e.status() == status,
                    state.evaluations().in(status));
        }
        for (int i = 0; i < 4; i++) {
            String id = "i" + i;
            found(
                    step,
                    model.claims,
                    c -> c.allocId().equals(id),
                    state.claims().ofAllocation(id));
            found(
                    step,
                    model.operations,
                    o -> o.nodeId().equals(id),
                    state.operations().onNode(id));
        }
    }

    /** One row by its id, there or not. */
    private void lookedUp(String step) {
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
        for (String node : NODES) {
            assertEquals(model.nodes.get(node), state.node(node).orElse(null), step);
            assertEquals(model.buriedNodes.get(node), state.nodeTombstone(node).orElse(null), step);
            for (VolumeKey key : KEYS) {
                AttachmentId id = new AttachmentId(key, node);
                assertEquals(
                        model.attachments.get(id), state.attachments().get(id).orElse(null), step);
            }
        }
        for (JobId job : JOBS) {
            assertEquals(model.jobs.get(job), state.job(job).orElse(null), step);
        }
        for (VolumeId volume : VOLUMES) {
            assertEquals(model.volumes.get(volume), state.volume(volume).orElse(null), step);
        }
        for (VolumeKey key : KEYS) {
            assertEquals(
                    model.buriedVolumes.get(key), state.volumeTombstone(key).orElse(null), step);
            assertEquals(model.modes(key), state.claims().currentModes(key).orElse(null), step);
        }
    }

    private static <R> void same(String step, Collection<R> expected, Collection<R> actual) {
        assertEquals(List.copyOf(expected), List.copyOf(actual), step);
    }

    private static <K, R> void found(String step, Map<K, R> all, Predicate<R> condition, List<R> actual) {
        Set<R> expected = new HashSet<>(all.values().stream().filter(condition).toList());
        assertEquals(expected, new HashSet<>(actual), step);
        assertEquals(expected.size(), actual.size(), step);
    }

    private static <T> T pick(Random random, List<T> from) {
        return from.get(random.nextInt(from.size()));
    }
}
