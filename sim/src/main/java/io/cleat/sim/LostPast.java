package io.cleat.sim;

import io.cleat.model.DesiredStatus;
import io.cleat.state.ClusterState;
import io.cleat.state.NodeStatus;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * One seed of servers that lose a part of their past: jobs run, the server's disk is copied, more jobs come and go, and
 * then the server comes back with the copy, or without the end of its log; or on an empty disk, until a person puts the
 * right one back. From then on the judges of {@link SimStorage} look whether anything is asked that loses data: two
 * writers, or what is detached or deleted while it is mounted. A person ends the recovery, and all comes to what is
 * wanted.
 */
public final class LostPast {
    private static final int BEFORE = 8;
    private static final int LOST = 10;
    private static final int AFTER = 8;
    private static final Duration SETTLES_WITHIN = Duration.ofMinutes(60);

    private final World world;
    private final Operator operator;
    private final Planted planted;

    private LostPast(World world, Planted planted) {
        this.world = world;
        this.operator = new Operator(world);
        this.planted = planted;
    }

    /**
     * Runs one seed.
     *
     * @throws RunFailed data could have been lost
     */
    public static Run.Result of(long seed, Workplace place, Planted planted, Consumer<String> listener)
            throws RunFailed {
        place.clear();
        World world = new World(seed, place.directory(), planted, listener);
        try {
            new LostPast(world, planted).run();
            return Run.Result.of(world);
        } catch (AssertionError | RuntimeException failure) {
            throw new RunFailed(
                    "seed "
                            + seed
                            + " of a lost past: "
                            + failure.getMessage()
                            + "\nthe last events (minutes:seconds):\n"
                            + world.trace.last()
                            + "\n./dev sim --of lost-pasts --seed "
                            + seed
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
        go(BEFORE);
        allReach();
        world.keepCopy();
        go(LOST);
        allReach();
        if (world.chaos.below(4) == 0) {
            meetAnEmptyServer();
        } else {
            losePast();
        }
        go(AFTER);
        world.run(Duration.ofMinutes(5));
        operator.seeToRecovery();
        if (planted == Planted.NONE) {
            reachWhatIsWanted();
        }
    }

    private void losePast() {
        world.storage.serversForget();
        int lost = world.losePast();
        forgetIf(Planted.NO_PAST);
        world.startServer();
        world.run(Duration.ofMinutes(1));
        if (lost > 0 && !world.image().isRecovering()) {
            throw new AssertionError("acknowledged entries are lost, and nobody says so: " + lost);
        }
        if (world.image().isRecovering()) {
            world.trace.count("recoveries");
        }
        operator.seeToRecovery();
    }

    /** It is another cluster's: no node obeys it, and all that was to run goes on. */
    private void meetAnEmptyServer() {
        ClusterState last = world.image();
        Map<String, String> running = running();
        world.emptyDisk();
        forgetIf(Planted.EMPTY_BELIEVED);
        world.startServer();
        world.run(Duration.ofMinutes(2));
        Set<String> after = running().keySet();
        Set<String> boots = world.machines.stream().map(SimMachine::bootId).collect(Collectors.toSet());
        running.forEach((task, boot) -> {
            String allocation = task.split(" ", 3)[1];
            boolean hasCrashed = world.machines.stream().anyMatch(machine -> machine.hasCrashed(allocation));
            boolean isToRun = last.allocation(allocation)
                    .filter(row -> row.desired() == DesiredStatus.RUN)
                    .isPresent();
            if (isToRun && !hasCrashed && boots.contains(boot) && !after.contains(task)) {
                throw new AssertionError("ended for a server that knows nothing: " + task);
            }
        });
        world.putBack();
        world.startServer();
    }

    /** Machine, allocation and task of all that run until somebody ends them, with their boots. */
    private Map<String, String> running() {
        Map<String, String> running = new TreeMap<>();
        for (SimMachine machine : world.machines) {
            for (SimTask task : machine.running()) {
                if (task.number("lifetime_ms") == 0) {
                    running.put(machine.name + " " + task.config.allocId() + " " + task.config.task(), task.bootId);
                }
            }
        }
        return running;
    }

    private void forgetIf(Planted fault) {
        if (planted == fault) {
            world.machines.forEach(world::killAgent);
            world.machines.forEach(SimMachine::forgetPast);
            world.machines.forEach(world::revive);
        }
    }

    private void reachWhatIsWanted() {
        world.calmDown();
        operator.seeToRecovery();
        operator.insistOnWanted();
        Wanted wanted = new Wanted(world, operator);
        boolean isReached = world.await(SETTLES_WITHIN, () -> {
            operator.seeToRecovery();
            operator.decideQuarantine();
            operator.detachForgotten();
            return wanted.missing().isEmpty();
        });
        if (!isReached) {
            throw new AssertionError("not within " + SETTLES_WITHIN + ": " + wanted.missing() + wanted.waits());
        }
    }

    private void go(int actions) {
        for (int i = 0; i < actions; i++) {
            operator.actOnJobs();
            world.run(world.chaos.upTo(30_000));
            world.reviveServer();
            operator.seeToRecovery();
        }
    }

    /** Nothing is cut off or down, and each node is connected. */
    private void allReach() {
        boolean isReached = world.await(Duration.ofMinutes(30), () -> {
            world.reviveServer();
            world.machines.forEach(world::revive);
            return world.image().nodes().size() == world.machines.size()
                    && world.image().nodes().stream().allMatch(node -> node.status() == NodeStatus.READY);
        });
        if (!isReached) {
            throw new AssertionError("not all nodes come");
        }
    }
}
