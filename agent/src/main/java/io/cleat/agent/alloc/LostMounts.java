package io.cleat.agent.alloc;

import io.cleat.agent.task.TaskRunner;
import io.cleat.base.Threads;
import io.cleat.model.MountLoss;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The volumes of one allocation that were lost with the plugin that held their mounts, or replaced, and are mounted
 * anew for its tasks.
 *
 * <p>Receives each loss from whoever watches mounts, and returns at once: a thread for each volume holds its tasks
 * where the job says so, and the mounting itself is a step of {@link VolumeHook}. A volume that cannot be mounted anew
 * fails the allocation. After a fault the tasks that were held go on, and fail by themselves.
 */
final class LostMounts {
    private final AllocationDiary diary;
    private final GroupTasks tasks;
    private final VolumeHook volumes;
    private final Threads threads;

    /** The volumes that are mounted anew now, by alias. */
    private final Set<String> remounting = ConcurrentHashMap.newKeySet();

    LostMounts(AllocationDiary diary, GroupTasks tasks, VolumeHook volumes, Threads threads) {
        this.diary = diary;
        this.tasks = tasks;
        this.volumes = volumes;
        this.threads = threads;
    }

    /**
     * A volume is to be mounted anew.
     *
     * @param policy whether the tasks that see it are held meanwhile, and started again after it
     * @return false if that is at work already
     */
    boolean remount(String alias, MountLoss policy) {
        if (!remounting.add(alias)) {
            return false;
        }
        List<TaskRunner> users = tasks.users(alias);
        boolean restarts = policy == MountLoss.RESTART_TASKS;
        Runnable ended = () -> {
            users.forEach(user -> user.running().goOn());
            remounting.remove(alias);
        };
        threads.contained(
                "remount/" + diary.known().allocId() + "/" + alias,
                () -> {
                    if (restarts) {
                        hold(users, alias);
                    }
                    volumes.remount(
                            alias,
                            path -> users.forEach(user -> user.volumes().moved(alias, path)),
                            why -> diary.change(k -> k.failed(why)),
                            ended);
                },
                fault -> ended.run());
        return true;
    }

    private static void hold(List<TaskRunner> users, String alias) throws InterruptedException {
        for (TaskRunner user : users) {
            user.running().hold("its volume \"" + alias + "\" is mounted anew");
            user.volumes().takeAway(alias);
        }
    }

    /** Whether a task sees something else than what is mounted for it, which nobody mends now. */
    boolean seesOther(String alias) {
        return !remounting.contains(alias)
                && tasks.users(alias).stream().anyMatch(user -> user.volumes().seesOther(alias));
    }
}
