package io.cleat.agent.task;

import io.cleat.driver.DriverCapabilities;
import io.cleat.driver.DriverCapabilities.Isolation;
import io.cleat.driver.TaskDriver;
import io.cleat.model.GroupNetwork;
import io.cleat.model.Task;
import io.cleat.model.TaskTemplate;
import io.cleat.model.TaskTemplate.ChangeMode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a task's job asks of its driver. Which driver can do what is known on the node alone, so it is looked at there,
 * before anything is made for the task.
 */
final class DriverNeeds {
    private DriverNeeds() {}

    /** Why a driver cannot run the task as its job says; empty if it can. */
    static Optional<String> fault(Task task, DriverCapabilities can) {
        String missing = "";
        if (!can.exec() && changes(task, ChangeMode.SCRIPT)) {
            missing = "run commands in its tasks, which change_mode = \"script\" of a template asks";
        } else if (!can.signals() && changes(task, ChangeMode.SIGNAL)) {
            missing = "send signals, which change_mode = \"signal\" of a template asks";
        } else if (!can.signals() && !task.killSignal().isEmpty()) {
            missing = "send signals, which kill_signal = \"" + task.killSignal() + "\" asks";
        } else if (!can.canDisableLogs() && task.logs().disabled()) {
            missing = "run a task without its logs, which logs { disabled = true } asks";
        } else if (!can.mounts() && can.isolation() != Isolation.NONE && wantsMounts(task)) {
            missing = "show volumes to its tasks";
        }
        return missing.isEmpty() ? Optional.empty() : Optional.of(cannot(task, missing));
    }

    /** Why a driver cannot run the task in the network of its group; empty if it can. */
    static Optional<String> networkFault(Task task, TaskDriver driver, @Nullable GroupNetwork network) {
        if (network == null) {
            return Optional.empty();
        }
        if (!network.isHost() && !driver.joinsNetworks()) {
            return Optional.of(cannot(
                    task, "put its tasks into a network of mode \"" + network.mode() + "\", which the group asks"));
        }
        return network.dns() == null || driver.setsDns()
                ? Optional.empty()
                : Optional.of(cannot(
                        task,
                        "have its tasks resolve names otherwise than the node, which dns of the group's network asks"));
    }

    private static String cannot(Task task, String missing) {
        return "the driver \""
                + task.driver()
                + "\" of task \""
                + task.name()
                + "\" cannot "
                + missing
                + ": change the job, or take another driver";
    }

    private static boolean changes(Task task, ChangeMode mode) {
        return task.templates().stream().map(TaskTemplate::changeMode).anyMatch(mode::equals);
    }

    private static boolean wantsMounts(Task task) {
        return !task.volumeMounts().isEmpty() || task.csiPlugin() != null;
    }
}
