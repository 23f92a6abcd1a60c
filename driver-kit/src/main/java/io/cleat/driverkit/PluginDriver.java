package io.cleat.driverkit;

import io.cleat.base.DriverTrouble;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.TaskHandle;
import java.util.List;
import java.util.Map;

/**
 * A task driver that {@link DriverProgram} serves. Whoever runs commands of the machine extends {@link ProcessDriver},
 * which needs two methods more than a name.
 *
 * <p>All methods may be called from any thread. A program that ends leaves its tasks running: the next one is asked to
 * {@link #find} them.
 */
public interface PluginDriver extends TaskDriver {
    /** The program's own version, such as {@code 1.4.0}. */
    String version();

    /** What its own settings may hold, which the operator writes; nothing unless overridden. */
    default BlockShape settings() {
        return BlockShape.of();
    }

    /** What a task's {@code config} may hold. */
    BlockShape taskConfig();

    /**
     * Takes its settings, before any task. Whoever runs plugins gives them twice: to have them looked at, and for good.
     *
     * @throws DriverTrouble with what is wrong with them; the program is then not used
     */
    default void configure(BlockValues settings) throws DriverTrouble {}

    /** The program ends; its tasks run on. Takes away what only it has needed. */
    default void close() {}

    /**
     * As {@link TaskDriver#start(TaskConfig)}.
     *
     * @param output where it writes; both are opened for writing, and closed with the task
     */
    TaskHandle start(TaskConfig config, TaskOutput output) throws DriverTrouble, InterruptedException;

    /** As {@link #start(TaskConfig, TaskOutput)}, of a task whose output nobody keeps. */
    @Override
    default TaskHandle start(TaskConfig config) throws DriverTrouble, InterruptedException {
        return start(config, TaskOutput.NOWHERE);
    }

    /** What the shape of {@link #taskConfig} cannot say; the caller has looked at that before. */
    @Override
    default List<String> faults(Map<String, Object> config) {
        return List.of();
    }
}
