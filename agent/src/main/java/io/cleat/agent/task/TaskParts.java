package io.cleat.agent.task;

import io.cleat.agent.artifact.Artifacts;
import io.cleat.agent.artifact.FetchSlots;
import io.cleat.agent.check.CheckSlots;
import io.cleat.agent.plugins.PluginTasks;
import io.cleat.agent.template.NodeServices;
import io.cleat.agent.template.NodeVariables;
import io.cleat.agent.template.RenderingBudget;
import io.cleat.agent.template.TaskFiles;
import io.cleat.base.Chance;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Ids;
import io.cleat.base.Ordered;
import io.cleat.base.Retry;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.shim.Users;
import io.cleat.kernel.IdSwap;
import io.cleat.model.GroupNetwork;
import io.cleat.model.KillTimeout;
import io.cleat.model.NodeFacts;
import io.cleat.model.Task;
import io.cleat.model.TaskGroup;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The parts of the agent that every task runner works with.
 *
 * @param drivers by name
 * @param withoutLogs the names of the drivers whose tasks' output is not kept, whatever their jobs say
 * @param variables of the cluster, which templates read
 * @param services of the cluster, which templates find
 * @param checks how many of services are made at once
 * @param longestKillTimeout how long a task may have to stop, whatever its job says
 * @param starts told of each point of a start
 */
public record TaskParts(
        Map<String, TaskDriver> drivers,
        Set<String> withoutLogs,
        PluginTasks plugins,
        VolumeBinds binds,
        TaskFiles files,
        Artifacts artifacts,
        Supplier<NodeFacts> node,
        Threads threads,
        Time time,
        Chance chance,
        Ids ids,
        RenderingBudget renderings,
        NodeVariables variables,
        NodeServices services,
        FetchSlots fetches,
        CheckSlots checks,
        Duration longestKillTimeout,
        StartPoint.Listener starts) {
    /** The kernel's own number for whom it does not know. */
    private static final long NOBODY = 65534;

    public TaskParts {
        drivers = Ordered.copyOf(drivers);
        withoutLogs = Ordered.copyOf(withoutLogs);
    }

    /** With what each node has unless its operator says otherwise. */
    public TaskParts(
            Map<String, TaskDriver> drivers,
            Set<String> withoutLogs,
            PluginTasks plugins,
            VolumeBinds binds,
            TaskFiles files,
            Artifacts artifacts,
            Supplier<NodeFacts> node,
            Threads threads,
            Time time,
            Chance chance,
            Ids ids) {
        this(
                drivers,
                withoutLogs,
                plugins,
                binds,
                files,
                artifacts,
                node,
                threads,
                time,
                chance,
                ids,
                new RenderingBudget(time),
                NodeVariables.none(),
                NodeServices.none(),
                new FetchSlots(),
                new CheckSlots(time),
                KillTimeout.USUAL,
                StartPoint.Listener.NONE);
    }

    /** The same, and of each point of a start {@code listener} is told. */
    public TaskParts withStarts(StartPoint.Listener listener) {
        return with(variables, services, longestKillTimeout, listener);
    }

    /** The same, but a task has at most {@code longest} to stop. */
    public TaskParts stoppingWithin(Duration longest) {
        return with(variables, services, longest, starts);
    }

    /** The same, whose templates read the cluster's variables, and find its services. */
    public TaskParts reading(NodeVariables told, NodeServices found) {
        return with(told, found, longestKillTimeout, starts);
    }

    private TaskParts with(NodeVariables told, NodeServices found, Duration longest, StartPoint.Listener listener) {
        return new TaskParts(
                drivers,
                withoutLogs,
                plugins,
                binds,
                files,
                artifacts,
                node,
                threads,
                time,
                chance,
                ids,
                renderings,
                told,
                found,
                fetches,
                checks,
                longest,
                listener);
    }

    /** @throws DriverTrouble if the node has no driver of the name that the task gives */
    TaskDriver driver(Task task) throws DriverTrouble {
        TaskDriver named = drivers.get(task.driver());
        if (named == null) {
            throw new DriverTrouble(
                    "task \""
                            + task.name()
                            + "\" wants the driver \""
                            + task.driver()
                            + "\"; this node has "
                            + drivers.keySet(),
                    Effect.NONE,
                    Retry.NEVER);
        }
        return named;
    }

    /** Whether a task is to run as a user that only its allocation has. */
    public boolean wantsOwnUser(Task task) {
        TaskDriver driver = drivers.get(task.driver());
        return driver != null && driver.wantsOwnUsers() && task.user().isEmpty();
    }

    /**
     * Before anything is made for a task.
     *
     * @throws DriverTrouble if its driver is not here, or cannot do what its job asks
     */
    public void requireAble(Task task, @Nullable GroupNetwork network) throws DriverTrouble {
        TaskDriver driver = driver(task);
        Optional<String> fault = DriverNeeds.fault(task, driver.capabilities())
                .or(() -> DriverNeeds.networkFault(task, driver, network));
        if (fault.isPresent()) {
            throw new DriverTrouble(fault.get(), Effect.NONE, Retry.NEVER);
        }
    }

    /** Whether a driver's tasks join no network but one that it has made itself. */
    public boolean makesNetworks(String driver) {
        return drivers.containsKey(driver) && drivers.get(driver).networkMaker().isPresent();
    }

    /**
     * Whom a task runs as: user id, group id, further groups; empty for the agent's own user.
     *
     * @param own for a task that names no user
     * @throws DriverTrouble if there is no such driver or user here
     */
    List<Long> owner(Task task, OwnUser own) throws DriverTrouble {
        TaskDriver driver = driver(task);
        if (own.isThere() && wantsOwnUser(task)) {
            return List.of(own.id(), own.id());
        }
        String user = driver.userOf(task.user());
        boolean isName = !user.matches("\\d{1,10}(:\\d{1,10})?");
        if (isName && !task.user().isEmpty() && driver.hasImage(task.config())) {
            return List.of();
        }
        return user.isEmpty() ? List.of() : Users.ofThisMachine().ids(user);
    }

    /**
     * How volumes are shown to a task with a user of its own: it has what the user has that its driver has for all, as
     * whom it would run without one.
     */
    public IdSwap swap(Task task, long own) {
        try {
            List<Long> all = Users.ofThisMachine().ids(driver(task).userOf(""));
            return new IdSwap(all.get(0), all.get(1), own);
        } catch (DriverTrouble none) {
            return new IdSwap(NOBODY, NOBODY, own);
        }
    }

    /**
     * The users of a group's tasks, without root, who may do all anyway. A task without a user that is here counts for
     * none: it will not start.
     *
     * @param own for tasks that name no user
     */
    public NavigableSet<Long> users(TaskGroup group, OwnUser own) {
        NavigableSet<Long> users = new TreeSet<>();
        for (Task task : group.tasks()) {
            users.addAll(user(task, own).filter(id -> id != 0).stream().toList());
        }
        return users;
    }

    private Optional<Long> user(Task task, OwnUser own) {
        try {
            return owner(task, own).stream().findFirst();
        } catch (DriverTrouble none) {
            return Optional.empty();
        }
    }

    /** Whether the output of a task is kept. */
    public boolean collectsLogs(Task task) {
        return !task.logs().disabled() && !withoutLogs.contains(task.driver());
    }
}
