package io.cleat.driver.docker;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Time;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what this node has made in its engine and nobody knows any more: containers after a grace time, images after
 * their delay. What runs of an allocation that is not known, and is marked, is ended by whoever ends strays.
 *
 * <p>Holds nothing of its own; of one thread.
 */
final class Leftovers {
    private static final Logger LOG = LoggerFactory.getLogger(Leftovers.class);

    private final Containers containers;
    private final Marks marks;
    private final Images images;
    private final Duration grace;
    private final Time time;
    private final Forget forget;

    Leftovers(Containers containers, Marks marks, Images images, Duration grace, Time time, Forget forget) {
        this.containers = containers;
        this.marks = marks;
        this.images = images;
        this.grace = grace;
        this.time = time;
        this.forget = forget;
    }

    /**
     * Looks once.
     *
     * @param isKnown whether this node knows an allocation
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
                        "the container {} is of allocation {}, which nobody knows here: it is" + " removed",
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
