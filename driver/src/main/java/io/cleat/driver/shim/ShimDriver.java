package io.cleat.driver.shim;

import io.cleat.base.DriverTrouble;
import io.cleat.driver.ExecCommand;
import io.cleat.driver.ExecSession;
import io.cleat.driver.ExitResult;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.TaskStats;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** A driver whose tasks, once started, are their shims' alone. */
public abstract class ShimDriver implements TaskDriver {
    protected abstract ShimTasks tasks();

    @Override
    public Optional<TaskHandle> find(TaskConfig config) throws DriverTrouble, InterruptedException {
        return tasks().find(config.id());
    }

    @Override
    public Set<String> allocations() throws DriverTrouble {
        return tasks().allocations();
    }

    @Override
    public List<TaskHandle> live(String allocId) throws DriverTrouble {
        return tasks().live(allocId);
    }

    @Override
    public ExitResult await(TaskHandle task) throws DriverTrouble, InterruptedException {
        return tasks().await(task);
    }

    @Override
    public void stop(TaskHandle task, String signal, Duration timeout) throws DriverTrouble, InterruptedException {
        tasks().stop(task, signal, timeout);
    }

    @Override
    public void signal(TaskHandle task, String signal) throws DriverTrouble {
        tasks().signal(task, signal);
    }

    @Override
    public ExecSession exec(TaskHandle task, ExecCommand command) throws DriverTrouble {
        return tasks().exec(task, command);
    }

    @Override
    public TaskStats stats(TaskHandle task) throws DriverTrouble {
        return tasks().stats(task);
    }

    @Override
    public OptionalLong lostOutput(TaskHandle task) throws DriverTrouble {
        return OptionalLong.of(tasks().lostOutput(task));
    }

    @Override
    public void destroy(TaskHandle task) throws DriverTrouble, InterruptedException {
        tasks().destroy(task);
    }
}
