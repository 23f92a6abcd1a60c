package io.cleat.agent.alloc;

import static java.util.stream.Collectors.joining;

import io.cleat.agent.task.OwnUser;
import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.InWork;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Time;
import io.cleat.wire.ToServer.VolumePhase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes over what is written down when an agent starts, storage plugins first. After an end in order all are begun at
 * once, after any other few side by side, and one after the other where something was in work at that end: so an end of
 * the process during one of them is known by it. At the second in a row that one is quarantined, and the others go on.
 * What cannot be read is quarantined too, and its file stays.
 *
 * <p>Runs on the thread that starts the agent, once.
 */
final class Restoring {
    /** How long one that hangs holds up the next. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** How long all together hold up the agent's start. */
    private static final Duration PATIENCE_WITH_ALL = Duration.ofMinutes(1);

    private static final String TWICE = "this agent ended twice in a row while it %s this allocation";
    private static final String IN_ORDER =
            "To try again, end the agent with SIGTERM and start it: that forgets quarantine.";

    private final AllocationStore store;
    private final AllocationParts parts;
    private final Quarantine quarantine;
    private final InWork inWork;
    private final Time time;

    /** Begins to run an allocation. */
    interface Starter {
        void start(KnownAllocation known, Takeover takeover);
    }

    Restoring(AllocationStore store, AllocationParts parts, Quarantine quarantine) {
        this.store = store;
        this.parts = parts;
        this.quarantine = quarantine;
        this.inWork = parts.inWork();
        this.time = parts.tasks().time();
    }

    /**
     * Takes all over.
     *
     * @throws DiskTrouble if it cannot be known what is written down
     */
    void run(Starter starter) throws DiskTrouble, InterruptedException {
        List<KnownAllocation> found = new ArrayList<>();
        for (String name : store.names()) {
            read(name).ifPresent(found::add);
        }
        found.forEach(this::keepUser);
        // Who waits for a plugin finds it there, and a plugin the one whose end it waits for.
        found.sort(Comparator.comparing((KnownAllocation known) -> !known.isPlugin())
                .thenComparing(KnownAllocation::isWanted));
        Deadline all = Deadline.in(time, PATIENCE_WITH_ALL);
        Deque<Takeover> begun = new ArrayDeque<>();
        for (KnownAllocation known : found) {
            takeOver(known, starter).ifPresent(begun::add);
            while (begun.size() >= inWork.mostAtOnce() && !all.isExpired()) {
                begun.remove().await(Deadline.in(time, PATIENCE));
            }
        }
    }

    /** Also of one in quarantine, whose tasks go on. */
    private void keepUser(KnownAllocation known) {
        OwnUser user = known.user();
        if (user != null && user.id() != 0) {
            parts.users().keep(known.allocId(), user.id());
        }
    }

    /** Begins with one; empty if it is quarantined. */
    private Optional<Takeover> takeOver(KnownAllocation known, Starter starter) {
        String id = known.allocId();
        if (inWork.isQuarantined(Takeover.work(id))) {
            quarantine(id, known, TWICE.formatted("took over"), IN_ORDER);
            return Optional.empty();
        }
        Optional<String> lost = mountsWithoutRecord(known);
        if (lost.isPresent()) {
            quarantine(
                    id,
                    known,
                    lost.get(),
                    "Bring back the journal of volumes from a copy, or end its tasks, unmount what is named and remove "
                            + store.file(AllocationStore.name(id))
                            + "; then start the agent again.",
                    phasesWithoutRecord(known));
            return Optional.empty();
        }
        Takeover takeover = Takeover.begin(inWork, id, time);
        try {
            starter.start(known, takeover);
        } catch (RuntimeException | Error fault) {
            parts.tasks().threads().faults().contain(Takeover.work(id), fault);
            takeover.through();
            quarantine(id, known, "a fault of the agent in taking it over: " + fault, IN_ORDER);
        }
        return Optional.of(takeover);
    }

    /**
     * What the journal of volumes has lost of an allocation, in words; by it alone its volumes would be said to be free
     * while they are mounted. Of one that has ended nothing is asked.
     */
    private Optional<String> mountsWithoutRecord(KnownAllocation known) {
        if (known.ended()) {
            return Optional.empty();
        }
        List<Path> lost;
        try {
            lost = parts.volumes().unrecorded(known.allocId(), known.volumes().values());
        } catch (KernelTrouble unseen) {
            return Optional.of("what is mounted for it is not known (" + unseen.reason() + ")");
        }
        return lost.isEmpty()
                ? Optional.empty()
                : Optional.of("the journal of volumes does not know what is mounted for it at "
                        + lost.stream().map(Path::toString).collect(joining(", "))
                        + ": the journal has lost its end, or is an older one");
    }

    /** Of what the journal does not know something may be mounted: none of it is said to be free. */
    private Map<String, VolumePhase> phasesWithoutRecord(KnownAllocation known) {
        Map<String, VolumePhase> phases = new HashMap<>();
        known.volumes().keySet().forEach(alias -> phases.put(alias, VolumePhase.MOUNTING));
        phases.putAll(parts.volumes().phases(known.allocId()));
        return phases;
    }

    private Optional<KnownAllocation> read(String name) {
        String work = "reading allocation " + name;
        if (inWork.isQuarantined(work)) {
            quarantine(name, null, TWICE.formatted("read what it has written down of"), IN_ORDER);
            return Optional.empty();
        }
        inWork.begin(work);
        try {
            KnownAllocation known = store.read(name);
            inWork.end(work);
            return Optional.of(known);
        } catch (DiskTrouble unreadable) {
            inWork.end(work);
            unreadable(name, unreadable.reason());
        } catch (RuntimeException | Error fault) {
            parts.tasks().threads().faults().contain(work, fault);
            inWork.end(work);
            unreadable(name, "a fault of the agent: " + fault);
        }
        return Optional.empty();
    }

    private void unreadable(String name, String why) {
        Path file = store.file(name);
        quarantine(
                name,
                null,
                "what this node has written down of it cannot be read (" + why + ")",
                "Bring back " + file + ", or end its tasks and remove that file; then start the agent again.");
    }

    private void quarantine(String name, @Nullable KnownAllocation known, String why, String wayOn) {
        Map<String, VolumePhase> phases =
                known == null ? Map.of() : parts.volumes().phases(known.allocId());
        quarantine(name, known, why, wayOn, phases);
    }

    private void quarantine(
            String name, @Nullable KnownAllocation known, String why, String wayOn, Map<String, VolumePhase> phases) {
        quarantine.put(name, new QuarantinedAllocation(name, known, why, wayOn, phases, time.now()));
    }
}
