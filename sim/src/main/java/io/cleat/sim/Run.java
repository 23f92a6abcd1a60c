package io.cleat.sim;

import io.cleat.state.ClusterState;
import io.cleat.state.OperationRow;
import io.cleat.state.TableName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One seed: a cluster comes up, jobs come and go while everything goes wrong; then nothing goes wrong any more, all
 * comes to what is wanted, all is stopped, and nothing is left.
 */
public final class Run {
    private static final Duration SETTLES_WITHIN = Duration.ofMinutes(60);
    private static final int ACTIONS = 40;

    private final World world;
    private final Operator operator;
    private final FaultInjection misfortunes;
    private final Wanted wanted;

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

        static Result of(World world) {
            return new Result(
                    world.trace.hash(),
                    world.scheduler.steps(),
                    Duration.ofNanos(world.scheduler.nanos()),
                    world.trace.coverage());
        }
    }

    private Run(World world) {
        this.world = world;
        this.operator = new Operator(world);
        this.misfortunes = new FaultInjection(world, operator);
        this.wanted = new Wanted(world, operator);
    }

    /**
     * Runs one seed.
     *
     * @param place where agents write
     * @param listener told of each event at once
     * @throws RunFailed something was not as it must be; the message has the last events
     */
    public static Result of(long seed, Workplace place, Consumer<String> listener) throws RunFailed {
        return of(seed, place, Planted.NONE, listener);
    }

    /**
     * As {@link #of(long, Workplace, Consumer)}, with a fault in it.
     *
     * @throws RunFailed it was found
     */
    public static Result of(long seed, Workplace place, Planted planted, Consumer<String> listener) throws RunFailed {
        place.clear();
        World world = new World(seed, place.directory(), planted, listener);
        try {
            new Run(world).run();
            return Result.of(world);
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
        operator.begin();
        for (int i = 0; i < ACTIONS; i++) {
            if (chaos().below(2) == 0) {
                operator.act();
            } else {
                misfortunes.strike();
            }
            if (world.server() == null) {
                world.later(15_000, world::reviveServer);
            }
            world.run(chaos().upTo(chaos().below(4) == 0 ? 60_000 : 6_000));
        }
        if (world.planted != Planted.NONE) {
            return; // What it is to lead to, it leads to while things go wrong.
        }
        misfortunes.end();
        world.calmDown();
        reachWhatIsWanted();
        stopAll();
        leaveNothing();
    }

    private Chaos chaos() {
        return world.chaos;
    }

    private void reachWhatIsWanted() {
        operator.insistOnWanted();
        boolean isReached = world.await(SETTLES_WITHIN, () -> {
            operator.decideQuarantine();
            return wanted.missing().isEmpty();
        });
        require(isReached, () -> "not within " + SETTLES_WITHIN + ": " + wanted.missing() + wanted.waits());
        world.trace.say("world", "all is as wanted");
    }

    private void stopAll() {
        operator.stopAll();
        boolean isQuiet = world.await(SETTLES_WITHIN, () -> held().isEmpty());
        require(isQuiet, () -> "held " + SETTLES_WITHIN + " after all is stopped: " + held() + wanted.waits());
        world.trace.say("world", "nothing is held");
    }

    /** What is held though no job uses a volume any more. */
    private List<String> held() {
        ClusterState image = world.image();
        List<String> held = new ArrayList<>();
        image.claims().all().forEach(claim -> held.add(claim.toString()));
        image.attachments().all().forEach(row -> held.add(row.toString()));
        image.operations().all().stream()
                .filter(row -> !row.isDone())
                .map(OperationRow::toString)
                .forEach(held::add);
        held.addAll(world.storage.attached());
        for (SimMachine machine : world.machines) {
            machine.mounts.volumes().forEach(mount -> held.add(machine.name + " mounts " + mount.target()));
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
        operator.deleteStorage();
        require(
                world.storage.volumes().isEmpty() && world.storage.snapshots().isEmpty(),
                () -> "the provider still has " + world.storage.volumes() + world.storage.snapshots());
        operator.stopPlugins();
        boolean isEmpty = world.await(
                SETTLES_WITHIN,
                () -> world.machines.stream().allMatch(m -> m.running().isEmpty()));
        require(isEmpty, () -> "tasks still run" + wanted.waits());
        operator.collectGarbage();
        operator.collectGarbage();
        world.run(Duration.ofMinutes(1));
        for (TableName table : List.of(
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
                    () -> "rows left in " + table + ": " + world.image().count(table) + wanted.waits());
        }
    }

    private static void require(boolean holds, Supplier<String> otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise.get());
        }
    }
}
