package io.cleat.sim;

import io.cleat.state.NodeStatus;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * One seed of servers that lose a part of their past: jobs run, the server's disk is copied, more
 * jobs come and go, and then the server comes back with the copy, or without the end of its log.
 * From then on the judges of {@link SimStorage} look whether anything is asked that loses data: two
 * writers, or what is detached or deleted while it is mounted. A person ends the recovery.
 */
public final class LostPast {
    private static final int BEFORE = 8;
    private static final int LOST = 10;
    private static final int AFTER = 8;

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
     * @return the world's coverage, in words
     * @throws RunFailed data could have been lost
     */
    public static String of(long seed, Workplace place, Planted planted, Consumer<String> listener)
            throws RunFailed {
        place.clear();
        World world = new World(seed, place.directory(), planted, listener);
        try {
            new LostPast(world, planted).run();
            return world.trace.coverage().toString();
        } catch (AssertionError | RuntimeException failure) {
            throw new RunFailed(
                    "seed "
                            + seed
                            + " of a lost past: "
                            + failure.getMessage()
                            + "\nthe last events (minutes:seconds):\n"
                            + world.trace.last(),
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
        world.storage.serversForget();
        world.losePast();
        if (planted == Planted.NO_PAST) {
            world.machines.forEach(world::killAgent);
            world.machines.forEach(SimMachine::forgetPast);
            world.machines.forEach(world::revive);
        }
        world.startServer();
        world.run(Duration.ofMinutes(1));
        if (world.image().isRecovering()) {
            world.trace.count("recoveries");
        }
        operator.seeToRecovery();
        go(AFTER);
        world.run(Duration.ofMinutes(5));
        operator.seeToRecovery();
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
        boolean isReached =
                world.await(
                        Duration.ofMinutes(30),
                        () -> {
                            world.reviveServer();
                            world.machines.forEach(world::revive);
                            return world.image().nodes().size() == world.machines.size()
                                    && world.image().nodes().stream()
                                            .allMatch(node -> node.status() == NodeStatus.READY);
                        });
        if (!isReached) {
            throw new AssertionError("not all nodes come");
        }
    }
}
