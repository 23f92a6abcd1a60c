package io.cleat.agent.alloc;

import io.cleat.agent.report.News;
import io.cleat.agent.task.TaskParts;
import io.cleat.agent.volumes.NodeVolumes;
import io.cleat.base.InWork;
import io.cleat.base.Trouble;
import java.nio.file.Path;

/**
 * The parts of the agent that every allocation works with.
 *
 * @param directories below which each allocation has its directory
 * @param clearing removes an allocation's directory
 * @param inWork where it is noted which allocation is taken over
 */
public record AllocationParts(
        Path directories,
        Clearing clearing,
        NodeVolumes volumes,
        TaskParts tasks,
        News news,
        InWork inWork) {

    /** For an agent that notes nothing. */
    public AllocationParts(
            Path directories, Clearing clearing, NodeVolumes volumes, TaskParts tasks, News news) {
        this(directories, clearing, volumes, tasks, news, InWork.UNNOTED);
    }

    /** Removes an allocation's directory: never across a mount, never through a link. */
    @FunctionalInterface
    public interface Clearing {
        /** Removes all of it, or says what is in the way and may be tried again. */
        void clear(Path directory) throws Trouble, InterruptedException;
    }
}
