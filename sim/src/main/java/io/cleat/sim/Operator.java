package io.cleat.sim;

import io.cleat.base.Secrets;
import io.cleat.model.JobId;
import io.cleat.model.JobSpec;
import io.cleat.model.MountLoss;
import io.cleat.model.VolumeId;
import io.cleat.server.decide.DrainNode;
import io.cleat.state.AllocationRow;
import io.cleat.state.AttachmentRow;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClaimState;
import io.cleat.state.NodeRow;
import io.cleat.state.Quarantine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The people who use the cluster: what they want, and how they ask for it. */
final class Operator {
    private static final Duration PATIENCE = Duration.ofMinutes(60);
    private static final Duration ONE_ANSWER = Duration.ofMinutes(5);
    private static final long MEGABYTE = 1 << 20;
    private static final int MOST_TRIES = 200;
    private static final List<Optional<MountLoss>> POLICIES = Stream.concat(
                    Stream.of(Optional.<MountLoss>empty()),
                    Stream.of(MountLoss.values()).map(Optional::of))
            .toList();

    private static final Pattern ATTACHED_ELSEWHERE =
            Pattern.compile("volume \"disks-(\\w+)\" .* it is attached to \\[([\\w-]+)");

    private final World world;
    private final Chaos chaos;

    /** Of which failed allocations they have read the words. */
    private final Set<String> read = new HashSet<>();

    private final TreeSet<String> wanted = new TreeSet<>();
    private final Map<String, Long> sizes = new HashMap<>();

    /** What is done about the mounts of the plugin that may hold them; the same for a whole run. */
    private final @Nullable MountLoss loss;

    private int texts;
    private @Nullable Requested deciding;

    Operator(World world) {
        this.world = world;
        this.chaos = world.chaos;
        this.loss = chaos.pick(POLICIES).orElse(null);
    }

    boolean wants(Jobs.Use use) {
        return wanted.contains(use.id());
    }

    /** Whether dead mounts are to be mounted anew without anybody's doing. */
    boolean wantsMountsBack() {
        return loss != null && loss != MountLoss.ALERT;
    }

    // ---- what they ask for, whatever comes of it ----

    void act() {
        switch (chaos.below(20)) {
            case 0, 1, 2, 3, 4, 5 -> ask("run", register(chaos.pick(Jobs.USES)));
            case 6, 7 -> {
                Jobs.Use use = chaos.pick(Jobs.USES);
                boolean purge = chaos.below(4) == 0;
                wanted.remove(use.id());
                ask((purge ? "purge " : "stop ") + use.id(), stop(use, purge));
                world.trace.count(purge ? "jobs purged" : "jobs stopped");
            }
            case 8 -> ask("gc", (requests, asked) -> requests.collectGarbage(asked.deadline()));
            case 9, 10 -> stopSomeAllocation();
            case 11, 12 -> drain();
            case 13 -> eligibility();
            case 14, 15 -> expand(chaos.pick(Jobs.VOLUMES));
            case 16 -> snapshot();
            case 17 -> deleteSnapshot();
            case 18 -> updatePlugin(chaos.pick(Jobs.PLUGINS));
            default -> secondPlugin(chaos.pick(Jobs.PLUGINS));
        }
    }

    /** As {@link #act}, of what moves volumes from one allocation to another. */
    void actOnJobs() {
        switch (chaos.below(10)) {
            case 0, 1, 2, 3, 4 -> ask("run", register(chaos.pick(Jobs.USES)));
            case 5, 6, 7 -> {
                Jobs.Use use = chaos.pick(Jobs.USES);
                boolean purge = chaos.below(2) == 0;
                wanted.remove(use.id());
                ask((purge ? "purge " : "stop ") + use.id(), stop(use, purge));
            }
            case 8 -> ask("gc", (requests, asked) -> requests.collectGarbage(asked.deadline()));
            default -> stopSomeAllocation();
        }
    }

    private void stopSomeAllocation() {
        List<AllocationRow> all = List.copyOf(world.image().allocations());
        if (!all.isEmpty()) {
            String id = chaos.pick(all).id();
            ask("stop allocation " + id, (requests, asked) -> requests.jobs().stopAllocation(id, false, asked));
        }
    }

    private void drain() {
        someNode().ifPresent(node -> {
            DrainNode.Wish wish = new DrainNode.Wish(Duration.ofSeconds(chaos.below(240) - 60L), chaos.below(2) == 0);
            world.trace.count("drains");
            ask("drain " + node.name() + " " + wish, drain(node, wish));
            world.later(300_000, () -> ask("end drain of " + node.name(), drain(node, null)));
        });
    }

    private void eligibility() {
        someNode().ifPresent(node -> {
            ask(node.name() + " is not eligible", eligibility(node, false));
            world.later(120_000, () -> ask(node.name() + " is", eligibility(node, true)));
        });
    }

    private Optional<NodeRow> someNode() {
        List<NodeRow> nodes = List.copyOf(world.image().nodes());
        return nodes.isEmpty() ? Optional.empty() : Optional.of(chaos.pick(nodes));
    }

    private void expand(Jobs.Kind kind) {
        long bytes = sizes.merge(kind.id(), MEGABYTE, Long::sum) + MEGABYTE;
        world.trace.count("expansions");
        ask("expand " + kind.id() + " to " + bytes, create(kind, bytes));
    }

    private void snapshot() {
        Jobs.Kind kind = chaos.pick(Jobs.VOLUMES);
        String name = kind.id() + "-" + chaos.below(3);
        world.trace.count("snapshots of volumes");
        ask(
                "snapshot " + name,
                (requests, asked) ->
                        requests.volumes().createSnapshot(kind.volume(), name, Map.of(), Secrets.none(), asked));
    }

    private void deleteSnapshot() {
        List<String> all = world.storage.snapshots();
        if (!all.isEmpty()) {
            String id = chaos.pick(all);
            ask("delete snapshot " + id, deleteSnapshot(id));
        }
    }

    private static Requested.Question deleteSnapshot(String id) {
        return (requests, asked) ->
                requests.volumes().deleteSnapshot(Jobs.pluginOfSnapshot(id), id, Secrets.none(), asked);
    }

    private void updatePlugin(String plugin) {
        world.trace.count("plugins updated");
        ask("update plugin " + plugin, register(plugin(plugin, false)));
    }

    private void secondPlugin(String plugin) {
        world.trace.count("second plugins of one id");
        ask("run a second plugin " + plugin, register(plugin(plugin, true)));
        world.later(300_000, () -> ask("stop the second plugin " + plugin, stop(Jobs.secondJob(plugin))));
    }

    private JobSpec plugin(String plugin, boolean second) {
        return Jobs.plugin(
                second ? Jobs.secondJob(plugin) : Jobs.pluginJob(plugin),
                plugin,
                texts++,
                plugin.equals(SimStorage.SHARES) ? loss : null);
    }

    /**
     * Has a machine that was switched off given up: what its claims and attachments hold of volumes is detached by
     * hand, and a person vouches for it.
     */
    void abandon(SimMachine machine) {
        List<String> nodes = world.image().nodes().stream()
                .filter(node -> node.name().equals(machine.name))
                .map(NodeRow::id)
                .toList();
        for (String node : nodes) {
            TreeSet<String> volumes = new TreeSet<>();
            world.image().claims().onNode(node).stream()
                    .filter(claim -> claim.state() == ClaimState.RELEASING)
                    .map(ClaimRow::volume)
                    .map(VolumeId::id)
                    .forEach(volumes::add);
            world.image().attachments().onNode(node).stream()
                    .map(AttachmentRow::volume)
                    .map(VolumeId::id)
                    .forEach(volumes::add);
            for (String volume : volumes) {
                abandon(machine, node, Jobs.volume(volume));
            }
        }
    }

    /** A word that is refused is taken back, with what was done for it. */
    private void abandon(SimMachine machine, String node, Jobs.Kind kind) {
        if (world.storage.isBusy(kind.external())) {
            return;
        }
        Set<String> detached = world.storage.detachByHand(kind.external(), machine);
        Requested word = vouch(machine, node, kind);
        while (!word.isDone() && !word.isRefused()) {
            word = vouch(machine, node, kind);
        }
        if (word.isDone()) {
            world.trace.count("abandoned by a person");
        } else {
            world.storage.attachByHand(kind.external(), detached);
        }
    }

    private Requested vouch(SimMachine machine, String node, Jobs.Kind kind) {
        world.reviveServer();
        Requested word = Requested.of(
                Objects.requireNonNull(world.server()),
                world.trace,
                "detach -abandon " + kind.id() + " from " + machine.name,
                chaos.next(),
                (requests, asked) ->
                        requests.volumes().detach(kind.volume(), node, true, machine.name, "somebody", asked));
        world.await(ONE_ANSWER, word::isOver);
        return word;
    }

    /**
     * Has volumes detached from where the provider says that they are, and the cluster does not know it: a person reads
     * so in the words of an allocation that failed. Under a name that the machine has no more it is done at the
     * provider, since no node is called so.
     */
    void detachForgotten() {
        for (AllocationRow row : world.image().allocations()) {
            Matcher words = ATTACHED_ELSEWHERE.matcher(row.seen().statusDescription());
            if (words.find() && read.add(row.id())) {
                detachForgotten(Jobs.volume(words.group(1)), words.group(2));
            }
        }
    }

    private void detachForgotten(Jobs.Kind kind, String providersName) {
        SimMachine machine = world.machines.stream()
                .filter(each -> each.isNode(providersName))
                .findFirst()
                .orElseThrow();
        if (!machine.nodeId().equals(providersName)) {
            world.storage.detachByHand(kind.external(), machine);
            return;
        }
        String node = node(machine.name);
        ask(
                "detach " + kind.id() + " from " + machine.name,
                (requests, asked) -> requests.volumes().detach(kind.volume(), node, false, "", "somebody", asked));
    }

    private String node(String name) {
        return world.image().nodes().stream()
                .filter(node -> node.name().equals(name))
                .map(NodeRow::id)
                .findFirst()
                .orElseThrow();
    }

    /** Decides who a quarantined node is: the machine that has its name from the beginning. */
    void decideQuarantine() {
        Requested before = deciding;
        SimServer server = world.server();
        if (server != null && (before == null || before.isOver())) {
            world.image().nodes().stream()
                    .filter(NodeRow::isQuarantined)
                    .findFirst()
                    .ifPresent(node -> deciding = Requested.of(
                            server, world.trace, "decide who " + node.name() + " is", chaos.next(), decide(node)));
        }
    }

    // ---- what they insist on once nothing goes wrong ----

    void begin() {
        for (String plugin : Jobs.PLUGINS) {
            insist("run plugin " + plugin, register(plugin(plugin, false)));
        }
        for (Jobs.Kind kind : Jobs.VOLUMES) {
            insist("create " + kind.id(), create(kind, MEGABYTE));
        }
        insist("run p", register(Jobs.periodic()));
    }

    /** Has every node take allocations again, one plugin of an id, and the jobs that are wanted. */
    void insistOnWanted() {
        for (NodeRow node : world.image().nodes()) {
            insist("end drain of " + node.name(), drain(node, null));
            insist(node.name() + " is eligible", eligibility(node, true));
        }
        for (String plugin : Jobs.PLUGINS) {
            if (world.image().job(Jobs.secondJob(plugin)).isPresent()) {
                insist("stop the second plugin " + plugin, stop(Jobs.secondJob(plugin)));
            }
            insist("run plugin " + plugin, register(plugin(plugin, false)));
        }
        insist("stop p", stop(Jobs.PERIODIC));
        for (Jobs.Use use : Jobs.USES) {
            if (wants(use) && wanted.contains(use.rival())) {
                wanted.remove(use.rival());
            }
        }
        for (Jobs.Use use : Jobs.USES) {
            if (!wants(use)) {
                insist("stop " + use.id(), stop(use, false));
            }
        }
        for (Jobs.Use use : Jobs.USES) {
            if (wants(use)) {
                insist("run " + use.id(), register(Jobs.spec(use, texts++, chaos)));
            }
        }
        for (Jobs.Kind kind : Jobs.VOLUMES) {
            long bytes = MEGABYTE + sizes.getOrDefault(kind.id(), 0L);
            insist("expand " + kind.id() + " to " + bytes, create(kind, bytes));
        }
    }

    void stopAll() {
        for (Jobs.Use use : Jobs.USES) {
            insist("stop " + use.id(), stop(use, false));
        }
        world.image()
                .childrenOf(Jobs.PERIODIC)
                .forEach(child -> insist("stop " + child.id().id(), stop(child.id())));
    }

    void deleteStorage() {
        world.storage.snapshots().forEach(id -> insist("delete " + id, deleteSnapshot(id)));
        for (Jobs.Kind kind : Jobs.VOLUMES) {
            insist(
                    "delete " + kind.id(),
                    (requests, asked) -> requests.volumes().delete(kind.volume(), Secrets.none(), asked));
        }
    }

    void stopPlugins() {
        for (String plugin : Jobs.PLUGINS) {
            insist("stop plugin " + plugin, stop(Jobs.pluginJob(plugin)));
        }
    }

    void collectGarbage() {
        insist("gc", (requests, asked) -> requests.collectGarbage(asked.deadline()));
    }

    /** Ends a recovery once each node has said what it holds; at once if there is none. */
    void seeToRecovery() {
        for (int tries = 0; world.image().isRecovering(); tries++) {
            if (tries > MOST_TRIES) {
                throw new AssertionError("the recovery cannot be ended");
            }
            world.machines.forEach(world::revive);
            world.reviveServer();
            Requested.of(
                    Objects.requireNonNull(world.server()),
                    world.trace,
                    "end the recovery",
                    chaos.next(),
                    (requests, asked) -> requests.recovery().end("somebody", false, asked.deadline()));
            world.run(Duration.ofSeconds(10));
        }
    }

    /**
     * Asks until it is done: again under the same id while there is no answer, and anew after an answer that refuses,
     * which would only be given again.
     */
    private void insist(String what, Requested.Question question) {
        AtomicReference<String> id = new AtomicReference<>(chaos.next());
        List<String> ends = new ArrayList<>();
        boolean isDone = world.await(PATIENCE, () -> {
            world.reviveServer();
            decideQuarantine();
            SimServer server = world.server();
            if (server == null) {
                return false;
            }
            Requested requested = Requested.of(server, world.trace, what, id.get(), question);
            world.await(ONE_ANSWER, requested::isOver);
            ends.add(requested.end());
            if (requested.isRefused()) {
                id.set(chaos.next());
            }
            return requested.isDone();
        });
        if (!isDone) {
            throw new AssertionError(what + " is not done within " + PATIENCE + ": " + ends);
        }
    }

    private void ask(String what, Requested.Question question) {
        SimServer server = world.server();
        if (server != null) {
            Requested.of(server, world.trace, what, chaos.next(), question);
        }
    }

    // ---- requests ----

    private Requested.Question register(Jobs.Use use) {
        wanted.add(use.id());
        if (!use.rival().isEmpty() && chaos.below(3) == 0) {
            wanted.remove(use.rival());
        }
        return register(Jobs.spec(use, texts++, chaos));
    }

    private static Requested.Question register(JobSpec spec) {
        return (requests, asked) -> requests.jobs().register(spec, null, null, 0, asked);
    }

    private static Requested.Question stop(Jobs.Use use, boolean purge) {
        return (requests, asked) -> requests.jobs().deregister(use.job(), purge, false, false, 0, asked);
    }

    private static Requested.Question stop(JobId job) {
        return (requests, asked) -> requests.jobs().deregister(job, false, false, false, 0, asked);
    }

    private static Requested.Question create(Jobs.Kind kind, long bytes) {
        return (requests, asked) ->
                requests.volumes().create(Jobs.spec(kind, bytes), Secrets.of(Map.of("key", kind.id())), asked);
    }

    private static Requested.Question drain(NodeRow node, DrainNode.@Nullable Wish wish) {
        return (requests, asked) -> requests.nodes().drain(node.id(), wish, true, Map.of(), asked);
    }

    /** A copy that came while nobody knew the node was let in: then the first one is accepted. */
    private static Requested.Question decide(NodeRow node) {
        Quarantine quarantine = Objects.requireNonNull(node.proof().quarantine());
        boolean isFirst = quarantine.machine().equals(World.marks(node.name()));
        return (requests, asked) ->
                requests.nodes().endQuarantine(node.id(), isFirst, isFirst ? node.name() : "", asked);
    }

    private static Requested.Question eligibility(NodeRow node, boolean eligible) {
        return (requests, asked) -> requests.nodes().eligibility(node.id(), eligible, asked);
    }
}
