package io.cleat.sim;

import io.cleat.base.Secrets;
import io.cleat.driver.ExitResult;
import io.cleat.model.ClientStatus;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClusterState;
import io.cleat.state.NodeStatus;
import io.cleat.state.OperationRow;
import io.cleat.state.TableName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One seed: a cluster comes up, jobs come and go while everything goes wrong; then nothing goes
 * wrong any more, all comes to what is wanted, all is stopped, and nothing is left.
 */
public final class Run {
    private static final Duration SETTLES_WITHIN = Duration.ofMinutes(60);
    private static final int ACTIONS = 40;

    private final World world;
    private final TreeSet<String> wanted = new TreeSet<>();
    private int texts;

    /**
     * How a run ended.
     *
     * @param hash of all events
     * @param coverage how often each misfortune was met
     */
    public record Result(String hash, long steps, Duration time, Map<String, Integer> coverage) {
        public Result {
            coverage = new TreeMap<>(coverage);
        }
    }

    private Run(World world) {
        this.world = world;
    }

    /**
     * Runs one seed.
     *
     * @param place where agents write
     * @param listener told of each event at once
     * @throws RunFailed something was not as it must be; the message has the last events
     */
    public static Result of(long seed, Workplace place, Consumer<String> listener)
            throws RunFailed {
        place.clear();
        World world = new World(seed, place.directory(), listener);
        try {
            new Run(world).run();
            return new Result(
                    world.trace.hash(),
                    world.scheduler.steps(),
                    Duration.ofNanos(world.scheduler.nanos()),
                    world.trace.coverage());
        } catch (AssertionError | RuntimeException failure) {
            throw new RunFailed(
                    "seed "
                            + seed
                            + ": "
                            + failure.getMessage()
                            + "\nthe last events (minutes:seconds):\n"
                            + world.trace.last()
                            + "\n./dev sim --seed "
                            + seed
                            + (place.number() == 0 ? "" : " --place " + place.number())
                            + " runs it again",
                    failure);
        } finally {
            world.close();
            place.clear();
        }
    }

    private void run() {
        world.startServer();
        world.machines.forEach(world::startAgent);
        Jobs.PLUGINS.forEach(
                plugin -> insist("run plugin " + plugin, register(Jobs.plugin(plugin))));
        for (Jobs.Kind kind : Jobs.VOLUMES) {
            insist("create " + kind.id(), create(kind));
        }
        for (int i = 0; i < ACTIONS; i++) {
            act();
            world.run(world.chaos.upTo(world.chaos.below(4) == 0 ? 60_000 : 6_000));
        }
        world.calmDown();
        reachWhatIsWanted();
        stopAll();
        leaveNothing();
    }

    // ---- while all goes wrong ----

    private void act() {
        Chaos chaos = world.chaos;
        switch (chaos.below(24)) {
            case 0, 1, 2, 3, 4, 5 -> ask("run", register(chaos.pick(Jobs.USES)));
            case 6, 7 -> {
                Jobs.Use use = chaos.pick(Jobs.USES);
                wanted.remove(use.id());
                ask("stop " + use.id(), stop(use, chaos.below(4) == 0));
            }
            case 8 -> ask("gc", (requests, asked) -> requests.collectGarbage(asked.deadline()));
            case 9, 10 -> stopSomeAllocation();
            case 11, 12 -> {
                SimMachine machine = chaos.pick(world.machines);
                world.killAgent(machine);
                later(20_000, () -> revive(machine));
            }
            case 13 -> {
                SimMachine machine = chaos.pick(world.machines);
                world.killAgent(machine);
                machine.reboot();
                later(60_000, () -> revive(machine));
            }
            case 14, 15 -> {
                world.killServer();
                later(15_000, this::reviveServer);
            }
            case 16, 17 -> {
                SimMachine machine = chaos.pick(world.machines);
                world.net.cut(machine);
                later(90_000, () -> world.net.heal(machine));
            }
            case 18, 19, 20 -> killSomeTask();
            case 21 ->
                    chaos.pick(world.machines)
                            .jumpClock(Duration.ofSeconds(chaos.below(7200) - 3600L));
            case 22 -> world.jumpServerClock(Duration.ofSeconds(chaos.below(7200) - 3600L));
            default -> {
                SimServer server = world.server();
                if (server != null) {
                    server.takeSnapshot();
                    world.trace.count("snapshots");
                }
            }
        }
        if (world.server() == null) {
            later(15_000, this::reviveServer);
        }
    }

    private void later(int atMostMillis, Runnable what) {
        world.scheduler.in(world.chaos.upTo(atMostMillis), what);
    }

    private void revive(SimMachine machine) {
        if (world.agent(machine) == null) {
            world.startAgent(machine);
        }
    }

    private void reviveServer() {
        if (world.server() == null) {
            world.startServer();
        }
    }

    private void stopSomeAllocation() {
        List<AllocationRow> all = List.copyOf(world.image().allocations());
        if (!all.isEmpty()) {
            String id = world.chaos.pick(all).id();
            ask(
                    "stop allocation " + id,
                    (requests, asked) -> requests.jobs().stopAllocation(id, false, asked));
        }
    }

    private void killSomeTask() {
        SimMachine machine = world.chaos.pick(world.machines);
        List<SimTask> running = machine.running();
        if (!running.isEmpty()) {
            world.trace.say(machine.name, "a task is killed");
            world.trace.count("tasks killed");
            machine.end(world.chaos.pick(running), new ExitResult(137, 9, false));
        }
    }

    private Requested.Question register(Jobs.Use use) {
        wanted.add(use.id());
        if (!use.rival().isEmpty() && world.chaos.below(3) == 0) {
            wanted.remove(use.rival());
        }
        return register(Jobs.spec(use, texts++, world.chaos));
    }

    private static Requested.Question register(JobSpec spec) {
        return (requests, asked) -> requests.jobs().register(spec, null, 0, asked);
    }

    private static Requested.Question stop(Jobs.Use use, boolean purge) {
        return (requests, asked) ->
                requests.jobs().deregister(use.job(), purge, false, false, 0, asked);
    }

    private static Requested.Question create(Jobs.Kind kind) {
        return (requests, asked) ->
                requests.volumes()
                        .create(Jobs.spec(kind), Secrets.of(Map.of("key", kind.id())), asked);
    }

    private void ask(String what, Requested.Question question) {
        SimServer server = world.server();
        if (server != null) {
            Requested.of(server, world.trace, what, world.chaos.next(), question);
        }
    }

    // ---- once nothing goes wrong ----

    /**
     * Asks until it is done: again under the same id while there is no answer, and anew after an
     * answer that refuses, which would only be given again.
     */
    private void insist(String what, Requested.Question question) {
        AtomicReference<String> id = new AtomicReference<>(world.chaos.next());
        List<String> ends = new ArrayList<>();
        boolean isDone =
                world.await(
                        SETTLES_WITHIN,
                        () -> {
                            reviveServer();
                            SimServer server = world.server();
                            if (server == null) {
                                return false;
                            }
                            Requested requested =
                                    Requested.of(server, world.trace, what, id.get(), question);
                            world.await(Duration.ofMinutes(5), requested::isOver);
                            ends.add(requested.end());
                            if (requested.isRefused()) {
                                id.set(world.chaos.next());
                            }
                            return requested.isDone();
                        });
        require(isDone, () -> what + " is not done within " + SETTLES_WITHIN + ": " + ends);
    }

    private void reachWhatIsWanted() {
        for (Jobs.Use use : Jobs.USES) {
            if (wanted.contains(use.id()) && wanted.contains(use.rival())) {
                wanted.remove(use.rival());
            }
        }
        for (Jobs.Use use : Jobs.USES) {
            if (!wanted.contains(use.id())) {
                insist("stop " + use.id(), stop(use, false));
            }
        }
        for (Jobs.Use use : Jobs.USES) {
            if (wanted.contains(use.id())) {
                insist("run " + use.id(), register(Jobs.spec(use, texts++, world.chaos)));
            }
        }
        boolean isReached = world.await(SETTLES_WITHIN, () -> missing().isEmpty());
        require(isReached, () -> "not within " + SETTLES_WITHIN + ": " + missing() + story());
        world.trace.say("world", "all is as wanted");
    }

    private List<String> missing() {
        ClusterState image = world.image();
        List<String> missing = new ArrayList<>();
        for (SimMachine machine : world.machines) {
            if (image.nodes().stream()
                    .noneMatch(
                            node ->
                                    node.name().equals(machine.name)
                                            && node.status() == NodeStatus.READY)) {
                missing.add("node " + machine.name);
            }
        }
        for (Jobs.Use use : Jobs.USES) {
            if (wanted.contains(use.id())) {
                boolean isBatch = use.type() == JobType.BATCH;
                long there =
                        image.allocationsOfJob(use.job()).stream()
                                .filter(
                                        row ->
                                                isBatch
                                                        ? row.status() == ClientStatus.COMPLETE
                                                        : row.status() == ClientStatus.RUNNING
                                                                && !row.isTerminal())
                                .count();
                if (there < use.count()) {
                    missing.add("job " + use.id() + ": " + there + " of " + use.count());
                }
            }
        }
        return missing;
    }

    private void stopAll() {
        for (Jobs.Use use : Jobs.USES) {
            insist("stop " + use.id(), stop(use, false));
        }
        boolean isQuiet = world.await(SETTLES_WITHIN, () -> held().isEmpty());
        require(
                isQuiet,
                () -> "held " + SETTLES_WITHIN + " after all is stopped: " + held() + story());
        world.trace.say("world", "nothing is held");
    }

    /** What is held though no job uses a volume any more. */
    private List<String> held() {
        ClusterState image = world.image();
        List<String> held = new ArrayList<>();
        image.claims().forEach(claim -> held.add(claim.toString()));
        image.attachments().forEach(row -> held.add(row.toString()));
        image.operations().stream()
                .filter(row -> !row.isDone())
                .map(OperationRow::toString)
                .forEach(held::add);
        held.addAll(world.storage.attached());
        for (SimMachine machine : world.machines) {
            machine.mounts.all().stream()
                    .filter(mount -> mount.device().major() == SimMounts.VOLUMES)
                    .forEach(mount -> held.add(machine.name + " mounts " + mount.target()));
            machine.running().stream()
                    .filter(task -> task.socket().isEmpty())
                    .forEach(task -> held.add(machine.name + " runs " + task.config.id()));
            SimAgent agent = world.agent(machine);
            Jobs.PLUGINS.stream()
                    .filter(plugin -> agent == null || agent.owes(plugin))
                    .forEach(plugin -> held.add(machine.name + "'s journal knows " + plugin));
        }
        return held;
    }

    private void leaveNothing() {
        for (Jobs.Kind kind : Jobs.VOLUMES) {
            insist(
                    "delete " + kind.id(),
                    (requests, asked) ->
                            requests.volumes().delete(kind.volume(), Secrets.none(), asked));
        }
        require(
                world.storage.volumes().isEmpty(),
                () -> "the provider still has " + world.storage.volumes());
        for (String plugin : Jobs.PLUGINS) {
            insist(
                    "stop plugin " + plugin,
                    (requests, asked) ->
                            requests.jobs()
                                    .deregister(
                                            Jobs.pluginJob(plugin), false, false, false, 0, asked));
        }
        boolean isEmpty =
                world.await(
                        SETTLES_WITHIN,
                        () -> world.machines.stream().allMatch(m -> m.running().isEmpty()));
        require(isEmpty, () -> "tasks still run" + story());
        insist("gc", (requests, asked) -> requests.collectGarbage(asked.deadline()));
        insist("gc", (requests, asked) -> requests.collectGarbage(asked.deadline()));
        world.run(Duration.ofMinutes(1));
        for (TableName table :
                List.of(
                        TableName.JOBS,
                        TableName.JOB_VERSIONS,
                        TableName.ALLOCATIONS,
                        TableName.EVALUATIONS,
                        TableName.VOLUMES,
                        TableName.CLAIMS,
                        TableName.ATTACHMENTS,
                        TableName.VOLUME_TOMBSTONES)) {
            require(
                    world.image().count(table) == 0,
                    () -> "rows left in " + table + ": " + world.image().count(table) + story());
        }
    }

    private String story() {
        ClusterState image = world.image();
        StringBuilder text = new StringBuilder("\nnodes and allocations:");
        image.nodes()
                .forEach(
                        row ->
                                text.append("\n  ")
                                        .append(row.name())
                                        .append(' ')
                                        .append(row.id())
                                        .append(' ')
                                        .append(row.status()));
        image.allocations()
                .forEach(
                        row ->
                                text.append("\n  ")
                                        .append(row.id())
                                        .append(' ')
                                        .append(row.name())
                                        .append(" on ")
                                        .append(row.nodeName())
                                        .append(" wanted ")
                                        .append(row.desired())
                                        .append(" is ")
                                        .append(row.status())
                                        .append(' ')
                                        .append(row.statusDescription())
                                        .append(' ')
                                        .append(row.volumes()));
        image.claims().forEach(row -> text.append("\n  ").append(row));
        image.evaluations().stream()
                .filter(row -> !row.status().isTerminal())
                .forEach(row -> text.append("\n  ").append(row));
        return text.toString();
    }

    private static void require(boolean holds, Supplier<String> otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise.get());
        }
    }
}
