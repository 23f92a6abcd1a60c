package io.cleat.agent.alloc;

import io.cleat.agent.report.ServerSession;
import io.cleat.agent.task.StartPoint;
import io.cleat.agent.task.TaskRecord;
import io.cleat.agent.task.TaskRunner;
import io.cleat.agent.volumes.MountWatch;
import io.cleat.base.DiskTrouble;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Threads;
import io.cleat.model.MountLoss;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The allocations of the node: those written down are taken over at start, the others come and go as the server says.
 * Of those that are quarantined nothing is done, whatever the server says.
 *
 * <p>Used by any thread; assignments come from one. What is known of one allocation is its runner's.
 */
public final class Allocations implements ServerSession.Assigned, MountWatch.Users {
    private final AllocationParts parts;
    private final AllocationStore store;
    private final Quarantine quarantine;
    private final Threads threads;
    private final Taker taker = new Taker();
    private final UntakenAllocations untaken;
    private final StartTurns turns = new StartTurns();
    private final AllocationRunners runners = new AllocationRunners();
    private final Strays strays;

    /** Of the newest of what the server wants; 0 before it has said anything. */
    private final AtomicLong version = new AtomicLong();

    /** @param storeDirectory where allocations are written down */
    public Allocations(Path storeDirectory, AllocationParts parts) throws DiskTrouble {
        this.parts = parts;
        this.store = new AllocationStore(storeDirectory);
        this.threads = parts.tasks().threads();
        this.quarantine = new Quarantine(parts.news()::allocationChanged);
        this.untaken = new UntakenAllocations(taker, parts.tasks());
        this.strays = new Strays(parts, turns, this::isHere);
    }

    /** The files in which allocations are written down, before anything is opened. */
    public static List<Path> files(Path storeDirectory) throws DiskTrouble {
        AllocationStore store = new AllocationStore(storeDirectory);
        return store.names().stream().map(store::file).toList();
    }

    /**
     * Takes over what is written down. Call once, before anything is assigned. After an end that was not in order it
     * returns once each, but for the last few, is taken over, waits for something else, or hangs.
     */
    public void restore() throws DiskTrouble, InterruptedException {
        new Restoring(store, parts, quarantine).run(this::start);
    }

    @Override
    public void assign(long newVersion, List<ToNode.Assignment> assignments) throws InterruptedException {
        if (!isNewer(newVersion)) {
            return;
        }
        Set<String> wanted = new HashSet<>();
        assignments.forEach(assignment -> wanted.add(assignment.allocId()));
        for (AllocationRunner runner : runners.all()) {
            if (!wanted.contains(runner.known().allocId())) {
                runner.unwanted();
            }
        }
        untaken.wanted(wanted);
        quarantine.wanted(wanted);
        List<ToNode.Assignment> others = tell(assignments);
        strays.end(wanted);
        take(others);
    }

    @Override
    public void change(long newVersion, List<ToNode.Assignment> changed, List<String> gone)
            throws InterruptedException {
        if (!isNewer(newVersion)) {
            return;
        }
        for (String allocId : gone) {
            untaken.unwanted(allocId);
            quarantine.unwanted(allocId);
            find(allocId).ifPresent(AllocationRunner::unwanted);
        }
        take(tell(changed));
    }

    private boolean isNewer(long newVersion) {
        return version.accumulateAndGet(newVersion, Math::max) == newVersion;
    }

    /** Tells those that are here what is wanted of them; gives the others. */
    private List<ToNode.Assignment> tell(List<ToNode.Assignment> assignments) {
        List<ToNode.Assignment> others = new ArrayList<>();
        for (ToNode.Assignment assignment : assignments) {
            if (quarantine.assigned(assignment) || untaken.assigned(assignment)) {
                continue;
            }
            find(assignment.allocId())
                    .ifPresentOrElse(runner -> tell(runner, assignment), () -> others.add(assignment));
        }
        return others;
    }

    /** Writes side by side, so that the disk makes many durable at once. */
    private void take(List<ToNode.Assignment> assignments) throws InterruptedException {
        List<Thread> taking = new ArrayList<>();
        for (ToNode.Assignment assignment : assignments) {
            taking.add(threads.contained(
                    "take/" + assignment.allocId(),
                    () -> untaken.take(assignment),
                    fault -> taker.refuse(assignment, fault)));
        }
        for (Thread thread : taking) {
            thread.join();
        }
    }

    private final class Taker implements UntakenAllocations.Taker {
        @Override
        public AllocationRunner take(ToNode.Assignment assignment) throws DiskTrouble {
            KnownAllocation known =
                    KnownAllocation.of(assignment, parts.tasks().time().now());
            parts.tasks().starts().reached(StartPoint.BEFORE_TAKEN);
            store.put(known);
            parts.tasks().starts().reached(StartPoint.AFTER_TAKEN);
            return startNew(known);
        }

        /** The server places it elsewhere or says so. Nothing of it was begun. */
        @Override
        public void refuse(ToNode.Assignment assignment, Throwable fault) {
            if (find(assignment.allocId()).isEmpty()) {
                startNew(KnownAllocation.of(assignment, parts.tasks().time().now())
                        .failed("a fault of the agent: " + fault + "; its log says more")
                        .over());
            }
        }
    }

    /** The newest of what the server wants of one that is here; a fault in it is its own. */
    private void tell(AllocationRunner runner, ToNode.Assignment assignment) {
        try {
            runner.assigned(assignment);
        } catch (RuntimeException | Error fault) {
            threads.faults().contain("assigned/" + assignment.allocId(), fault);
        }
    }

    private AllocationRunner startNew(KnownAllocation known) {
        return start(known, Takeover.none(known.allocId(), parts.tasks().time()));
    }

    private AllocationRunner start(KnownAllocation known, Takeover takeover) {
        String allocId = known.allocId();
        AllocationRunner runner =
                new AllocationRunner(known, parts, store, takeover, turns, () -> runners.remove(allocId));
        runners.put(allocId, runner);
        threads.contained("allocation/" + allocId, runner::run, fault -> takeover.through());
        parts.news().allocationChanged(allocId);
        return runner;
    }

    /**
     * Ends all that runs here and removes it, consumers of volumes before the plugins that serve them. Returns once
     * nothing is left. For a node whose data goes with it.
     */
    public void endAll() throws InterruptedException {
        for (boolean plugins : List.of(false, true)) {
            List<AllocationRunner> ending = runners.all().stream()
                    .filter(runner -> runner.isPlugin() == plugins)
                    .toList();
            ending.forEach(AllocationRunner::unwanted);
            runners.awaitRemoved(ending);
        }
    }

    private Optional<AllocationRunner> find(String allocId) {
        return runners.find(allocId);
    }

    private AllocationRunner require(String allocId) throws Refused {
        requireTakenOver(allocId);
        return find(allocId)
                .orElseThrow(() -> new Refused(
                        new Refusal.NotFound("unknown allocation \"" + allocId + "\": this node has none of that id")));
    }

    @Override
    public Collection<String> known() {
        List<String> known = new ArrayList<>(quarantine.ids());
        known.addAll(runners.ids());
        return known;
    }

    /**
     * Whether none is written down: one whose removal has just ended may still be among those that are {@link #known}.
     */
    public boolean isEmpty() throws DiskTrouble {
        return store.names().isEmpty();
    }

    /**
     * Whether nothing runs here and nothing is owed to a volume. What has ended may still have its files, which the
     * next agent finds.
     */
    public boolean isAtRest() throws DriverTrouble {
        return runners.all().stream().allMatch(runner -> runner.known().ended())
                && quarantine.ids().isEmpty()
                && held().isEmpty()
                && strays.running().isEmpty();
    }

    @Override
    public Optional<ToServer.AllocReport> report(String allocId) {
        return find(allocId).map(AllocationRunner::report).or(() -> quarantine.report(allocId));
    }

    @Override
    public List<ToServer.Held> held() {
        return parts.volumes().held();
    }

    @Override
    public void beginAnew() {
        version.set(0);
    }

    /**
     * Of one in quarantine there is no runner, directory or task to be had here.
     *
     * @throws Refused if that is why nothing may be asked of the allocation; says what to do
     */
    public void requireTakenOver(String allocId) throws Refused {
        quarantine.requireNotHere(allocId);
    }

    /** What runs on this node for allocations that it does not know, in words. */
    public List<String> strays() throws DriverTrouble {
        return strays.words();
    }

    /** Whether an allocation is on this node, taken over or not. */
    public boolean isHere(String allocId) {
        return find(allocId).isPresent() || quarantine.find(allocId).isPresent();
    }

    @Override
    public boolean mountLost(String allocId, String alias, MountLoss policy) {
        return find(allocId)
                .filter(runner -> runner.lost().remount(alias, policy))
                .isPresent();
    }

    @Override
    public boolean seesOther(String allocId, String alias) {
        return find(allocId).filter(runner -> runner.lost().seesOther(alias)).isPresent();
    }

    /**
     * Ends all tasks of an allocation, in order, and starts them again from the first, also those that have ended.
     *
     * @throws Refused if there is no such allocation here, or nothing of it runs
     */
    public void restartAll(String allocId) throws Refused {
        require(allocId).tasks().restartAll();
    }

    /** How the checks of an allocation's services are; empty for one that is not here. */
    public Optional<CheckedAllocation> checks(String allocId) {
        return find(allocId).map(runner -> new CheckedAllocation(runner.known().name(), runner.checks()));
    }

    /**
     * Has an allocation that has ended give up its files, its tasks' output too. It does so soon.
     *
     * @throws Refused there is none of that id here, or it has not ended
     */
    public void giveUpFiles(String allocId) throws Refused {
        KnownAllocation known = require(allocId).known();
        if (!known.ended()) {
            throw new Refused(new Refusal.Conflict("allocation "
                    + allocId
                    + " has not ended yet, and needs its files: stop it first, or try again in a "
                    + "moment if it was stopped"));
        }
        parts.ended().giveUp(known);
    }

    /** Has all that have ended give up their files. They do so soon, one after the other. */
    public void giveUpAllFiles() {
        parts.ended().giveUpAll();
    }

    /** Those that have not ended, by id. */
    public List<OpenAllocation> open() {
        return runners.all().stream()
                .map(AllocationRunner::known)
                .filter(known -> !known.ended())
                .sorted(Comparator.comparing(KnownAllocation::allocId))
                .map(known -> new OpenAllocation(known.allocId(), known.job().id(), known.taskGroup(), known.tasks()))
                .toList();
    }

    /** The runner of one task; empty if it was never begun here. */
    public Optional<TaskRunner> task(String allocId, String task) {
        return find(allocId).flatMap(runner -> runner.tasks().runner(task));
    }

    /** Which namespace an allocation's job is in; empty for one that is not here. */
    public Optional<String> namespace(String allocId) {
        return find(allocId).map(runner -> runner.known().job().id().namespace());
    }

    /** Where an allocation's files are. */
    public Optional<AllocationDirectory> directory(String allocId) {
        return find(allocId).map(AllocationRunner::directory);
    }

    /** Whether the output of a task is kept, by its job and by what this node's operator says. */
    public boolean collectsLogs(String allocId, String task) {
        return find(allocId)
                .flatMap(runner -> runner.known().taskGroup().task(task))
                .map(parts.tasks()::collectsLogs)
                .orElse(false);
    }

    /** An allocation's tasks by name, as they are now; empty for one that is not here. */
    public Optional<Map<String, TaskRecord>> tasks(String allocId) {
        return find(allocId).map(runner -> runner.known().tasks());
    }
}
