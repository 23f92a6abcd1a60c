package io.cleat.driver.docker;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what this node has made in its engine and nobody knows any more: containers after a grace time, images after
 * their delay. What runs of an allocation that is not known, and is marked, is ended by whoever ends strays.
 *
 * <p>Looks on a thread of its own from {@link #begin} until it is closed, and holds nothing else. What an engine that
 * is away keeps, is looked for again.
 */
final class Leftovers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Leftovers.class);

    private static final Duration SWEEP = Duration.ofMinutes(1);

    private final Containers containers;
    private final Marks marks;
    private final Images images;
    private final Duration grace;
    private final Threads threads;
    private final Time time;
    private final Forget forget;
    private volatile @Nullable Thread sweeping;

    /** @param grace for how long a container that nobody knows is left alone */
    Leftovers(
            Containers containers,
            Marks marks,
            Images images,
            Duration grace,
            Threads threads,
            Time time,
            Forget forget) {
        this.containers = containers;
        this.marks = marks;
        this.images = images;
        this.grace = grace;
        this.threads = threads;
        this.time = time;
        this.forget = forget;
    }

    /**
     * Looks now and then.
     *
     * @param isKnown whether this node knows an allocation
     */
    void begin(Predicate<String> isKnown) {
        sweeping = threads.contained(
                "docker/leftovers",
                () -> {
                    while (true) {
                        time.sleep(SWEEP);
                        try {
                            sweep(isKnown);
                        } catch (DriverTrouble later) {
                            LOG.debug("leftovers stay: {}", later.reason());
                        }
                    }
                },
                Threads.OnFault.NOTHING_MORE);
    }

    /** Looks no more. */
    @Override
    public void close() {
        Thread now = sweeping;
        if (now != null) {
            now.interrupt();
        }
    }

    /**
     * Looks once.
     *
     * @param isKnown whether this node knows an allocation
     * @throws DriverTrouble if not all could be looked at or removed
     */
    void sweep(Predicate<String> isKnown) throws DriverTrouble, InterruptedException {
        Set<String> known = marks.names();
        List<Containers.Listed> all = containers.all();
        Set<String> used = new TreeSet<>();
        Set<String> there = new TreeSet<>();
        for (Containers.Listed each : all) {
            there.add(each.name());
            used.add(each.labels().getOrDefault(Labels.IMAGE, ""));
            String allocation = each.labels().getOrDefault(Labels.ALLOCATION, "");
            boolean isStray = !isKnown.test(allocation) && (!each.runs() || !known.contains(each.name()));
            long age = time.now().getEpochSecond() - each.created();
            if (isStray && age >= grace.toSeconds()) {
                LOG.warn(
                        "the container {} is of allocation {}, which nobody knows here: it is removed",
                        each.name(),
                        allocation);
                forget.container(each.name());
            }
        }
        for (String name : known) {
            // Begun, and never made; or made and removed by somebody else.
            if (!there.contains(name) && !isKnown.test(allocation(name))) {
                forget.container(name);
            }
        }
        images.sweep(used);
    }

    /** Of which allocation the container of that name is. */
    static String allocation(String name) {
        int dot = name.indexOf('.');
        return dot < 0 ? name : name.substring(0, dot);
    }
}
