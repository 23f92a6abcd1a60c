package io.cleat.nodeapi;

import io.cleat.agent.NodeMeta;
import io.cleat.agent.alloc.AllocationDirectory;
import io.cleat.agent.alloc.Allocations;
import io.cleat.agent.alloc.CheckedAllocation;
import io.cleat.agent.alloc.OpenAllocation;
import io.cleat.agent.task.TaskRecord;
import io.cleat.agent.task.TaskRunner;
import io.cleat.agent.volumes.VolumeUsage;
import io.cleat.base.Refused;
import io.cleat.kernel.FileReads;
import io.cleat.kernel.PathWorkers;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What can be seen of this node and the allocations on it. Any thread. */
public interface LocalNode {
    /** Where no node runs. */
    LocalNode NONE = new LocalNode() {
        @Override
        public Optional<AllocationDirectory> directory(String allocId) {
            return Optional.empty();
        }

        @Override
        public FileReads reads(String allocId) {
            throw new IllegalStateException("no node runs here");
        }

        @Override
        public boolean collectsLogs(String allocId, String task) {
            return false;
        }

        @Override
        public Optional<TaskRunner> runner(String allocId, String task) {
            return Optional.empty();
        }

        @Override
        public void restartAll(String allocId) throws Refused {
            throw AgentNode.unknownAllocation(allocId);
        }

        @Override
        public Optional<Map<String, TaskRecord>> tasks(String allocId) {
            return Optional.empty();
        }
    };

    /** Over the agent's own. */
    static LocalNode of(NodeMeta meta, Allocations allocations, PathWorkers workers, VolumeUsage usage) {
        return new RunningNode(meta, allocations, workers, usage);
    }

    /** What jobs may ask for of the node; empty where none runs. */
    default Optional<NodeMeta> meta() {
        return Optional.empty();
    }

    /**
     * Nothing is asked of an allocation that is here and was not taken over.
     *
     * @throws Refused if it is one; says why, and what to do
     */
    default void requireTakenOver(String allocId) throws Refused {}

    /** Where an allocation's files are; empty for one that is not here. */
    Optional<AllocationDirectory> directory(String allocId);

    /** What reads the files of an allocation that is here. */
    FileReads reads(String allocId);

    /** Whether a task's output is kept. */
    boolean collectsLogs(String allocId, String task);

    /** The runner of one task; empty if it was never begun here. */
    Optional<TaskRunner> runner(String allocId, String task);

    /**
     * Ends all tasks of an allocation, in order, and starts them again from the first.
     *
     * @throws Refused if it is not here, or none of its tasks runs
     */
    void restartAll(String allocId) throws Refused;

    /**
     * Has an allocation that has ended give up its files.
     *
     * @throws Refused if it is not here, or has not ended
     */
    default void giveUpFiles(String allocId) throws Refused {
        throw AgentNode.unknownAllocation(allocId);
    }

    /** How the checks of an allocation's services are; empty for one that is not here. */
    default Optional<CheckedAllocation> checks(String allocId) {
        return Optional.empty();
    }

    /** Has all that have ended give up their files. */
    default void giveUpAllFiles() {}

    /** Those that are here and have not ended, by id. */
    default List<OpenAllocation> open() {
        return List.of();
    }

    /** An allocation's tasks by name; empty for one that is not here. */
    Optional<Map<String, TaskRecord>> tasks(String allocId);

    /** Which namespace its job is in; empty for an allocation that is not here. */
    default Optional<String> namespace(String allocId) {
        return Optional.empty();
    }

    /** How full an allocation's volumes are, by alias; asks their plugins. */
    default Map<String, VolumeUsage.Seen> volumes(String allocId) throws InterruptedException {
        return Map.of();
    }
}
