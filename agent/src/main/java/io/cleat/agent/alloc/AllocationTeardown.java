package io.cleat.agent.alloc;

import io.cleat.agent.task.UntilDone;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import io.cleat.model.BlockedBy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Undoes what an allocation stands on once its tasks are dead: its volumes are taken out of the tasks' directories,
 * then unpublished, then its network is left.
 *
 * <p>On the allocation's thread. What cannot be undone is tried again with back-off, for ever, and said of the volumes
 * or the tasks meanwhile; nothing is undone before what uses it is.
 */
final class AllocationTeardown {
    private static final Logger LOG = LoggerFactory.getLogger(AllocationTeardown.class);

    private final String allocId;
    private final AllocationDirectory directory;
    private final VolumeHook volumes;
    private final GroupTasks tasks;
    private final NetworkHook network;
    private final AllocationParts parts;

    AllocationTeardown(
            String allocId,
            AllocationDirectory directory,
            VolumeHook volumes,
            GroupTasks tasks,
            NetworkHook network,
            AllocationParts parts) {
        this.allocId = allocId;
        this.directory = directory;
        this.volumes = volumes;
        this.tasks = tasks;
        this.network = network;
        this.parts = parts;
    }

    /**
     * Undoes all of it. An interruption leaves the rest as it is, for the next agent.
     *
     * @param steps where the faults of each step are contained
     */
    void run(UntilDone steps) throws InterruptedException {
        steps.take(volumes.steps()::settle);
        steps.take(this::unbind);
        steps.take(this::unpublish);
        steps.take(() -> network.leave(allocId, tasks::tellNetworkStays));
    }

    /**
     * Takes the volumes out of the tasks' directories, and out of the volumes what a task mounted in them. While one is
     * bound there its files are in use, so nothing is unpublished before.
     */
    private void unbind() throws InterruptedException {
        Time time = parts.tasks().time();
        Instant since = time.now();
        for (int failures = 0; ; failures++) {
            try {
                directory.close();
                parts.tasks().binds().unbindAll(directory.root());
                for (Path path : volumes.steps().paths()) {
                    parts.tasks().binds().unmountInside(path);
                }
                return;
            } catch (Trouble trouble) {
                Duration pause = UntilDone.AGAIN.wait(failures, parts.tasks().chance());
                LOG.warn("volumes are still bound in allocation {}: {}", allocId, trouble.reason());
                volumes.steps()
                        .waitToEnd(new BlockedBy(
                                "unbind",
                                trouble.reason(),
                                since,
                                time.now().plus(pause),
                                "it is unmounted from the task's directory first, and that is tried again"));
                time.sleep(pause);
            }
        }
    }

    private void unpublish() throws InterruptedException {
        for (int failures = 0; !volumes.unpublishAll(); failures++) {
            UntilDone.pause(parts.tasks(), failures);
        }
    }
}
