package io.cleat.agent.task;

import io.cleat.base.Trouble;
import io.cleat.kernel.Paths;
import io.cleat.model.VolumeMount;
import java.util.List;
import java.util.Optional;

/**
 * Whose the volumes of a task are. A fresh one is root's, and a task that runs as somebody else could not write in it:
 * it is given to that user, its topmost directory alone. One that is somebody's already stays so, and the task's events
 * say whose, and what to do.
 */
final class VolumeOwnership {
    private final TaskSetting setting;
    private final TaskParts parts;
    private final TaskDiary diary;
    private final TaskEvents events;

    VolumeOwnership(TaskSetting setting, TaskParts parts, TaskDiary diary, TaskEvents events) {
        this.setting = setting;
        this.parts = parts;
        this.diary = diary;
        this.events = events;
    }

    /** Of all that are held for the task and that it may write in. Before it starts. */
    void settle() throws Trouble, InterruptedException {
        List<Long> owner = parts.owner(setting.task(), setting.user());
        if (owner.isEmpty() || owner.getFirst() == 0) {
            return;
        }
        List<VolumeMount> mounts = setting.task().volumeMounts();
        for (int number = 0; number < mounts.size(); number++) {
            VolumeMount mount = mounts.get(number);
            Optional<VolumeBinds.Published> volume =
                    setting.volume(mount.alias()).filter(each -> !each.device() && !each.ofHost());
            if (volume.isPresent() && !setting.isReadOnly(mount)) {
                settle(mount.alias(), volume.get(), number, owner);
            }
        }
    }

    /** What is not known of a volume keeps no task from starting. A start that is like the last says nothing new. */
    private void settle(String alias, VolumeBinds.Published volume, int number, List<Long> owner)
            throws InterruptedException {
        long user = owner.getFirst();
        try {
            Paths.Whose whose = parts.binds().adopt(volume, setting.taskRoot(), number, user, owner.get(1));
            if (whose.given()) {
                diary.eventOnce(events.volumeGiven(alias, user()));
            } else if (!whose.letsWrite(user, owner.subList(1, owner.size()))) {
                diary.eventOnce(events.volumeIsOthers(alias, whose, user()));
            }
        } catch (Trouble unknown) {
            diary.eventOnce(events.volumeOwnerUnknown(alias, unknown.reason()));
        }
    }

    private String user() {
        String named = setting.task().user();
        return named.isEmpty() ? "nobody" : named;
    }
}
