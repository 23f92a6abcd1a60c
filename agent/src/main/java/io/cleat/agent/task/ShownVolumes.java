package io.cleat.agent.task;

import io.cleat.base.Trouble;
import io.cleat.model.VolumeMount;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What one task sees of its allocation's volumes. */
public final class ShownVolumes {
    private static final Logger LOG = LoggerFactory.getLogger(ShownVolumes.class);

    private final TaskSetting setting;
    private final VolumeBinds binds;
    private final boolean isolated;
    private final TaskDiary diary;
    private final TaskEvents events;

    ShownVolumes(TaskSetting setting, VolumeBinds binds, boolean isolated, TaskDiary diary, TaskEvents events) {
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
     * The volume may have been mounted anew: a task without files of its own is shown it again, in the place of what is
     * dead. How that went is in the task's events.
     */
    public void moved(String alias, Path path) {
        VolumeBinds.Published published = VolumeBinds.Published.of(setting.group(), alias, path);
        List<VolumeMount> mounts = setting.task().volumeMounts();
        for (int number = 0; number < mounts.size(); number++) {
            VolumeMount mount = mounts.get(number);
            if (mount.alias().equals(alias) && isolated) {
                tellIfLost(mount, published, number);
            } else if (mount.alias().equals(alias)) {
                show(mount, published);
            }
        }
    }

    /**
     * Whether the task sees, under that name, something else than what is published now; false if it sees nothing, as
     * before its start, and where that is not known.
     */
    public boolean seesOther(String alias) {
        Optional<VolumeBinds.Published> published = setting.volume(alias);
        List<VolumeMount> mounts = setting.task().volumeMounts();
        for (int number = 0; number < mounts.size(); number++) {
            if (mounts.get(number).alias().equals(alias)
                    && published.isPresent()
                    && seesOther(mounts.get(number), published.get(), number)) {
                return true;
            }
        }
        return false;
    }

    private boolean seesOther(VolumeMount mount, VolumeBinds.Published published, int number) {
        Path task = setting.taskRoot();
        try {
            return isolated
                    ? binds.holdsOther(published, task, number)
                    : binds.bindsOther(published, task, mount.destination());
        } catch (Trouble unknown) {
            LOG.warn(
                    "whether task {} sees its volume {} is not known: {}",
                    setting.task().name(),
                    mount.alias(),
                    unknown.reason());
            return false;
        }
    }

    /** Once for each time that it is lost: a task that sees what is published is told nothing. */
    private void tellIfLost(VolumeMount mount, VolumeBinds.Published published, int number) {
        if (seesOther(mount, published, number)) {
            diary.event(events.notRemounted(
                    mount.alias(),
                    "the task has files of its own, where the lost one stays: restart it,"
                            + " or give the plugin on_mount_loss = \"restart_tasks\""));
        }
    }

    /**
     * Takes a volume away from a task that has ended, so that it can be mounted anew: some drivers count the mounts of
     * a file system, and take theirs away with the last one. What an isolated task had is gone with its end.
     */
    public void takeAway(String alias) throws InterruptedException {
        for (VolumeMount mount : setting.task().volumeMounts()) {
            if (!isolated && mount.alias().equals(alias)) {
                try {
                    binds.unbind(setting.taskRoot(), mount.destination());
                } catch (Trouble trouble) {
                    LOG.warn(
                            "volume {} stays in the directory of task {} while it is mounted anew: {}",
                            alias,
                            setting.task().name(),
                            trouble.reason());
                }
            }
        }
    }

    /** Takes all away from a task that was about to start, and is held. */
    void takeAway() throws InterruptedException {
        release();
        for (VolumeMount mount : setting.task().volumeMounts()) {
            takeAway(mount.alias());
        }
    }

    /** A task that was taken over: what its last agent did not come to is done now. */
    void takenOver() {
        setting.published().forEach(this::moved);
    }

    /**
     * The task has ended: what it has mounted in its volumes and left there is taken away, so that its next start does
     * not find it. Where another task of the group may have mounted too, that is done when the allocation ends.
     */
    void ended() throws InterruptedException {
        release();
        for (VolumeMount mount : setting.task().volumeMounts()) {
            Path published = setting.published().get(mount.alias());
            if (isolated && published != null && spreads(mount) && !isSharedBySpreading(mount)) {
                try {
                    binds.unmountInside(published);
                } catch (Trouble trouble) {
                    LOG.warn(
                            "what task {} left mounted in volume {} stays until the allocation ends: {}",
                            setting.task().name(),
                            mount.alias(),
                            trouble.reason());
                }
            }
        }
    }

    /** Before its volumes may be unmounted: what is held keeps them in use. */
    private void release() throws InterruptedException {
        if (isolated && !setting.task().volumeMounts().isEmpty()) {
            try {
                binds.release(setting.taskRoot());
            } catch (Trouble trouble) {
                LOG.warn(
                        "the volumes of task {} are held until the allocation ends: {}",
                        setting.task().name(),
                        trouble.reason());
            }
        }
    }

    private static boolean spreads(VolumeMount mount) {
        return mount.propagation().equals("bidirectional");
    }

    private boolean isSharedBySpreading(VolumeMount own) {
        return setting.group().tasks().stream()
                .filter(task -> !task.name().equals(setting.task().name()))
                .flatMap(task -> task.volumeMounts().stream())
                .anyMatch(mount -> mount.alias().equals(own.alias()) && spreads(mount));
    }

    private void show(VolumeMount mount, VolumeBinds.Published published) {
        try {
            VolumeBinds.Bound bound = binds.bind(published, setting.taskRoot(), mount.destination(), mount.readOnly());
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
