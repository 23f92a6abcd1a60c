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

/** What can be seen of the node in this process, by its agent's own allocations. */
final class RunningNode implements LocalNode {
    private final NodeMeta meta;
    private final Allocations allocations;
    private final PathWorkers workers;
    private final VolumeUsage usage;

    RunningNode(NodeMeta meta, Allocations allocations, PathWorkers workers, VolumeUsage usage) {
        this.meta = meta;
        this.allocations = allocations;
        this.workers = workers;
        this.usage = usage;
    }

    @Override
    public Optional<NodeMeta> meta() {
        return Optional.of(meta);
    }

    @Override
    public void requireTakenOver(String allocId) throws Refused {
        allocations.requireTakenOver(allocId);
    }

    @Override
    public Optional<AllocationDirectory> directory(String allocId) {
        return allocations.directory(allocId);
    }

    @Override
    public FileReads reads(String allocId) {
        // One that hangs keeps only some of the others waiting, and the idle ones are few.
        return workers.reads("files/" + allocId.charAt(0));
    }

    @Override
    public boolean collectsLogs(String allocId, String task) {
        return allocations.collectsLogs(allocId, task);
    }

    @Override
    public Optional<TaskRunner> runner(String allocId, String task) {
        return allocations.task(allocId, task);
    }

    @Override
    public void restartAll(String allocId) throws Refused {
        allocations.restartAll(allocId);
    }

    @Override
    public List<OpenAllocation> open() {
        return allocations.open();
    }

    @Override
    public void giveUpFiles(String allocId) throws Refused {
        allocations.giveUpFiles(allocId);
    }

    @Override
    public Optional<CheckedAllocation> checks(String allocId) {
        return allocations.checks(allocId);
    }

    @Override
    public void giveUpAllFiles() {
        allocations.giveUpAllFiles();
    }

    @Override
    public Optional<Map<String, TaskRecord>> tasks(String allocId) {
        return allocations.tasks(allocId);
    }

    @Override
    public Optional<String> namespace(String allocId) {
        return allocations.namespace(allocId);
    }

    @Override
    public Map<String, VolumeUsage.Seen> volumes(String allocId) throws InterruptedException {
        return usage.of(allocId);
    }
}
