package io.cleat.launch;

import io.cleat.agent.alloc.Allocations;
import io.cleat.agent.host.HostVolumes;
import io.cleat.agent.plugins.CurrentNodePlugins;
import io.cleat.agent.plugins.Feed;
import io.cleat.agent.plugins.LivePlugins;
import io.cleat.agent.plugins.PluginPaths;
import io.cleat.agent.plugins.PluginRegistry;
import io.cleat.agent.plugins.PluginSupervisor;
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
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Trouble;
import io.cleat.kernel.BlockDevices;
import io.cleat.kernel.Mount;
import io.cleat.kernel.Mounts;
import io.cleat.kernel.PathStat;
import io.cleat.kernel.Place;
import io.cleat.model.HostVolume;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node's storage, put together: its storage plugins, the volumes that they mount with their journal, and the host
 * volumes.
 *
 * @param root below which all volumes are mounted
 * @param parts what volumes work with
 */
record NodeStorage(
        PluginPaths paths,
        PluginRegistry registry,
        LivePlugins plugins,
        VolumeRoot root,
        Journal journal,
        VolumeParts parts,
        MountedVolumes volumes,
        Sweeper sweeper,
        HostVolumes hosts) {
    private static final Logger LOG = LoggerFactory.getLogger(NodeStorage.class);
    private static final Duration LOOKING = Duration.ofSeconds(10);

    /**
     * Puts it together; what is mounted stays as it is.
     *
     * @param mounting how long a volume that may or may not be mounted is tried
     */
    static NodeStorage over(NodeParts node, Arrangement.Names names, Duration mounting)
            throws Trouble, InterruptedException {
        Ports ports = node.ports();
        PluginPaths paths = new PluginPaths(node.client().resolve("csi"));
        VolumeRoot root = VolumeRoot.prepare(paths.root(), Mounts.linux());
        PluginRegistry registry =
                new PluginRegistry(node.client().resolve("plugins.registry"), new Feed(ports.threads()));
        LivePlugins plugins = new LivePlugins(registry, ports.time(), ports.chance());
        Journal journal = Journal.open(node.journalFile(), witnesses(node, root), ports.threads(), ports.time());
        journal.torn().ifPresent(LOG::warn);
        journal.requireBelow(root.path());
        VolumeParts parts = new VolumeParts(
                root.path(),
                journal,
                new CurrentNodePlugins(plugins, ports.threads(), ports.time()),
                node.workers()::of,
                node.mounts(),
                BlockDevices.linux(),
                node.outbox(),
                ports.time(),
                ports.chance(),
                node.boot(),
                node.identity().id(),
                VolumeParts.Limits.standard().mountingWithin(mounting),
                JournalPoint.Listener.NONE);
        MountedVolumes volumes = new MountedVolumes(parts);
        return new NodeStorage(
                paths,
                registry,
                plugins,
                root,
                journal,
                parts,
                volumes,
                new Sweeper(parts, volumes),
                hosts(node, names));
    }

    private static HostVolumes hosts(NodeParts node, Arrangement.Names names) throws Trouble, InterruptedException {
        return HostVolumes.at(
                directories(names.hostVolumes(), node),
                node.data().root(),
                node.client().resolve("host-volumes"),
                node.data().directory("host_volumes"),
                names.hostPlugins()
                        .map(programs -> new HostVolumes.External(
                                programs, node.identity().id(), node.shim())),
                node.workers(),
                node.ports().threads(),
                node.ports().time(),
                node.outbox()::factsChanged);
    }

    /** What is not there on a node that has never used a volume, and so has no journal of them. */
    private static List<String> witnesses(NodeParts node, VolumeRoot root) throws Trouble {
        List<String> witnesses = new ArrayList<>();
        Allocations.files(node.allocationFiles()).forEach(file -> witnesses.add(file.toString()));
        for (Mount mount : node.mounts().whole().atOrBelow(root.path())) {
            if (!mount.target().equals(root.path().toString())) {
                witnesses.add("a mount at " + mount.target());
            }
        }
        return witnesses;
    }

    /**
     * The host volumes whose directories are there. One that cannot be looked at in time is left out: what hangs keeps
     * no agent from starting.
     */
    private static Map<String, HostVolume> directories(Map<String, HostVolume> named, NodeParts node)
            throws Trouble, InterruptedException {
        Map<String, HostVolume> there = new TreeMap<>(named);
        for (var volume : named.entrySet()) {
            Path path = Path.of(volume.getValue().path());
            Optional<PathStat> found;
            try {
                found = node.workers()
                        .of("host-volumes/" + volume.getKey())
                        .stat(
                                Place.of(path.getRoot(), path),
                                Deadline.in(node.ports().time(), LOOKING));
            } catch (KernelTrouble unseen) {
                LOG.warn("host volume {} is left out: {}", volume.getKey(), unseen.reason());
                there.remove(volume.getKey());
                continue;
            }
            if (found.filter(PathStat::isDirectory).isEmpty()) {
                throw new DiskTrouble(
                        "host volume \""
                                + volume.getKey()
                                + "\": "
                                + path
                                + (found.isEmpty() ? " is not there" : " is no directory")
                                + "; make it, or leave the volume out",
                        Effect.NONE,
                        Retry.NEVER);
            }
        }
        return there;
    }

    /** What supervises the plugins whose tasks run here. */
    PluginSupervisor supervisor(NodeParts node) {
        return new PluginSupervisor(
                paths,
                Mounts.linux(),
                node.workers()::of,
                volumes::pluginRoots,
                plugins,
                node.outbox(),
                node.ports().threads(),
                node.ports().time(),
                node.ports().chance());
    }

    /** Watches what is mounted, and undoes what is nobody's, now that it is known which allocations are here. */
    void start(Ports ports, Allocations allocations) {
        sweeper.start(ports.threads(), allocations::strays);
        new MountWatch(parts, volumes).start(ports.threads(), allocations);
        new SlowCalls(parts).start(ports.threads());
        hosts.start(ports.threads());
    }
}
