package io.cleat.sim;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Copies of machines: somebody starts another machine from the image of one, with its data directory, and so as the
 * same node. Later he notices, and switches it off.
 */
final class SimCopies {
    /** The image is one of before anything ran: a copy of the journal would name other paths. */
    private static final List<String> IDENTITY = List.of("client/node", "client/obeyed");

    private static final int LIFE_MS = 180_000;

    private final World world;
    private final Chaos chaos;
    private final Operator operator;
    private int number;

    /** @param operator who decides which of them is the node */
    SimCopies(World world, Operator operator) {
        this.world = world;
        this.chaos = world.chaos;
        this.operator = operator;
    }

    /** One at a time; in half of the cases the first machine cannot be reached just then. */
    void copy(SimMachine of) {
        if (!world.copies.isEmpty() || of.isOff() || !of.hasIdentity()) {
            return;
        }
        number++;
        SimMachine copy = world.machine("x" + number, of.hostName);
        world.trace.say(of.name, "is copied as " + copy.name);
        world.trace.count("machines copied");
        IDENTITY.forEach(file -> copy(of.directory.resolve(file), copy.directory.resolve(file)));
        world.copies.add(copy);
        if (chaos.below(2) == 0) {
            world.net.cut(of);
            world.later(90_000, () -> world.net.heal(of));
        }
        world.startAgent(copy);
        world.later(LIFE_MS, () -> end(copy));
    }

    /** None is there any more. */
    void end() {
        List.copyOf(world.copies).forEach(this::end);
    }

    private void end(SimMachine copy) {
        if (world.copies.remove(copy)) {
            world.killAgent(copy);
            copy.reboot();
            copy.switchOff(true);
            operator.decideQuarantine();
        }
    }

    private static void copy(Path from, Path to) {
        try {
            Files.createDirectories(to.getParent());
            if (Files.exists(from)) {
                Files.copy(from, to);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
