package io.cleat.bench;

import io.cleat.agent.alloc.AllocationParts;
import io.cleat.agent.alloc.Allocations;
import io.cleat.agent.artifact.Artifacts;
import io.cleat.agent.plugins.ControllerOrders;
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
import io.cleat.agent.template.WorkerFiles;
import io.cleat.agent.volumes.Journal;
import io.cleat.agent.volumes.JournalPoint;
import io.cleat.agent.volumes.MountedVolumes;
import io.cleat.agent.volumes.NodePlugin;
import io.cleat.agent.volumes.NodePlugins;
import io.cleat.agent.volumes.VolumeParts;
import io.cleat.agent.volumes.VolumeRoot;
import io.cleat.base.Chance;
import io.cleat.base.Deadline;
import io.cleat.base.Ids;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.base.Trouble;
import io.cleat.csi.CallObserver;
import io.cleat.csi.CallPolicy;
import io.cleat.csi.PluginChannel;
import io.cleat.kernel.BlockDevices;
import io.cleat.kernel.BootId;
import io.cleat.kernel.DurableFiles;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.Mounts;
import io.cleat.kernel.PathWorkers;
import io.cleat.kernel.Place;
import io.cleat.kernel.SafeRemove;
import io.cleat.kernel.WatchedMounts;
import io.cleat.testkit.FakeDriver;
import io.cleat.wire.Connector;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * The node as the program puts it together, but for its tasks, which are only said to run, and its plugin, which is
 * always there.
 */
final class BenchNode implements AutoCloseable {
    private static final Duration CLEARING = Duration.ofMinutes(1);

    private final SystemTime time = new SystemTime();
    private final Threads threads;
    private final VolumeRoot root;
    private final Journal journal;
    private final PathWorkers workers;
    private final WatchedMounts mounts;
    private final PluginChannel channel;
    private final PluginRegistry registry;
    private final Allocations allocations;
    private final ServerSession session;

    BenchNode(Path directory, Path socket, Connector servers, Threads threads) throws Trouble {
        this.threads = threads;
        Outbox outbox = new Outbox();
        BootId boot = BootId.read();
        PluginPaths paths = new PluginPaths(directory.resolve("csi"));
        root = VolumeRoot.prepare(paths.root(), Mounts.linux());
        journal = Journal.open(directory.resolve("volumes.journal"), threads, time);
        workers = new PathWorkers(Launcher.shim(), threads, time);
        mounts = WatchedMounts.open(time);
        channel = PluginChannel.open(
                ModelSpecs.PLUGIN, socket, CallPolicy.standard(), time, Chance.system(), CallObserver.NONE);
        Path hostRoot = paths.volumes(ModelSpecs.PLUGIN);
        DurableFiles.makeDirectory(hostRoot);
        NodePlugin plugin = new NodePlugin("plugin", channel.node(), true, false, hostRoot, hostRoot, "node", null);
        MountedVolumes volumes = new MountedVolumes(new VolumeParts(
                root.path(),
                journal,
                new OnePlugin(plugin),
                workers::of,
                mounts,
                BlockDevices.linux(),
                outbox,
                time,
                Chance.system(),
                boot,
                "node",
                VolumeParts.Limits.standard(),
                JournalPoint.Listener.NONE));
        registry = new PluginRegistry(directory.resolve("registry"), new Feed(threads));
        LivePlugins live = new LivePlugins(registry, time, Chance.system());
        Path allocs = directory.resolve("alloc");
        DurableFiles.makeDirectory(allocs);
        SafeRemove clearing = new SafeRemove(workers, "allocations", MountTable::read);
        allocations = new Allocations(
                directory.resolve("allocations"),
                new AllocationParts(
                        allocs,
                        gone -> clearing.tree(Place.of(allocs, gone), Deadline.in(time, CLEARING)),
                        volumes,
                        new TaskParts(
                                Map.of(ModelSpecs.DRIVER, new FakeDriver(ModelSpecs.DRIVER, time)),
                                Set.of(),
                                new PluginSupervisor(
                                        paths,
                                        Mounts.linux(),
                                        workers::of,
                                        volumes::pluginRoots,
                                        live,
                                        outbox,
                                        threads,
                                        time,
                                        Chance.system()),
                                new BoundVolumes(
                                        new BoundVolumes.Roots(allocs, directory.resolve("held"), paths.root()),
                                        workers::of,
                                        mounts,
                                        time),
                                new WorkerFiles(workers, time),
                                Artifacts.NONE,
                                () -> ModelSpecs.node("node"),
                                threads,
                                time,
                                Chance.system(),
                                Ids.random()),
                        outbox));
        session = new ServerSession(
                servers,
                "secret",
                LastObeyed.at(directory.resolve("obeyed")),
                () -> ModelSpecs.node("node"),
                allocations,
                new ControllerOrders(live, outbox, threads, time),
                outbox,
                NodeVariables.none(),
                NodeServices.none(),
                threads,
                time,
                Chance.system());
    }

    void connect() {
        threads.vitalWork("session", session::run);
    }

    /** The allocations of which something is left. */
    Collection<String> allocations() {
        return allocations.known();
    }

    @Override
    public void close() throws Trouble {
        channel.close();
        registry.close();
        workers.close();
        mounts.close();
        journal.close();
        root.release();
    }

    /** A plugin that is always there. */
    private record OnePlugin(NodePlugin plugin) implements NodePlugins {
        @Override
        public Optional<NodePlugin> current(String pluginId) {
            return Optional.of(plugin);
        }

        @Override
        public String absence(String pluginId) {
            return "which is always there";
        }

        @Override
        public void awaitChange(String pluginId, Optional<NodePlugin> seen, BooleanSupplier isEnough, Deadline deadline)
                throws InterruptedException {
            new SystemTime().sleep(deadline.left());
        }

        @Override
        public void stir() {}
    }
}
