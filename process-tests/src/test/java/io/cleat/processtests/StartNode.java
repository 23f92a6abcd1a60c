package io.cleat.processtests;

import io.cleat.agent.alloc.AllocationParts;
import io.cleat.agent.alloc.Allocations;
import io.cleat.agent.artifact.Artifacts;
import io.cleat.agent.plugins.PluginTasks;
import io.cleat.agent.report.Outbox;
import io.cleat.agent.task.BoundVolumes;
import io.cleat.agent.task.StartPoint;
import io.cleat.agent.task.TaskParts;
import io.cleat.agent.template.WorkerFiles;
import io.cleat.agent.volumes.Expansion;
import io.cleat.agent.volumes.GrantedClaim;
import io.cleat.agent.volumes.NodeVolumes;
import io.cleat.agent.volumes.Publication;
import io.cleat.base.Chance;
import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.Ids;
import io.cleat.base.PluginTrouble;
import io.cleat.base.Retry;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.base.Trouble;
import io.cleat.csi.RunEnds;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.rawexec.RawExecDriver;
import io.cleat.kernel.Cgroups;
import io.cleat.kernel.DurableFiles;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.PathWorkers;
import io.cleat.kernel.Place;
import io.cleat.kernel.Processes;
import io.cleat.kernel.SafeRemove;
import io.cleat.kernel.WatchedMounts;
import io.cleat.model.BlockedBy;
import io.cleat.model.DesiredStatus;
import io.cleat.model.EphemeralDisk;
import io.cleat.model.JobId;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.NodeFacts;
import io.cleat.model.Resources;
import io.cleat.model.RestartPolicy;
import io.cleat.model.Task;
import io.cleat.model.TaskGroup;
import io.cleat.model.VolumeId;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** The allocations of a node in a directory of its own, whose tasks are processes in real shims. */
final class StartNode {
    static final String ALLOC = "2849ded8-c520-74d0-6e49-2a300b1810ee";
    private static final Duration LIMIT = Duration.ofSeconds(30);

    final List<Throwable> faults = new CopyOnWriteArrayList<>();
    final Allocations allocations;
    final TaskDriver driver;
    private final SystemTime time = new SystemTime();
    private final PathWorkers workers;
    private final WatchedMounts mounts;
    private final Cgroups cgroups;

    /**
     * @param group that tasks' control groups are made below
     * @param points told of each point that is reached
     */
    StartNode(Path directory, Path shim, String group, StartPoint.Listener points) throws Exception {
        Threads threads = Threads.virtual((where, fault) -> faults.add(fault));
        workers = new PathWorkers(shim, threads, time);
        mounts = WatchedMounts.open(time);
        cgroups = Cgroups.linux(group, time);
        Path directories = directory.resolve("alloc");
        Path shims = directory.resolve("shims");
        DurableFiles.makeDirectory(directories);
        DurableFiles.makeDirectory(shims);
        driver = new RawExecDriver(shim, shims, cgroups, Processes.linux(), workers, time);
        SafeRemove clearing = new SafeRemove(workers, "allocations", MountTable::read);
        allocations = new Allocations(
                directory.resolve("allocations"),
                new AllocationParts(
                        directories,
                        gone -> clearing.tree(Place.of(directories, gone), Deadline.in(time, LIMIT)),
                        new NoVolumes(),
                        new TaskParts(
                                        Map.of(driver.name(), driver),
                                        Set.of(),
                                        new NoPlugins(),
                                        new BoundVolumes(
                                                new BoundVolumes.Roots(
                                                        directories,
                                                        directory.resolve("held"),
                                                        directory.resolve("csi")),
                                                workers::of,
                                                mounts,
                                                time),
                                        new WorkerFiles(workers, time),
                                        Artifacts.NONE,
                                        StartNode::facts,
                                        threads,
                                        time,
                                        Chance.system(),
                                        Ids.random())
                                .withStarts(points),
                        new Outbox()));
        allocations.restore();
    }

    private static NodeFacts facts() {
        return new NodeFacts(
                "node-1",
                "n1",
                "dc1",
                "default",
                "",
                "127.0.0.1:4646",
                Map.of("kernel.name", "linux"),
                Map.of(),
                Map.of(),
                List.of(),
                new Resources(4000, 8000, 0),
                1000,
                "boot-1",
                List.of());
    }

    /** Wants the allocation, whose one task runs until it is ended, to be so. */
    void assign(long version, DesiredStatus desired) throws InterruptedException {
        RestartPolicy never =
                new RestartPolicy(0, Duration.ofMinutes(30), Duration.ofSeconds(1), RestartPolicy.Mode.FAIL, false);
        Task task = Task.named("t", driver.name(), never)
                .config(Map.of("command", "/bin/sh", "args", List.of("-c", "while :; do sleep 0.1; done")))
                .resources(new Resources(20, 16, 0))
                .done();
        JobSpec job = new JobSpec(
                new JobId("default", "web"),
                "web",
                JobType.SERVICE,
                "global",
                "default",
                50,
                false,
                List.of("*"),
                Map.of(),
                List.of(),
                List.of(new TaskGroup(
                        "g",
                        1,
                        Map.of(),
                        List.of(),
                        Map.of(),
                        never,
                        null,
                        null,
                        null,
                        new EphemeralDisk(300, false, false),
                        null,
                        List.of(task))));
        allocations.assign(
                version,
                List.of(new ToNode.Assignment(
                        ALLOC, "web.g[0]", 0, "eval", job, 0, "g", desired, Map.of(), false, null)));
    }

    ToServer.AllocReport report() {
        return allocations.report(ALLOC).orElseThrow();
    }

    /** Lets go of what this process has open, and takes the control groups away. */
    void end() throws Trouble, InterruptedException {
        workers.close();
        mounts.close();
        cgroups.group("shims").remove(Deadline.in(time, LIMIT));
        cgroups.removeParent();
    }

    private static final class NoPlugins implements PluginTasks {
        @Override
        public Prepared beforeStart(PluginTask task) {
            throw new AssertionError("no task here is a plugin: " + task);
        }

        @Override
        public HostMount volumes(PluginTask task) {
            throw new AssertionError("no task here is a plugin: " + task);
        }

        @Override
        public void afterStart(PluginTask task, Listener listener) {
            throw new AssertionError("no task here is a plugin: " + task);
        }

        @Override
        public void afterEnd(PluginTask task, RunEnds.Reason reason) {
            throw new AssertionError("no task here is a plugin: " + task);
        }
    }

    private static final class NoVolumes implements NodeVolumes {
        @Override
        public Publication publish(GrantedClaim claim, Progress progress) throws Trouble {
            throw new PluginTrouble("there are no volumes", Effect.NONE, Retry.NEVER);
        }

        @Override
        public Publication remount(GrantedClaim claim, Progress progress) throws Trouble {
            return publish(claim, progress);
        }

        @Override
        public Optional<BlockedBy> broken(String allocId, String alias) {
            return Optional.empty();
        }

        @Override
        public void unpublish(String allocId, String alias, Progress progress) {}

        @Override
        public boolean expand(GrantedClaim claim, Expansion expansion, Progress progress) {
            return false;
        }

        @Override
        public Optional<Publication> published(String allocId, String alias) {
            return Optional.empty();
        }

        @Override
        public Map<String, ToServer.VolumePhase> phases(String allocId) {
            return Map.of();
        }

        @Override
        public List<Path> unrecorded(String allocId, Collection<VolumeId> volumes) {
            return List.of();
        }

        @Override
        public long epoch(String allocId, String alias) {
            return 0;
        }

        @Override
        public List<ToServer.Held> held() {
            return List.of();
        }
    }
}
