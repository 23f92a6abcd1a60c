package io.cleat.sim;

import io.cleat.agent.Machine;
import io.cleat.agent.NetworkSettings;
import io.cleat.agent.NodeIdentity;
import io.cleat.agent.NodeView;
import io.cleat.agent.alloc.AllocationParts;
import io.cleat.agent.alloc.Allocations;
import io.cleat.agent.artifact.Artifacts;
import io.cleat.agent.plugins.ControllerOrders;
import io.cleat.agent.plugins.CurrentNodePlugins;
import io.cleat.agent.plugins.Feed;
import io.cleat.agent.plugins.LivePlugins;
import io.cleat.agent.plugins.PluginPaths;
import io.cleat.agent.plugins.PluginRegistry;
import io.cleat.agent.plugins.PluginSupervisor;
import io.cleat.agent.report.LastObeyed;
import io.cleat.agent.report.Outbox;
import io.cleat.agent.report.ServerSession;
import io.cleat.agent.task.BoundVolumes;
import io.cleat.agent.task.TaskParts;
import io.cleat.agent.template.NodeServices;
import io.cleat.agent.template.NodeVariables;
import io.cleat.agent.volumes.Journal;
import io.cleat.agent.volumes.JournalPoint;
import io.cleat.agent.volumes.MountWatch;
import io.cleat.agent.volumes.MountedVolumes;
import io.cleat.agent.volumes.SlowCalls;
import io.cleat.agent.volumes.Sweeper;
import io.cleat.agent.volumes.VolumeParts;
import io.cleat.agent.volumes.VolumeRoot;
import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.FaultHandler;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Threads;
import io.cleat.base.Trouble;
import io.cleat.csi.CallObserver;
import io.cleat.csi.CallPolicy;
import io.cleat.csi.PluginChannel;
import io.cleat.csi.RunEnds;
import io.cleat.driver.TaskDriver;
import io.cleat.kernel.BootId;
import io.cleat.model.HostVolume;
import io.cleat.model.KillTimeout;
import io.cleat.model.MachinePrint;
import io.cleat.model.Resources;
import io.cleat.wire.Connector;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One life of a node's agent, put together as the program puts it together, over a machine. */
final class SimAgent {
    final SimProcess process;
    private final SimMachine machine;
    private final MachinePrint marks;
    private final Scheduler scheduler;
    private final Chaos chaos;
    private final Mishaps mishaps;
    private @Nullable Journal journal;
    private @Nullable MountedVolumes volumes;

    /** What the world does with its machine. */
    interface Mishaps {
        /** The agent ended by itself, since it does not know which node it is. */
        void refused();

        /**
         * Power fails now.
         *
         * @param tear run once nothing runs any more: what the disk does with the last write
         */
        void powerFails(Runnable tear);
    }

    /** @param marks of the machine, as it says them */
    SimAgent(SimMachine machine, MachinePrint marks, Scheduler scheduler, Chaos chaos, Mishaps mishaps) {
        this.marks = marks;
        this.mishaps = mishaps;
        this.process = machine.process("agent");
        this.machine = machine;
        this.scheduler = scheduler;
        this.chaos = chaos;
    }

    void start(Connector servers) {
        process.start("main", () -> {
            boolean isLost = machine.isIdentityLost();
            try {
                open(servers);
            } catch (Trouble trouble) {
                if (isLost) {
                    mishaps.refused();
                    return;
                }
                throw new IllegalStateException("the agent does not start", trouble);
            }
            if (isLost) {
                throw new IllegalStateException("it started as another node");
            }
        });
    }

    /** As by SIGKILL. */
    void kill() {
        process.kill();
        Journal open = journal;
        if (open != null) {
            try {
                open.close();
            } catch (DiskTrouble trouble) {
                throw new IllegalStateException(trouble);
            }
        }
    }

    /** Whether the journal knows anything of that plugin's volumes. */
    boolean owes(String pluginId) {
        MountedVolumes open = volumes;
        return open == null || !open.pluginRoots(pluginId).isEmpty();
    }

    private void open(Connector servers) throws Trouble, InterruptedException {
        Path client = machine.directory.resolve("client");
        SimMachine.makeDirectories(client);
        Path journalFile = client.resolve("volumes.journal");
        Path allocationFiles = client.resolve("allocations");
        NodeIdentity identity = NodeIdentity.at(client.resolve("node"), List.of(journalFile, allocationFiles), chaos);
        BootId boot = new BootId(machine.bootId());
        TaskDriver driver = new SimDriver(machine, process, chaos);
        Map<String, TaskDriver> drivers = Map.of(driver.name(), driver);
        SimPaths paths = new SimPaths(machine.mounts, process, chaos);

        PluginPaths pluginPaths = new PluginPaths(client.resolve("csi"));
        VolumeRoot volumeRoot = VolumeRoot.prepare(pluginPaths.root(), machine.mounts);
        PluginRegistry registry = new PluginRegistry(client.resolve("plugins.registry"), new Feed(process));
        LivePlugins plugins = new LivePlugins(registry, process, this::channel);
        Outbox outbox = new Outbox();
        journal = Journal.open(journalFile, new Writing(journalFile), process);
        machine.told(journal.torn());
        VolumeParts parts = new VolumeParts(
                volumeRoot.path(),
                journal,
                new CurrentNodePlugins(plugins, process, process),
                plugin -> paths,
                machine.mounts::table,
                machine.mounts::device,
                outbox,
                process,
                chaos,
                boot,
                identity.id(),
                VolumeParts.Limits.standard(),
                JournalPoint.Listener.NONE);
        MountedVolumes mounted = new MountedVolumes(parts);
        volumes = mounted;
        Sweeper sweeper = new Sweeper(parts, mounted);
        NodeView view = new NodeView(
                identity.id(),
                new NodeView.Settings(
                        machine.hostName,
                        "dc1",
                        "default",
                        "",
                        "",
                        Map.of(),
                        KillTimeout.USUAL,
                        HostVolume.NONE,
                        NetworkSettings.USUAL),
                Map::of,
                new Machine(Map.of("kernel.name", "linux"), new Resources(10_000, 10_000, 0), 100_000).withPrint(marks),
                boot.value(),
                drivers,
                plugins::facts,
                sweeper::unclear);
        Path directories = machine.directory.resolve("alloc");
        SimMachine.makeDirectories(directories);
        Allocations allocations = new Allocations(
                allocationFiles,
                new AllocationParts(
                        directories,
                        this::clear,
                        mounted,
                        new TaskParts(
                                drivers,
                                Set.of(),
                                new PluginSupervisor(
                                        pluginPaths,
                                        machine.mounts,
                                        key -> paths,
                                        mounted::pluginRoots,
                                        plugins,
                                        outbox,
                                        process,
                                        process,
                                        chaos),
                                new BoundVolumes(
                                        new BoundVolumes.Roots(
                                                directories, directories.resolveSibling("held"), pluginPaths.root()),
                                        key -> paths,
                                        machine.mounts::table,
                                        process),
                                new NoFiles(),
                                Artifacts.NONE,
                                view,
                                process,
                                process,
                                chaos,
                                chaos),
                        outbox));
        ServerSession session = new ServerSession(
                servers,
                identity.secret().reveal(),
                LastObeyed.at(client.resolve("obeyed")),
                view,
                allocations,
                new ControllerOrders(plugins, outbox, process, process),
                outbox,
                NodeVariables.none(),
                NodeServices.none(),
                process,
                process,
                chaos);
        allocations.restore();
        sweeper.start(process, allocations::strays);
        new MountWatch(parts, mounted).start(process, allocations);
        new SlowCalls(parts).start(process);
        process.vital("session", () -> {
            plugins.awaitAsked(Deadline.in(process, Duration.ofSeconds(2)));
            session.run();
        });
    }

    /** Writes to the journal; seldom power fails before anybody has acted on it, and the disk has any part of it. */
    private final class Writing implements Threads {
        private final Path file;

        Writing(Path file) {
            this.file = file;
        }

        @Override
        public Thread start(Kind kind, String role, Body body) {
            return process.start(kind, role, () -> {
                Written before = Written.of(file);
                body.run();
                Written after = Written.of(file);
                if (after.extend(before) && chaos.strikes(4)) {
                    long kept = before.size() + chaos.below(after.size() - before.size() + 1);
                    mishaps.powerFails(() -> Written.tear(file, kept));
                }
            });
        }

        @Override
        public FaultHandler faults() {
            return process.faults();
        }
    }

    private PluginChannel channel(String plugin, Path socket, RunEnds ends) {
        return PluginChannel.over(
                new SimTransport(machine, socket, scheduler, process),
                plugin,
                CallPolicy.standard(),
                process,
                chaos,
                CallObserver.NONE,
                ends);
    }

    /** Removes an allocation's directory, never across a mount. */
    private void clear(Path directory) throws Trouble {
        if (!machine.mounts.table().atOrBelow(directory).isEmpty()) {
            throw new KernelTrouble(
                    directory + " is kept: something is mounted there", Effect.NONE, Retry.AFTER_OBSERVING);
        }
        try {
            machine.clear(directory);
        } catch (IOException failed) {
            throw new DiskTrouble("clearing " + directory + ": " + failed, Effect.UNKNOWN, Retry.SAME_CALL, failed);
        }
    }
}
