package io.cleat.processtests;

import io.cleat.agent.report.News;
import io.cleat.agent.volumes.GrantedClaim;
import io.cleat.agent.volumes.Journal;
import io.cleat.agent.volumes.JournalPoint;
import io.cleat.agent.volumes.MountedVolumes;
import io.cleat.agent.volumes.NodePlugin;
import io.cleat.agent.volumes.NodePlugins;
import io.cleat.agent.volumes.Sweeper;
import io.cleat.agent.volumes.VolumeParts;
import io.cleat.agent.volumes.VolumeRoot;
import io.cleat.base.BackOff;
import io.cleat.base.Chance;
import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Secrets;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.csi.CallObserver;
import io.cleat.csi.CallPolicy;
import io.cleat.csi.PluginChannel;
import io.cleat.kernel.BlockDevices;
import io.cleat.kernel.BootId;
import io.cleat.kernel.Mounts;
import io.cleat.kernel.PathWorkers;
import io.cleat.kernel.WatchedMounts;
import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.MountOptions;
import io.cleat.model.NodeEvent;
import io.cleat.model.VolumeEvent;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import io.cleat.wire.ToServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/** The volumes of a node in a directory of its own, over a plugin that somebody else runs. */
final class VolumeNode implements AutoCloseable {
    private static final String PLUGIN = "fake";
    final List<Throwable> faults = new CopyOnWriteArrayList<>();
    final MountedVolumes volumes;
    final Sweeper sweeper;
    final Path hostRoot;
    private final Journal journal;
    private final PluginChannel channel;
    private final PathWorkers workers;
    private final WatchedMounts mounts;
    private final VolumeModes modes;

    /**
     * @param mode how the volumes are used
     * @param points told of each point that is reached
     */
    VolumeNode(Path directory, Path shim, AccessMode mode, JournalPoint.Listener points) throws Exception {
        modes = new VolumeModes(mode, AttachmentMode.FILE_SYSTEM);
        Threads threads = Threads.virtual((where, fault) -> faults.add(fault));
        SystemTime time = new SystemTime();
        VolumeRoot root = VolumeRoot.prepare(directory.resolve("csi"), Mounts.linux());
        hostRoot = root.path().resolve(PLUGIN);
        journal = Journal.open(directory.resolve("volumes.journal"), threads, time);
        workers = new PathWorkers(shim, threads, time);
        mounts = WatchedMounts.open(time);
        channel = PluginChannel.open(
                PLUGIN,
                directory.resolve("s"),
                CallPolicy.standard().withTries(1),
                time,
                Chance.system(),
                CallObserver.NONE);
        VolumeParts parts = new VolumeParts(
                root.path(),
                journal,
                new OnePlugin(
                        new NodePlugin("plugin-1", channel.node(), true, false, hostRoot, hostRoot, "node-x", null)),
                workers::of,
                mounts,
                BlockDevices.linux(),
                new NoNews(),
                time,
                Chance.system(),
                BootId.read(),
                "node-1",
                new VolumeParts.Limits(
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(30),
                        new BackOff(Duration.ofMillis(10), Duration.ofMillis(100)),
                        VolumeParts.Limits.MOUNTING),
                points);
        volumes = new MountedVolumes(parts);
        sweeper = new Sweeper(parts, volumes);
    }

    Path publish(String alloc, String externalId) throws Exception {
        GrantedClaim claim = new GrantedClaim(
                alloc,
                "data",
                new VolumeId("default", externalId),
                PLUGIN,
                externalId,
                false,
                modes,
                MountOptions.NONE,
                Map.of(),
                1,
                Secrets.none(),
                Secrets.none());
        return volumes.publish(claim, (phase, waitingFor) -> {}).path();
    }

    void unpublish(String alloc) throws InterruptedException {
        volumes.unpublish(alloc, "data", (phase, waitingFor) -> {});
    }

    boolean knowsAnything() {
        return !volumes.pluginRoots(PLUGIN).isEmpty();
    }

    @Override
    public void close() throws DiskTrouble {
        workers.close();
        mounts.close();
        channel.close();
        journal.close();
    }

    /** A plugin that is always there, as far as anybody knows. */
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

    /** Nobody listens. */
    private static final class NoNews implements News {
        @Override
        public void allocationChanged(String allocId) {}

        @Override
        public void factsChanged() {}

        @Override
        public void nodeEvent(NodeEvent event) {}

        @Override
        public void volumeEvent(VolumeId volume, VolumeEvent event) {}

        @Override
        public void orderDone(ToServer.OrderDone done) {}
    }
}
