package io.cleat.sim;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.base.Time;
import io.cleat.driver.DriverCapabilities;
import io.cleat.driver.ExitResult;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.TaskLost;
import io.cleat.driver.TaskStats;
import io.cleat.model.DriverFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** One agent's driver: what it starts belongs to the machine and outlives the agent. */
final class SimDriver implements TaskDriver {
    static final String NAME = "raw_exec";

    private final SimMachine machine;
    private final Time time;
    private final Chaos chaos;

    SimDriver(SimMachine machine, Time time, Chaos chaos) {
        this.machine = machine;
        this.time = time;
        this.chaos = chaos;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public DriverCapabilities capabilities() {
        return new DriverCapabilities(true, false, DriverCapabilities.Isolation.NONE, false, true);
    }

    @Override
    public DriverFacts fingerprint() {
        return new DriverFacts(true, true, "Healthy", Map.of(), Instant.EPOCH);
    }

    @Override
    public List<String> faults(Map<String, Object> config) {
        return List.of();
    }

    // An agent may be killed before the start, and between the start and its word of it.
    @Override
    public TaskHandle start(TaskConfig config) throws DriverTrouble, InterruptedException {
        time.sleep(chaos.latency(2, 500));
        if (chaos.strikes(10)) {
            throw new DriverTrouble("no process can be made now", Effect.NONE, Retry.SAME_CALL);
        }
        machine.startTask(config);
        time.sleep(chaos.latency(2, 500));
        return handle(config.id());
    }

    /** What was written down of the tasks cannot be read, now and then. */
    private void mayNotKnow() throws DriverTrouble {
        if (chaos.strikes(30)) {
            machine.notKnown();
            throw new DriverTrouble("what runs is not known now", Effect.NONE, Retry.SAME_CALL);
        }
    }

    @Override
    public Optional<TaskHandle> find(TaskConfig config) throws DriverTrouble {
        mayNotKnow();
        return machine.task(config.id()).map(task -> handle(config.id()));
    }

    @Override
    public Set<String> allocations() throws DriverTrouble {
        mayNotKnow();
        return running().stream().map(task -> task.config.allocId()).collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    public List<TaskHandle> live(String allocId) throws DriverTrouble {
        mayNotKnow();
        return running().stream()
                .filter(task -> task.config.allocId().equals(allocId))
                .map(task -> handle(task.config.id()))
                .toList();
    }

    private List<SimTask> running() {
        return machine.forgetsTasks ? List.of() : machine.running();
    }

    @Override
    public ExitResult await(TaskHandle handle) throws DriverTrouble, InterruptedException {
        while (true) {
            SimTask task = machine.task(handle.id()).orElseThrow(() -> lost(handle, false));
            ExitResult exit = task.exit;
            if (exit != null) {
                return exit;
            }
            if (!task.bootId.equals(machine.bootId())) {
                throw lost(handle, true);
            }
            task.changed.await();
        }
    }

    @Override
    public void stop(TaskHandle handle, String signal, Duration timeout) throws DriverTrouble, InterruptedException {
        time.sleep(chaos.latency(1, 200));
        machine.stopTask(task(handle), timeout);
    }

    @Override
    public void signal(TaskHandle handle, String signal) throws DriverTrouble {
        task(handle);
    }

    @Override
    public TaskStats stats(TaskHandle handle) {
        return new TaskStats(time.now(), 0, 0, 0, 0, List.of());
    }

    @Override
    public void destroy(TaskHandle handle) throws InterruptedException {
        time.sleep(chaos.latency(1, 200));
        machine.forgetTask(handle.id());
    }

    private static TaskLost lost(TaskHandle handle, boolean withMachine) {
        return new TaskLost(handle.id(), "its shim is gone", withMachine);
    }

    private SimTask task(TaskHandle handle) throws DriverTrouble {
        return machine.task(handle.id())
                .orElseThrow(() ->
                        new DriverTrouble("no task " + handle.id() + " was started here", Effect.NONE, Retry.NEVER));
    }

    private static TaskHandle handle(String id) {
        return new TaskHandle(NAME, id, 1, id);
    }
}
