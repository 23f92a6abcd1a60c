package io.cleat.agent.alloc;

import io.cleat.agent.check.CheckResults;
import io.cleat.agent.network.JoinedNetwork;
import io.cleat.agent.task.EarlierRuns;
import io.cleat.agent.task.OwnUser;
import io.cleat.agent.task.StartPoint;
import io.cleat.agent.task.TaskDiary;
import io.cleat.agent.task.TaskRecord;
import io.cleat.agent.task.UntilDone;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.InvariantBroken;
import io.cleat.base.Retry;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import io.cleat.model.BlockedBy;
import io.cleat.model.DesiredStatus;
import io.cleat.model.NameRule;
import io.cleat.model.Task;
import io.cleat.model.TaskState;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one allocation: directory, volumes, tasks, and back. What it has written down before each step is enough for
 * another runner to go on from there.
 *
 * <p>One thread runs {@link #run}; assignments come from another. What has ended has no thread but while there is
 * something to do for it.
 */
final class AllocationRunner {
    private static final Logger LOG = LoggerFactory.getLogger(AllocationRunner.class);

    private final AllocationParts parts;
    private final AllocationDirectory directory;
    private final VolumeHook volumes;
    private final UserChoice choice;

    private final AllocationDiary diary;
    private final GroupTasks tasks;
    private final Takeover takeover;
    private final StartTurns turns;

    private final HostDirectories hosts;
    private final NetworkHook network;
    private final LostMounts lost;
    private final AllocationWatches watches;
    private final AllocationTeardown teardown;

    private final EndedAllocation ended;
    private String faulted = "";

    /**
     * @param takeover told when what an earlier agent left is taken over
     * @param turns of all allocations of the node
     * @param gone run once nothing is left of it
     */
    AllocationRunner(
            KnownAllocation known,
            AllocationParts parts,
            AllocationStore store,
            Takeover takeover,
            StartTurns turns,
            Runnable gone) {
        this.takeover = takeover;
        this.turns = turns;
        this.parts = parts;
        this.directory = AllocationDirectory.of(parts.directories(), known.allocId());
        if (!known.ended() && hasBegun(known)) {
            parts.volumes().foundRunning(known.allocId(), known.volumes());
        }
        this.volumes = new VolumeHook(
                known,
                parts.volumes(),
                parts.tasks().threads(),
                parts.tasks().time(),
                () -> parts.news().allocationChanged(known.allocId()));
        this.hosts = new HostDirectories(parts.tasks().node());
        this.network = new NetworkHook(parts);
        this.choice = new UserChoice(parts.tasks(), parts.users());
        this.diary =
                new AllocationDiary(known, store, parts.news(), parts.tasks().time(), takeover);
        this.tasks = new GroupTasks(diary, directory, parts.tasks(), takeover);
        this.lost = new LostMounts(diary, tasks, volumes, parts.tasks().threads());
        this.watches = new AllocationWatches(diary, tasks, directory, parts);
        this.teardown = new AllocationTeardown(known.allocId(), directory, volumes, tasks, network, parts);
        this.ended = new EndedAllocation(diary, directory, parts, store, gone);
        turns.here(known);
    }

    /** Takes the newest of what the server wants. */
    void assigned(ToNode.Assignment assignment) {
        // First, so that no grant begins what is not wanted any more.
        diary.change(k -> k.with(assignment, parts.tasks().time().now()));
        watches.changed();
        volumes.steps().assigned(assignment.volumes());
        if (assignment.noShutdownDelay()) {
            tasks.hurry();
        }
        if (assignment.desired() != DesiredStatus.RUN) {
            volumes.steps().stop();
            turns.ending(known().allocId());
        }
    }

    /** The server wants no more of it: once it is over, nothing of it is to be left. */
    void unwanted() {
        diary.unwanted();
        volumes.steps().stop();
        turns.ending(known().allocId());
        ended.wake();
    }

    ToServer.AllocReport report() {
        KnownAllocation now = known();
        KnownAllocation.Watch watch = now.watch();
        return new ToServer.AllocReport(
                now.allocId(),
                now.status(),
                now.description(),
                now.states(),
                volumes.steps().reports(),
                watch == null ? null : watch.found(),
                now.address());
    }

    KnownAllocation known() {
        return diary.known();
    }

    /** Its tasks, for what is asked of them while they run. */
    GroupTasks tasks() {
        return tasks;
    }

    /** Those of its volumes that are mounted anew. */
    LostMounts lost() {
        return lost;
    }

    /** How the checks of its services are. */
    List<CheckResults.Shown> checks() {
        return watches.checks();
    }

    /** Whether one of its tasks is a storage plugin, which others may need to the end. */
    boolean isPlugin() {
        return known().isPlugin();
    }

    AllocationDirectory directory() {
        return directory;
    }

    /**
     * Runs the allocation to its end; its removal comes once nobody wants it. An interruption leaves all as it is. A
     * fault fails the allocation, and its end is gone on with: nothing is said to be undone that is not.
     */
    void run() throws InterruptedException {
        UntilDone steps = new UntilDone(parts.tasks(), "allocation/" + known().allocId());
        if (!known().ended()) {
            steps.take(this::runTasksOrFail);
            turns.over(known().allocId());
            parts.tasks().services().forget(known().allocId());
            takeover.through();
            teardown.run(steps);
            steps.take(() -> diary.change(KnownAllocation::over));
        }
        takeover.through();
        ended.begin();
    }

    private void runTasksOrFail() throws InterruptedException {
        if (faulted.isEmpty()) {
            try {
                runTasks();
                return;
            } catch (RuntimeException | Error fault) {
                faulted = "a fault of the agent: " + fault + "; its log says more";
                parts.tasks().threads().faults().contain("allocation/" + known().allocId(), fault);
                takeover.through();
            }
        }
        tasks.endAll(faulted);
        requireNoneLeft();
        // Once it is said to have failed, no volume of which nothing is begun may still be begun.
        volumes.steps().settle();
        giveUp(faulted);
    }

    /** What an earlier agent has started may run, and is to be ended before all else is undone. */
    private void requireNoneLeft() {
        for (Map.Entry<String, TaskRecord> task : known().tasks().entrySet()) {
            boolean isOver = task.getValue().state().phase() == TaskState.Phase.DEAD;
            if (!isOver && task.getValue().run() != null) {
                throw new InvariantBroken(
                        "a task is ended before its allocation is undone",
                        task.getKey() + " of allocation " + known().allocId() + " may run");
            }
        }
    }

    private void runTasks() throws InterruptedException {
        boolean begun = hasBegun();
        if (!begun) {
            new EarlierRuns(parts.tasks()).endAll(known().allocId(), this::cannotTell);
        }
        try {
            if (!diary.entry().isWanted()) {
                volumes.steps().stop();
            }
            if (!begun) {
                requireNames();
                for (Task task : known().taskGroup().tasks()) {
                    parts.tasks().requireAble(task, known().taskGroup().network());
                }
                turns.await(known().allocId(), this::waitsFor);
            }
            Optional<Map<String, Path>> published = begun || diary.entry().isWanted() ? begin(begun) : Optional.empty();
            if (published.isPresent() || begun) {
                watches.begin();
                tasks.run(published.orElse(Map.of()), () -> {
                    if (begun) {
                        network.check(known(), tasks::tellNetworkFaulty);
                    }
                });
                return;
            }
            neverStarted(known().failure());
        } catch (VolumesRefused refused) {
            fail(begun, refused.reason());
        } catch (Trouble trouble) {
            fail(begun, trouble.reason());
        }
    }

    /** A driver does not know what runs of it. */
    private void cannotTell(Trouble trouble) {
        volumes.steps()
                .waitToBegin(new BlockedBy(
                        "begin",
                        "a driver, which cannot tell what runs of this allocation: " + trouble.reason(),
                        parts.tasks().time().now(),
                        null,
                        "it is asked again; until then nothing is begun, since two runs of a task"
                                + " would write at once"));
    }

    /** Another instance of its plugin is ending here. */
    private void waitsFor(String reason) {
        takeover.through();
        Time time = parts.tasks().time();
        diary.change(k -> k.withStates(state -> TaskDiary.waiting(state, reason, time)));
    }

    /**
     * Fails the allocation. What an earlier agent has started may run, and is ended before anything is undone; where
     * that cannot be, it is tried again until it can.
     */
    private void fail(boolean begun, String why) throws InterruptedException {
        if (!begun) {
            giveUp(why);
            return;
        }
        LOG.warn("allocation {} fails, and its tasks are ended: {}", known().allocId(), why);
        diary.change(k -> k.failed(why));
        for (int failures = 0; ; failures++) {
            try {
                tasks.run(Map.of());
                return;
            } catch (Trouble trouble) {
                LOG.warn("the tasks of allocation {} cannot be ended yet: {}", known().allocId(), trouble.reason());
                takeover.through();
                UntilDone.pause(parts.tasks(), failures);
            }
        }
    }

    /** A row may be older than the rule for names, and each name becomes a directory. */
    private void requireNames() throws DiskTrouble {
        for (Task task : known().taskGroup().tasks()) {
            Optional<String> fault = NameRule.taskFault(task.name());
            if (fault.isPresent()) {
                throw new DiskTrouble(fault.get() + ", and register the job again", Effect.NONE, Retry.NEVER);
            }
        }
    }

    private Optional<Map<String, Path>> begin(boolean begun) throws Trouble, VolumesRefused, InterruptedException {
        directory.make(begun);
        parts.tasks().binds().shield(directory.root());
        Map<String, Path> ofHost = begun ? hosts.there(known()) : hosts.all(known());
        Optional<Map<String, Path>> published =
                volumes.publishAll(takeover::through).map(mounted -> both(mounted, ofHost));
        if (begun && known().user() == null && choice.isWanted(known())) {
            // What an earlier program began goes on as it did, also when it begins from the first.
            diary.change(k -> k.as(OwnUser.NONE));
        }
        if (published.isPresent()) {
            JoinedNetwork joined = network.join(known(), begun);
            diary.change(k -> k.at(joined.address()));
            tasks.joined(joined);
        }
        if (published.isPresent() && !begun) {
            OwnUser user = user(published.get());
            NavigableSet<Long> users = parts.tasks().users(known().taskGroup(), user);
            for (Path written : directory.written()) {
                parts.tasks().binds().share(written, users);
            }
        }
        return published;
    }

    private static Map<String, Path> both(Map<String, Path> mounted, Map<String, Path> ofHost) {
        Map<String, Path> all = new TreeMap<>(mounted);
        all.putAll(ofHost);
        return all;
    }

    /** Written down before anything is given to it. */
    private OwnUser user(Map<String, Path> published) throws Trouble, InterruptedException {
        OwnUser before = known().user();
        if (before != null) {
            return before;
        }
        if (!choice.isWanted(known())) {
            return OwnUser.NONE;
        }
        OwnUser chosen = choice.choose(known(), published);
        parts.tasks().starts().reached(StartPoint.BEFORE_USER);
        diary.write(k -> k.as(chosen));
        parts.tasks().starts().reached(StartPoint.AFTER_USER);
        return chosen;
    }

    /** Whether some task was started before: it is taken over, if only to be ended, and so is what comes after it. */
    private boolean hasBegun() {
        return hasBegun(known());
    }

    private static boolean hasBegun(KnownAllocation known) {
        return known.tasks().values().stream()
                .anyMatch(task -> task.run() != null || task.state().startedAt() != null);
    }

    private void giveUp(String why) {
        LOG.warn("allocation {} fails: {}", known().allocId(), why);
        diary.change(k -> k.failed(why));
        neverStarted(why);
    }

    private void neverStarted(String why) {
        diary.change(k -> {
            KnownAllocation ended = k;
            for (Map.Entry<String, TaskRecord> task : k.tasks().entrySet()) {
                TaskState state = task.getValue().state();
                if (state.phase() != TaskState.Phase.DEAD) {
                    ended = ended.withTask(
                            task.getKey(),
                            task.getValue()
                                    .idle(TaskDiary.neverStarted(
                                            state, why, parts.tasks().time())));
                }
            }
            return ended;
        });
    }
}
