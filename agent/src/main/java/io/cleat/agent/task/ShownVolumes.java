package io.cleat.agent.task;

import io.cleat.base.Trouble;
import io.cleat.model.VolumeMount;
import java.nio.file.Path;

/** What one task sees of its allocation's volumes. */
public final class ShownVolumes {
    private final TaskSetting setting;
    private final VolumeBinds binds;
    private final boolean isolated;
    private final TaskDiary diary;
    private final TaskEvents events;

    ShownVolumes(
            TaskSetting setting,
            VolumeBinds binds,
            boolean isolated,
            TaskDiary diary,
            TaskEvents events) {
        this.setting = setting;
        this.binds = binds;
        this.isolated = isolated;
        this.diary = diary;
        this.events = events;
    }

    /** Whether the task sees the volume of that name. */
    public boolean has(String alias) {
        return setting.task().volumeMounts().stream()
                .anyMatch(mount -> mount.alias().equals(alias));
    }

    /**
     * The volume was mounted anew: a task without files of its own is shown it again, in the place
     * of what is dead. How that went is in the task's events.
     */
    public void moved(String alias, Path published) {
        for (VolumeMount mount : setting.task().volumeMounts()) {
            if (mount.alias().equals(alias) && isolated) {
                diary.event(
                        events.notRemounted(
                                alias,
                                "the task has files of its own, where the lost one stays: restart it,"
                                        + " or give the plugin on_mount_loss = \"restart_tasks\""));
            } else if (mount.alias().equals(alias)) {
                show(mount, published);
            }
        }
    }

    /** A task that was taken over: what its last agent did not come to is done now. */
    void takenOver() {
        setting.published().forEach(this::moved);
    }

    private void show(VolumeMount mount, Path published) {
        try {
            VolumeBinds.Bound bound =
                    binds.bind(
                            published, setting.taskRoot(), mount.destination(), mount.readOnly());
            if (bound.isNew()) {
                diary.event(events.remounted(mount.alias()));
            }
        } catch (Trouble trouble) {
            diary.event(events.notRemounted(mount.alias(), trouble.reason()));
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }
}
