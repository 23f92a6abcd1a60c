package io.cleat.agent.alloc;

import io.cleat.agent.task.OwnUser;
import io.cleat.agent.task.TaskParts;
import io.cleat.agent.task.VolumeBinds;
import io.cleat.base.Trouble;
import io.cleat.model.Task;
import io.cleat.model.TaskGroup;
import io.cleat.model.VolumeMount;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides whom the tasks of an allocation run as that name no user, before anything is made for them. Volumes hold what
 * earlier allocations wrote, so one that cannot be shown as another user's decides it.
 */
final class UserChoice {
    private final TaskParts tasks;
    private final OwnUsers users;

    UserChoice(TaskParts tasks, OwnUsers users) {
        this.tasks = tasks;
        this.users = users;
    }

    /** Whether one of its tasks is to have a user of its own. */
    boolean isWanted(KnownAllocation known) {
        return known.taskGroup().tasks().stream().anyMatch(tasks::wantsOwnUser);
    }

    /**
     * @param published where each volume is on the host, by alias
     * @throws Trouble with no effect if all ids are taken
     */
    OwnUser choose(KnownAllocation known, Map<String, Path> published) throws Trouble, InterruptedException {
        TaskGroup group = known.taskGroup();
        List<Task> wanting = group.tasks().stream().filter(tasks::wantsOwnUser).toList();
        long id = users.take(known.allocId());
        for (Task task : wanting) {
            Optional<String> fault = fault(task, group, id, published);
            if (fault.isPresent()) {
                users.giveBack(known.allocId());
                return new OwnUser(0, fault.get());
            }
        }
        return new OwnUser(id, "");
    }

    private Optional<String> fault(Task task, TaskGroup group, long id, Map<String, Path> published)
            throws InterruptedException {
        for (VolumeMount mount : task.volumeMounts()) {
            Path path = published.get(mount.alias());
            if (path != null) {
                VolumeBinds.Published volume = VolumeBinds.Published.of(group, mount.alias(), path);
                Optional<String> fault = fault(volume, task, id);
                if (fault.isPresent()) {
                    return Optional.of("volume \"" + mount.alias() + "\": " + fault.get());
                }
            }
        }
        return Optional.empty();
    }

    /** What cannot be known is no reason to fail: the task is started as tasks were before. */
    private Optional<String> fault(VolumeBinds.Published volume, Task task, long id) throws InterruptedException {
        try {
            return volume.device() ? Optional.empty() : tasks.binds().swapFault(volume, tasks.swap(task, id));
        } catch (Trouble trouble) {
            return Optional.of(trouble.reason());
        }
    }
}
