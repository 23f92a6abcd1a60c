package io.cleat.agent.alloc;

import io.cleat.agent.network.AllocationNetworks;
import io.cleat.agent.report.News;
import io.cleat.agent.task.TaskParts;
import io.cleat.agent.volumes.NodeVolumes;
import io.cleat.base.InWork;
import io.cleat.base.Trouble;
import io.cleat.kernel.TreeMeasure;
import io.cleat.model.EphemeralDisk;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The parts of the agent that every allocation works with.
 *
 * @param directories below which each allocation has its directory
 * @param clearing removes an allocation's directory
 * @param measuring measures an allocation's directory; empty where it has no limit
 * @param inWork where it is noted which allocation is taken over
 * @param users of which each allocation gets one whose driver wants it
 * @param ended which of those that have ended keep their files
 * @param networks of allocations that have one of their own; empty for an agent that makes none
 */
public record AllocationParts(
        Path directories,
        Clearing clearing,
        Optional<Measuring> measuring,
        NodeVolumes volumes,
        TaskParts tasks,
        News news,
        InWork inWork,
        OwnUsers users,
        EndedFiles ended,
        Optional<AllocationNetworks> networks) {

    /** For an agent that notes nothing, lets directories grow and has no users to give. */
    public AllocationParts(Path directories, Clearing clearing, NodeVolumes volumes, TaskParts tasks, News news) {
        this(
                directories,
                clearing,
                Optional.empty(),
                volumes,
                tasks,
                news,
                InWork.UNNOTED,
                OwnUsers.none(),
                EndedFiles.keepingAll(),
                Optional.empty());
    }

    /** Removes an allocation's directory: never across a mount, never through a link. */
    @FunctionalInterface
    public interface Clearing {
        /** Removes all of it, or says what is in the way and may be tried again. */
        void clear(Path directory) throws Trouble, InterruptedException;
    }

    /** Measures what an allocation's directory holds, but for its logs. */
    @FunctionalInterface
    public interface Measuring {
        /**
         * @param limit beyond which it need not be known how much more it is
         * @throws Trouble if it is not known; that may change
         */
        TreeMeasure.Measured measure(AllocationDirectory directory, EphemeralDisk limit)
                throws Trouble, InterruptedException;
    }
}
