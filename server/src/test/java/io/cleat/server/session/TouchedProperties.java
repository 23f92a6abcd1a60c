package io.cleat.server.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.InvariantBroken;
import io.cleat.model.BlockedBy;
import io.cleat.model.ClientStatus;
import io.cleat.model.ControllerCapability;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.NodeFacts;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import io.cleat.model.VolumeRequest;
import io.cleat.server.FactsDraft;
import io.cleat.server.commit.Applied;
import io.cleat.server.decide.Cluster;
import io.cleat.server.vault.NoSecrets;
import io.cleat.server.vault.Vault;
import io.cleat.state.AllocationRow;
import io.cleat.state.AttachmentId;
import io.cleat.state.AttachmentRow;
import io.cleat.state.AttachmentState;
import io.cleat.state.Change;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClusterState;
import io.cleat.state.Encrypted;
import io.cleat.state.HoldingId;
import io.cleat.state.HoldingRow;
import io.cleat.state.JobRow;
import io.cleat.state.NodeRow;
import io.cleat.state.NodeStatus;
import io.cleat.state.VolumeKey;
import io.cleat.state.VolumeProgress;
import io.cleat.state.VolumeRow;
import io.cleat.wire.ToNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Whatever changes: an assignment that is another one than before is touched, and a node that looks at what is touched
 * alone knows all that a node knows that looks at everything. The seed is in the message of a failure.
 */
final class TouchedProperties {
    private static final List<String> NODES = List.of("n1", "n2", "n3");
    private static final List<String> VOLUMES = List.of("v", "w", "s");
    private static final int STEPS = 150;
    private static final Vault VAULT = new NoSecrets();

    @Test
    void whatIsNotTouchedIsAssignedAsBefore() throws Exception {
        for (long seed = 1; seed <= Long.getLong("cleat.seeds", 60); seed++) {
            new Run(seed).run();
        }
    }

    /** One seed. */
    private static final class Run {
        private final long seed;
        private final Random random;
        private final Map<String, Told> told = new TreeMap<>();
        private ClusterState state;
        private Instant now;
        private int decisions;

        Run(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            Cluster cluster = new Cluster();
            NODES.forEach(cluster::node);
            cluster.volume("v", Cluster.WRITER);
            cluster.volume("w", Cluster.WRITER);
            cluster.volume("s", Cluster.SHARED);
            cluster.run(job("a", 1, request("v", Cluster.WRITER), request("s", Cluster.SHARED)));
            cluster.run(job("b", 3, request("s", Cluster.SHARED)));
            cluster.run(job("c", 2, request("w", Cluster.WRITER)));
            cluster.run(job("d", 2));
            this.state = cluster.state();
            this.now = cluster.now();
        }

        private static JobSpec job(String id, int count, VolumeRequest... volumes) {
            return Cluster.job(id, JobType.SERVICE, count, volumes);
        }

        private static VolumeRequest request(String volume, VolumeModes modes) {
            return Cluster.request(volume, modes, false);
        }

        void run() throws Exception {
            for (String node : NODES) {
                Told one = new Told(node);
                one.assignments.tell(applied());
                told.put(node, one);
            }
            for (int step = 0; step < STEPS; step++) {
                List<Change> changes = new ArrayList<>();
                try {
                    for (int i = random.nextInt(3); i >= 0; i--) {
                        changes.addAll(changes());
                    }
                    decide(changes, "seed " + seed + ", step " + step + ", " + changes);
                    decisions++;
                } catch (InvariantBroken notDecided) {
                    // No life goes that way, such as from waiting to releasing.
                    assertTrue(
                            String.valueOf(notDecided.getMessage()).contains("moves as its table"),
                            () -> notDecided + ", seed " + seed);
                }
            }
            assertTrue(decisions > STEPS / 3, "decisions: " + decisions);
        }

        private Applied<ClusterState> applied() {
            return new Applied<>(state, state.version(), now, 1, List.of());
        }

        private void decide(List<Change> changes, String where) throws Exception {
            now = now.plusSeconds(1);
            ClusterState before = state;
            state = before.apply(changes, before.version() + 1, now);
            AffectedAllocations affected = AffectedAllocations.by(before, changes, state);
            for (String node : NODES) {
                AssignmentView was = new AssignmentView(before, node);
                AssignmentView is = new AssignmentView(state, node);
                for (AllocationRow row : is.allocations()) {
                    Optional<AllocationRow> old = was.allocation(row.id());
                    boolean isSame = old.map(each -> was.source(each).equals(is.source(row)))
                            .orElse(false);
                    if (isSame) {
                        assertEquals(
                                was.assignment(old.orElseThrow(), VAULT),
                                is.assignment(row, VAULT),
                                () -> "the same source, but another assignment: " + where);
                    } else {
                        assertTrue(
                                affected.isAll()
                                        || affected.nodes().contains(node)
                                        || affected.allocations()
                                                .getOrDefault(node, Set.of())
                                                .contains(row.id()),
                                () -> row.id() + " is not touched: " + where);
                    }
                }
                tell(node, affected);
                Map<String, ToNode.Assignment> wanted = new TreeMap<>();
                is.allocations().forEach(row -> wanted.put(row.id(), is.assignment(row, VAULT)));
                assertEquals(wanted, known(node), where);
            }
        }

        private Map<String, ToNode.Assignment> known(String node) {
            return Objects.requireNonNull(told.get(node)).known;
        }

        private void tell(String node, AffectedAllocations affected) throws Exception {
            SentAssignments assignments = Objects.requireNonNull(told.get(node)).assignments;
            if (affected.isAll() || affected.nodes().contains(node)) {
                assignments.tell(applied());
            } else {
                assignments.tell(applied(), affected.allocations().getOrDefault(node, Set.of()));
            }
        }

        private List<Change> changes() {
            return switch (random.nextInt(16)) {
                case 0 -> any(state.nodes()).map(this::facts).map(this::some).orElse(List.of());
                case 1 -> some(new Change.NodeStatusChanged(pick(NODES), pick(List.of(NodeStatus.values())), ""));
                case 2 -> random.nextInt(4) > 0 ? List.of() : some(nodeGoes());
                case 3, 4 ->
                    any(state.claims().all()).map(this::claim).map(this::some).orElse(List.of());
                case 5, 6 -> some(attachment());
                case 7 ->
                    any(state.attachments().all())
                            .map(row -> some(new Change.AttachmentRemoved(row.id())))
                            .orElse(List.of());
                case 8 -> some(holding());
                case 9 ->
                    any(state.holdings().all())
                            .map(row -> some(new Change.HoldingRemoved(row.id())))
                            .orElse(List.of());
                case 10, 11 ->
                    any(state.volumes()).map(this::volume).map(this::some).orElse(List.of());
                case 12, 13 ->
                    any(state.allocations())
                            .map(this::allocation)
                            .map(this::some)
                            .orElse(List.of());
                case 14 ->
                    any(state.volumeTombstones())
                            .map(row -> some(new Change.VolumeTombstoneRemoved(row.key())))
                            .orElse(List.of());
                default -> any(state.jobs()).map(row -> some(jobGoes(row))).orElse(List.of());
            };
        }

        private List<Change> some(Change change) {
            return List.of(change);
        }

        private Change nodeGoes() {
            String node = pick(NODES);
            return random.nextBoolean() ? new Change.NodeRemoved(node) : new Change.NodeBuried(node);
        }

        /** Another name, or plugins that need more, or less. */
        private Change facts(NodeRow row) {
            Cluster cluster = new Cluster();
            NodeFacts facts = switch (random.nextInt(3)) {
                case 0 -> cluster.facts(row.id(), "boot-1");
                case 1 -> cluster.facts(row.id(), "boot-1", cluster.plugin(row.id()));
                default ->
                    cluster.facts(
                            row.id(), "boot-1", cluster.plugin(row.id(), pick(List.of(ControllerCapability.values()))));
            };
            return new Change.NodeFactsChanged(
                    FactsDraft.of(facts).name(pick(List.of("name", "other"))).done());
        }

        private Change claim(ClaimRow row) {
            return switch (random.nextInt(3)) {
                case 0 -> new Change.ClaimRemoved(row.id());
                case 1 ->
                    new Change.ClaimPut(row.granted(modes(), row.mountOptions(), "boot-1", state.version() + 1, now));
                default -> new Change.ClaimPut(row.releasing(new BlockedBy("release", "node", now, null, ""), now));
            };
        }

        private VolumeModes modes() {
            return random.nextBoolean() ? Cluster.WRITER : Cluster.SHARED;
        }

        private VolumeKey key() {
            return new VolumeKey(Cluster.PLUGIN, "ext-" + pick(VOLUMES));
        }

        private Change attachment() {
            VolumeKey key = key();
            return new Change.AttachmentPut(new AttachmentRow(
                    new AttachmentId(key, pick(NODES)),
                    Cluster.volumeId(key.externalId().substring("ext-".length())),
                    "ext-node",
                    random.nextInt(3) == 0,
                    modes(),
                    Encrypted.NONE,
                    pick(List.of(AttachmentState.values())),
                    now,
                    null,
                    0,
                    0));
        }

        private Change holding() {
            Optional<ClaimRow> claim = any(state.claims().all());
            boolean isClaimed = claim.isPresent() && random.nextBoolean();
            return new Change.HoldingPut(new HoldingRow(
                    new HoldingId(
                            pick(NODES),
                            isClaimed ? claim.get().key() : key(),
                            isClaimed ? claim.get().allocId() : pick(List.of("", "unknown")),
                            isClaimed ? claim.get().alias() : ""),
                    now,
                    0,
                    0));
        }

        private Change volume(VolumeRow row) {
            VolumeId id = row.id();
            return switch (random.nextInt(8)) {
                case 0 -> new Change.VolumeRemoved(id);
                case 1 -> new Change.VolumeBuried(id);
                case 2, 3 -> new Change.VolumePut(row.grown(1L << random.nextInt(30), true, now));
                default ->
                    new Change.VolumePut(row.withSpec(
                            Cluster.volume(id.id(), "ext-" + id.id(), modes(), modes()), Encrypted.NONE, now));
            };
        }

        private Change allocation(AllocationRow row) {
            Map<String, VolumeProgress> volumes = new TreeMap<>();
            state.claims()
                    .ofAllocation(row.id())
                    .forEach(claim -> volumes.put(
                            claim.alias(),
                            new VolumeProgress(
                                    claim.volume(),
                                    claim.epoch(),
                                    pick(List.of(VolumeProgress.Phase.values())),
                                    0,
                                    null)));
            return switch (random.nextInt(8)) {
                case 0 -> new Change.AllocationRemoved(row.id());
                case 1 -> new Change.AllocationPut(row.desired(DesiredStatus.STOP, "not needed"));
                default ->
                    new Change.AllocationReported(
                            row.id(), pick(List.of(ClientStatus.values())), "", Map.of(), volumes, null, null);
            };
        }

        private Change jobGoes(JobRow row) {
            return random.nextInt(4) == 0
                    ? new Change.JobRemoved(row.id())
                    : random.nextBoolean()
                            ? new Change.JobStopped(row.id())
                            : new Change.JobPut(
                                    new JobRow(
                                            Cluster.job(
                                                    row.id().id(),
                                                    JobType.SERVICE,
                                                    1,
                                                    Cluster.pluginSpec("/local/csi"),
                                                    "/bin/true"),
                                            0,
                                            false,
                                            now,
                                            0,
                                            0,
                                            0),
                                    null);
        }

        private <T> Optional<T> any(Collection<T> from) {
            return from.isEmpty() ? Optional.empty() : Optional.of(pick(List.copyOf(from)));
        }

        private <T> T pick(List<T> from) {
            return from.get(random.nextInt(from.size()));
        }
    }

    /** A node that does as it is told. */
    private static final class Told {
        private final Map<String, ToNode.Assignment> known = new TreeMap<>();
        private final SentAssignments assignments;
        private long version;

        Told(String node) {
            this.assignments = new SentAssignments(node, VAULT, this::hear);
        }

        private void hear(ToNode message) {
            switch (message) {
                case ToNode.Assignments whole -> {
                    whole.allocations().forEach(each -> known.put(each.allocId(), each));
                    version = whole.version();
                }
                case ToNode.AssignmentChanges changes -> {
                    assertEquals(version, changes.since());
                    changes.allocations().forEach(each -> known.put(each.allocId(), each));
                    changes.gone().forEach(known::remove);
                    version = changes.version();
                }
                default -> throw new AssertionError(message);
            }
        }
    }
}
