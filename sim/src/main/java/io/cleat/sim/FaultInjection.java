package io.cleat.sim;

import io.cleat.driver.ExitResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** What happens to a cluster that nobody asked for, and what of it ends by itself. */
final class FaultInjection {
    private final World world;
    private final Chaos chaos;
    private final Operator operator;
    private final SimCopies copies;

    /** @param operator who vouches for machines that were switched off */
    FaultInjection(World world, Operator operator) {
        this.world = world;
        this.chaos = world.chaos;
        this.operator = operator;
        this.copies = new SimCopies(world, operator);
    }

    /** What goes on of them and is nobody's, ends. */
    void end() {
        copies.end();
    }

    /** One of them happens. */
    void strike() {
        SimMachine machine = chaos.pick(world.machines);
        if (world.planted != Planted.NONE && chaos.below(2) == 0) {
            lead(machine);
            return;
        }
        switch (chaos.below(30)) {
            case 0, 1, 2 -> {
                world.killAgent(machine);
                world.later(20_000, () -> world.revive(machine));
            }
            case 3, 4 -> {
                world.killAgent(machine);
                machine.reboot();
                world.later(60_000, () -> world.revive(machine));
            }
            case 5, 6, 7 -> {
                world.killServer();
                world.later(15_000, world::reviveServer);
            }
            case 8, 9 -> {
                world.net.cut(machine);
                world.later(90_000, () -> world.net.heal(machine));
            }
            case 10, 11, 12, 13 -> killSomeTask(machine);
            case 14 -> machine.jumpClock(Duration.ofSeconds(chaos.below(7200) - 3600L));
            case 15 -> world.jumpServerClock(Duration.ofSeconds(chaos.below(7200) - 3600L));
            case 16 -> switchOff(machine);
            case 17 -> {
                world.killAgent(machine);
                machine.loseIdentity();
                world.later(20_000, () -> world.revive(machine));
            }
            case 18, 19 -> {
                List<Path> sockets = machine.sockets();
                if (!sockets.isEmpty()) {
                    machine.replaceSocket(chaos.pick(sockets), chaos.upTo(60_000));
                }
            }
            case 20, 21 -> copies.copy(machine);
            case 22, 23, 24, 25 -> machine.loseStaging();
            case 26 -> loseAllocation(machine);
            default -> {
                SimServer server = world.server();
                if (server != null) {
                    server.takeSnapshot();
                    world.trace.count("snapshots");
                }
            }
        }
    }

    /** What shows that a mend is taken away. */
    private void lead(SimMachine machine) {
        switch (world.planted) {
            case NO_MARKS -> copies.copy(machine);
            case BARE_BELIEVED -> machine.loseStaging();
            case DRIVER_NOT_ASKED -> loseAllocation(machine);
            case NO_REASONS -> world.trace.count("waits that come by themselves");
            default -> throw new IllegalStateException(world.planted + " is of another kind");
        }
    }

    private void loseAllocation(SimMachine machine) {
        world.killAgent(machine);
        machine.loseAllocation();
        world.later(20_000, () -> world.revive(machine));
    }

    private void switchOff(SimMachine machine) {
        if (machine.isOff()) {
            return;
        }
        world.killAgent(machine);
        machine.reboot();
        machine.switchOff(true);
        world.trace.count("machines switched off");
        world.run(chaos.upTo(120_000));
        operator.abandon(machine);
        world.later(120_000, () -> {
            if (machine.isOff()) {
                machine.switchOff(false);
                world.revive(machine);
            }
        });
    }

    private void killSomeTask(SimMachine machine) {
        List<SimTask> running = machine.running();
        if (!running.isEmpty()) {
            world.trace.say(machine.name, "a task is killed");
            world.trace.count("tasks killed");
            machine.end(chaos.pick(running), new ExitResult(137, 9, false));
        }
    }
}
