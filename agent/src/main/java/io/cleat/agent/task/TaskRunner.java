package io.cleat.agent.task;

import io.cleat.base.DiskTrouble;
import io.cleat.base.DriverTrouble;
import io.cleat.base.TemplateTrouble;
import io.cleat.base.Trouble;
import io.cleat.driver.Starting;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.TaskHandle;
import io.cleat.model.Task;
import io.cleat.model.TaskState;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one task until it is over: sets it up, starts it, waits for its end, starts it again as its policy says. A
 * runner of a task that already runs takes it over.
 *
 * <p>One thread runs {@link #run}; {@link #kill} may come from any other. What they share is {@link RunningTask}'s.
 */
public final class TaskRunner {
    private static final Logger LOG = LoggerFactory.getLogger(TaskRunner.class);

    private final TaskSetting setting;
    private final TaskParts parts;
    private final TaskDriver driver;
    private final TaskDiary diary;
    private final TaskEvents events;
    private final Restarts restarts;
    private final TaskLaunch launch;
    private final StartGate startGate;
    private final StartGate turn = new StartGate(false);
    private final Stopping stopping;
    private final TaskPlugin plugin;
    private final TaskTemplates templates;
    private final TaskArtifacts artifacts;
    private final TaskOutput output;
    private final TaskRuns runs;
    private final RunningTask running;

    /** Keeps what is written down of a task, and tells of it. */
    public interface Keeper {
        /** Durable when it returns; on trouble nothing has changed. */
        void keep(String task, TaskRecord record) throws DiskTrouble;

        /** Counts at once; where the disk refuses, it is written with the next change. */
        void note(String task, TaskRecord record);

        /**
         * What a runner does first for a task is through: it is found or started and its templates are read, or it
         * waits for something else. May be said again.
         */
        void settled(String task);
    }

    /**
     * @param record what is written down of the task; {@link TaskRecord#NEW} for a new one
     * @throws DriverTrouble if the node has no driver of the task's name
     */
    public TaskRunner(TaskSetting setting, TaskParts parts, TaskRecord record, Keeper keeper) throws DriverTrouble {
        this.setting = setting;
        this.parts = parts;
        this.driver = parts.driver(setting.task());
        this.diary = new TaskDiary(setting.task().name(), record, keeper);
        this.events = new TaskEvents(parts.time());
        this.restarts = new Restarts(setting.task().restart(), isToEnd(setting), parts.time(), parts.chance());
        this.launch = new TaskLaunch(setting, parts, driver);
        this.stopping = new Stopping(setting.task(), parts.longestKillTimeout(), driver, parts.time(), diary, events);
        this.plugin = new TaskPlugin(setting, launch.isIsolated(), parts, diary, events, stopping);
        this.templates = new TaskTemplates(setting, parts, driver, diary, events);
        this.artifacts = new TaskArtifacts(setting, parts, diary, events);
        this.output = new TaskOutput(driver, parts.threads(), parts.time(), diary, events);
        this.runs = new TaskRuns(setting, parts, driver, launch, diary, events);
        this.startGate = new StartGate(record.run() != null);
        this.running = new RunningTask(parts, driver, diary, events, stopping, startGate);
        turn.begin("");
    }

    /** Whether ending well is what the task is for. */
    private static boolean isToEnd(TaskSetting setting) {
        Task task = setting.task();
        return task.isMain() ? setting.job().type().ends() : !task.isSidecar();
    }

    /** Lets the task start, now that it is its turn; until then it waits. */
    public void begin() {
        turn.end();
    }

    public Task spec() {
        return setting.task();
    }

    public String task() {
        return setting.task().name();
    }

    public TaskState state() {
        return diary.record().state();
    }

    /** Runs the task until it is dead. An interruption leaves the task as it is: another runner takes it over. */
    public void run() throws InterruptedException {
        Optional<TaskHandle> found = runs.last();
        if (found.isPresent()) {
            volumes().takenOver();
        } else {
            startGate.over();
        }
        if (found.isEmpty()
                && state().phase() != TaskState.Phase.DEAD
                && diary.record().run() == null
                && state().events().isEmpty()) {
            parts.starts().reached(StartPoint.BEFORE_RECEIVED);
            diary.event(events.received());
            parts.starts().reached(StartPoint.AFTER_RECEIVED);
        }
        while (state().phase() != TaskState.Phase.DEAD) {
            Duration left = restarts.left(diary.record().restarts());
            if (found.isEmpty() && left.isPositive() && running.awaitKill(left)) {
                end(false);
                return;
            }
            boolean well = found.isPresent() ? watch(found.get()) : startAndWatch();
            startGate.over();
            found = Optional.empty();
            afterEnd(well);
        }
    }

    /**
     * Ends the task, and keeps it from being started again. Returns once that has begun, after the task's shutdown
     * delay; a task that is not yet known to run is ended so once it is.
     *
     * @param reason shown in the task's events; may be empty
     * @param noDelay whether the delay is left out
     */
    public void kill(String reason, boolean noDelay) throws InterruptedException {
        RunningTask.Kill kill = running.kill(reason);
        if (!kill.isFirst()) {
            return;
        }
        turn.end();
        startGate.end();
        artifacts.cancel();
        if (noDelay) {
            hurry();
        }
        if (kill.toEnd().isPresent()) {
            stopping.awaitDelay();
            stopping.stop(kill.toEnd().get(), reason);
        }
    }

    /**
     * After a fault of {@link #run}: what runs is ended, however often that has to be tried, and the task has failed.
     * Before it is ended it is never said to be dead, since others then undo what it stands on.
     */
    public void failed(Throwable fault) throws InterruptedException {
        running.killForFault("a fault of the agent");
        UntilDone steps = new UntilDone(parts, "task/" + setting.allocId() + "/" + task());
        steps.take(() -> diary.event(events.fault(fault)));
        steps.take(() -> {
            Optional<TaskHandle> left = runs.last();
            if (left.isPresent()) {
                stopping.stop(left.get(), "a fault of the agent");
                runs.awaitEnd(left.get());
            }
            stopping.ended();
            plugin.afterEnd();
            templates.afterEnd();
            if (left.isPresent()) {
                cleanUp(left.get());
            }
        });
        steps.take(() -> end(true));
        startGate.over();
    }

    /** After a fault of {@link #kill}: the task was told that it has to end, and may not have been. */
    public void killAnyway() throws InterruptedException {
        UntilDone steps = new UntilDone(parts, "end/" + setting.allocId() + "/" + task());
        steps.take(() -> {
            Optional<TaskHandle> left = running.handle();
            if (left.isPresent()) {
                stopping.stop(left.get(), "");
            }
        });
    }

    /** Leaves out what is left of the task's shutdown delay. */
    public void hurry() {
        stopping.hurry();
    }

    /** What the task sees of its volumes. */
    public ShownVolumes volumes() {
        return new ShownVolumes(setting, parts.binds(), launch.isIsolated(), diary, events);
    }

    /** What may be asked of it while it runs. */
    public RunningTask running() {
        return running;
    }

    /** What the group of the task says in the task's events. */
    public GroupWords words() {
        return new GroupWords(diary, events);
    }

    private boolean startAndWatch() throws InterruptedException {
        turn.await();
        startGate.heldFor().ifPresent(why -> diary.note(r -> r.with(TaskDiary.held(r.state(), events.held(why)))));
        startGate.await();
        // Not running when it was held, it needs no end for it.
        startGate.take();
        if (running.isKilled()) {
            return false;
        }
        String run = setting.allocId() + "/" + task() + "/" + parts.ids().next().substring(0, 8);
        TaskHandle handle;
        try {
            parts.starts().reached(StartPoint.BEFORE_SETUP);
            diary.event(events.setup());
            parts.starts().reached(StartPoint.AFTER_SETUP);
            if (parts.wantsOwnUser(setting.task())) {
                words().sharesUser(setting.user().fault());
            }
            Optional<TaskLaunch.Ready> ready =
                    launch.ready(run, plugin.beforeStart(), artifacts, templates, running::awaitKill);
            if (ready.isEmpty()) {
                return false;
            }
            if (!ready.get().unknown().isEmpty()) {
                diary.event(events.unknownOfNode(ready.get().unknown()));
            }
            if (launch.isIsolated()) {
                new VolumeOwnership(setting, parts, diary, events).settle();
            }
            runs.endOthers(stopping);
            if (!startGate.tryStart()) {
                volumes().takeAway();
                return true;
            }
            parts.starts().reached(StartPoint.BEFORE_STARTING);
            diary.write(r -> r.starting(run));
            parts.starts().reached(StartPoint.AFTER_STARTING);
            handle = driver.start(ready.get().config(), new Waiting());
            parts.starts().reached(StartPoint.BEFORE_STARTED);
            diary.note(r -> r.started(TaskDiary.running(r.state(), events.started()), handle));
            parts.starts().reached(StartPoint.AFTER_STARTED);
        } catch (DriverTrouble trouble) {
            diary.event(events.driverFailure(trouble.reason()));
            return false;
        } catch (TemplateTrouble trouble) {
            diary.event(events.templateFailed(trouble.reason()));
            return false;
        } catch (Trouble trouble) {
            diary.event(events.setupFailure(trouble.reason()));
            return false;
        }
        return watch(handle);
    }

    private boolean watch(TaskHandle handle) throws InterruptedException {
        stopping.begun();
        Optional<String> killed = running.begun(handle);
        Optional<String> held = startGate.reason();
        if (held.isPresent()) {
            diary.settled();
            stopping.stop(handle, held.get());
        } else if (killed.isPresent()) {
            diary.settled();
            endBeside(handle, killed.get());
        }
        new DriverAddress(setting, driver, diary, events).note(handle);
        output.afterStart(handle);
        plugin.afterStart(handle);
        templates.afterStart(handle, launch::environment, running);
        TaskRuns.End end = runs.awaitEnd(handle);
        boolean well = end == TaskRuns.End.WELL;
        if (end == TaskRuns.End.WITH_MACHINE) {
            startGate.next("the machine was restarted");
        }
        stopping.ended();
        output.afterEnd();
        well &= !plugin.afterEnd();
        well &= !templates.afterEnd();
        well &= !running.ended();
        cleanUp(handle);
        return well;
    }

    /** What {@link #kill} could not do, called while the task was still started or found. */
    private void endBeside(TaskHandle handle, String reason) {
        parts.threads()
                .contained(
                        "end/" + setting.allocId() + "/" + task(),
                        () -> {
                            stopping.awaitDelay();
                            stopping.stop(handle, reason);
                        },
                        fault -> killAnyway());
    }

    private void cleanUp(TaskHandle handle) throws InterruptedException {
        try {
            driver.destroy(handle);
        } catch (DriverTrouble trouble) {
            LOG.warn("what task {} left could not all be removed: {}", handle.id(), trouble.reason());
        }
        volumes().ended();
        diary.note(r -> r.idle(r.state()));
    }

    private void afterEnd(boolean well) throws InterruptedException {
        if (running.isKilled()) {
            if (state().startedAt() != null) {
                diary.event(events.killed());
            }
            end(false);
            return;
        }
        RestartCount count = diary.record().restarts();
        Optional<String> held = startGate.take();
        if (held.isPresent()) {
            restarting(Duration.ZERO, held.get(), count == null ? null : count.withoutWait());
            return;
        }
        switch (restarts.after(well, count)) {
            case Restarts.Decision.Done done -> end(false);
            case Restarts.Decision.Never(String reason) -> {
                diary.event(events.notRestarting(reason));
                end(true);
            }
            case Restarts.Decision.Again(Duration wait, String reason, RestartCount counted) ->
                restarting(wait, reason, counted);
        }
    }

    private void restarting(Duration wait, String reason, @Nullable RestartCount counted) {
        diary.note(r -> r.counting(TaskDiary.restarting(r.state(), events.restarting(wait, reason)), counted));
    }

    private void end(boolean failed) {
        templates.forget();
        diary.note(r -> r.idle(TaskDiary.dead(r.state(), failed, parts.time().now())));
    }

    /** What a driver says of a task while it is starting it. */
    private final class Waiting implements Starting {
        @Override
        public void told(String words) {
            diary.event(events.driver(words));
        }

        @Override
        public boolean isWanted() {
            return !running.isKilled();
        }
    }
}
