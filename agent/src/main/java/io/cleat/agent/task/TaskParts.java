package io.cleat.agent.task;

import io.cleat.agent.plugins.PluginTasks;
import io.cleat.base.Chance;
import io.cleat.base.Ids;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.driver.TaskDriver;
import io.cleat.model.NodeFacts;
import java.util.Map;
import java.util.function.Supplier;

/** The parts of the agent that every task runner works with. */
public record TaskParts(
        Map<String, TaskDriver> drivers,
        PluginTasks plugins,
        VolumeBinds binds,
        Supplier<NodeFacts> node,
        Threads threads,
        Time time,
        Chance chance,
        Ids ids) {
    public TaskParts {
        drivers = Map.copyOf(drivers);
    }
}
