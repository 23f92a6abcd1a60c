package io.cleat.launch;

import io.cleat.agent.Machine;
import io.cleat.agent.MachineMarks;
import io.cleat.agent.NodeIdentity;
import io.cleat.agent.NodeMeta;
import io.cleat.agent.NodeNetworks;
import io.cleat.agent.NodeView;
import io.cleat.agent.alloc.AllocationParts;
import io.cleat.agent.alloc.Allocations;
import io.cleat.agent.alloc.EndedFiles;
import io.cleat.agent.alloc.KeptFiles;
import io.cleat.agent.alloc.MeasuringLane;
import io.cleat.agent.alloc.OwnUsers;
import io.cleat.agent.artifact.ConfinedArtifacts;
import io.cleat.agent.host.HostVolumes;
import io.cleat.agent.host.VolumesOfNode;
import io.cleat.agent.network.AllocationNetworks;
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
import io.cleat.agent.template.WorkerFiles;
import io.cleat.agent.volumes.Journal;
import io.cleat.agent.volumes.JournalPoint;
import io.cleat.agent.volumes.MountWatch;
import io.cleat.agent.volumes.MountedVolumes;
import io.cleat.agent.volumes.SlowCalls;
import io.cleat.agent.volumes.Sweeper;
import io.cleat.agent.volumes.VolumeParts;
import io.cleat.agent.volumes.VolumeRoot;
import io.cleat.agent.volumes.VolumeUsage;
import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.InWork;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Threads;
import io.cleat.base.Trouble;
import io.cleat.base.Watched;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.docker.DockerDriver;
import io.cleat.driver.docker.DockerSettings;
import io.cleat.driver.exec.ExecDriver;
import io.cleat.driver.exec.ExecSettings;
import io.cleat.driver.rawexec.RawExecDriver;
import io.cleat.driverplugin.DriverPlugins;
import io.cleat.driverplugin.PluginParts;
import io.cleat.driverplugin.PluginSettings;
import io.cleat.image.ImageStore;
import io.cleat.image.StoreSettings;
import io.cleat.kernel.BlockDevices;
import io.cleat.kernel.BootId;
import io.cleat.kernel.Cgroups;
import io.cleat.kernel.FileSystems;
import io.cleat.kernel.Mount;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.Mounts;
import io.cleat.kernel.PathStat;
import io.cleat.kernel.PathWorkers;
import io.cleat.kernel.Place;
import io.cleat.kernel.Processes;
import io.cleat.kernel.SafeRemove;
import io.cleat.kernel.TreeMeasure;
import io.cleat.kernel.WatchedMounts;
import io.cleat.model.HostVolume;
import io.cleat.nodeapi.LocalNode;
import io.cleat.wire.Connector;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The node's parts, put together. What each is for, its own documentation says. */
final class NodeSide implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeSide.class);
    private static final Duration CLEARING = Duration.ofMinutes(5);
    private static final Duration LOOKING = Duration.ofSeconds(10);
    private static final Duration ENDING = Duration.ofSeconds(10);

    /** How long plugins that an earlier agent left hold up the first word to a server. */
    private static final Duration ASKING = Duration.ofSeconds(2);

    private final NodeIdentity identity;
    private final NodeMeta meta;
    private final NodeView view;
    private final Map<String, TaskDriver> drivers;
    private final DockerDriver docker;
    private final DriverPlugins plugged;
    private final Allocations allocations;
    private final PluginRegistry registry;
    private final LivePlugins plugins;
    private final PathWorkers workers;
    private final WatchedMounts mounts;
    private final VolumeUsage usage;
    private final VolumeRoot volumeRoot;
    private final Journal journal;
    private final Cgroups cgroups;
    private final ServerSession session;
    private final Ports ports;
    private @Nullable Thread talking;

    private NodeSide(
            NodeIdentity identity,
            NodeMeta meta,
            NodeView view,
            Map<String, TaskDriver> drivers,
            DockerDriver docker,
            DriverPlugins plugged,
            Allocations allocations,
            PluginRegistry registry,
            LivePlugins plugins,
            PathWorkers workers,
            WatchedMounts mounts,
            VolumeUsage usage,
            VolumeRoot volumeRoot,
            Journal journal,
            Cgroups cgroups,
            ServerSession session,
            Ports ports) {
        this.identity = identity;
        this.meta = meta;
        this.view = view;
        this.drivers = drivers;
        this.docker = docker;
        this.plugged = plugged;
        this.allocations = allocations;
        this.registry = registry;
        this.plugins = plugins;
        this.workers = workers;
        this.mounts = mounts;
        this.usage = usage;
        this.volumeRoot = volumeRoot;
        this.journal = journal;
        this.cgroups = cgroups;
        this.session = session;
        this.ports = ports;
    }

    /**
     * Puts the node together and takes over what runs on it; {@link #connect} then talks to a server.
     *
     * @param shim the native program
     * @param hostPlugins the directory of programs that make host volumes; empty for none
     * @param withoutLogs the drivers whose tasks' output is not kept
     * @param driverPlugins programs that hold task drivers
     * @param artifactSettings what tasks may have fetched
     * @param mounting how long a volume that may or may not be mounted is tried
     * @param kept of the files of what has ended
     * @param inWork where it is noted which allocation is taken over
     */
    static NodeSide over(
            DataDirectory data,
            Path shim,
            NodeView.Settings settings,
            Optional<Path> hostPlugins,
            Set<String> withoutLogs,
            ExecSettings execSettings,
            StoreSettings imageSettings,
            DockerSettings dockerSettings,
            List<PluginSettings> driverPlugins,
            ConfinedArtifacts.Settings artifactSettings,
            Duration mounting,
            KeptFiles kept,
            Connector servers,
            InWork inWork,
            Ports ports)
            throws Trouble, InterruptedException {
        Path client = data.directory("client");
        Path journalFile = client.resolve("volumes.journal");
        Path allocationFiles = client.resolve("allocations");
        NodeIdentity identity =
                NodeIdentity.at(client.resolve("node"), List.of(journalFile, allocationFiles), ports.ids());
        BootId boot = BootId.read();
        Processes processes = Processes.linux();
        String parent = "cleat-" + identity.id().substring(0, 8);
        Cgroups cgroups = Cgroups.linux(parent, ports.time());
        PathWorkers workers = new PathWorkers(shim, ports.threads(), ports.time());
        WatchedMounts mounts = WatchedMounts.open(ports.time());
        TaskDriver rawExec =
                new RawExecDriver(shim, data.directory("client/shims"), cgroups, processes, workers, ports.time());
        Outbox outbox = new Outbox();
        ImageStore images = new ImageStore(
                data.directory("client/images"),
                imageSettings,
                shim,
                workers,
                ports.threads(),
                ports.time(),
                ports.ids());
        ExecDriver exec = new ExecDriver(
                execSettings,
                new ExecDriver.Parts(
                        shim,
                        data.directory("client/exec"),
                        ExecDriver.pathOfThisProcess(),
                        cgroups,
                        processes,
                        Mounts.linux(),
                        workers,
                        ports.threads(),
                        ports.time(),
                        Optional.of(images),
                        outbox::factsChanged));
        images.start(exec::layersInUse);
        DockerDriver docker = new DockerDriver(
                dockerSettings,
                new DockerDriver.Parts(
                        identity.id(),
                        data.directory("client/docker"),
                        shim,
                        workers,
                        Mounts.linux(),
                        processes,
                        ports.threads(),
                        Threads.platform(ports.threads().faults()),
                        ports.time(),
                        ports.chance(),
                        outbox::factsChanged));
        Map<String, TaskDriver> drivers = new TreeMap<>();
        List.of(rawExec, exec, docker).forEach(driver -> drivers.put(driver.name(), driver));
        Machine machine = machine(data.root()).withPrint(MachineMarks.read(data.root(), identity.id()));
        DriverPlugins plugged = DriverPlugins.at(
                data.directory("client/drivers"),
                driverPlugins,
                Set.copyOf(drivers.keySet()),
                new PluginParts(
                        shim,
                        cgroups,
                        processes,
                        machine.total().cpuMhz() / Runtime.getRuntime().availableProcessors(),
                        ports.threads(),
                        ports.time(),
                        ports.chance(),
                        ports.ids(),
                        outbox::factsChanged));
        plugged.drivers().forEach(driver -> drivers.put(driver.name(), driver));

        PluginPaths pluginPaths = new PluginPaths(client.resolve("csi"));
        VolumeRoot volumeRoot = VolumeRoot.prepare(pluginPaths.root(), Mounts.linux());
        PluginRegistry registry = new PluginRegistry(client.resolve("plugins.registry"), new Feed(ports.threads()));
        LivePlugins plugins = new LivePlugins(registry, ports.time(), ports.chance());
        Journal journal = Journal.open(
                journalFile, witnesses(allocationFiles, volumeRoot, mounts), ports.threads(), ports.time());
        journal.torn().ifPresent(LOG::warn);
        journal.requireBelow(volumeRoot.path());
        VolumeParts volumeParts = new VolumeParts(
                volumeRoot.path(),
                journal,
                new CurrentNodePlugins(plugins, ports.threads(), ports.time()),
                workers::of,
                mounts,
                BlockDevices.linux(),
                outbox,
                ports.time(),
                ports.chance(),
                boot,
                identity.id(),
                VolumeParts.Limits.standard().mountingWithin(mounting),
                JournalPoint.Listener.NONE);
        MountedVolumes volumes = new MountedVolumes(volumeParts);
        Sweeper sweeper = new Sweeper(volumeParts, volumes);
        HostVolumes hosts = HostVolumes.at(
                directories(settings.hostVolumes(), workers, ports),
                data.root(),
                client.resolve("host-volumes"),
                data.directory("host_volumes"),
                hostPlugins.map(programs -> new HostVolumes.External(programs, identity.id(), shim)),
                workers,
                ports.threads(),
                ports.time(),
                outbox::factsChanged);
        VolumesOfNode all = new VolumesOfNode(volumes, hosts);
        NodeMeta meta = NodeMeta.at(client.resolve("meta"), settings.meta(), outbox::factsChanged);
        AllocationNetworks networks = AllocationNetworks.at(
                client.resolve("networks"),
                settings.networks().cni(),
                shim,
                ports.threads(),
                boot,
                name -> Optional.ofNullable(drivers.get(name)).flatMap(TaskDriver::networkMaker));
        networks.collect(ports.threads());
        NodeView view = new NodeView(
                identity.id(),
                settings,
                meta,
                cgroups.layout() == Cgroups.Layout.NONE ? machine : machine.withCgroups(parent),
                boot.value(),
                drivers,
                plugins::facts,
                sweeper::unclear,
                hosts,
                hosts::attributes,
                NodeNetworks.look(settings.networks(), machine, networks.modes()));

        Path directories = data.passage("alloc");
        ConfinedArtifacts artifacts = new ConfinedArtifacts(
                data.directory("client/artifacts"),
                artifactSettings,
                shim,
                workers,
                ports.threads(),
                ports.time(),
                ports.ids());
        artifacts.clear();
        SafeRemove clearing = new SafeRemove(workers, "allocations", MountTable::read);
        EndedFiles ended = new EndedFiles(kept, () -> FileSystems.linux().usage(directories));
        NodeVariables variables = new NodeVariables(outbox::say);
        NodeServices services = new NodeServices(outbox::say);
        Allocations allocations = new Allocations(
                allocationFiles,
                new AllocationParts(
                        directories,
                        directory ->
                                clearing.tree(Place.of(directories, directory), Deadline.in(ports.time(), CLEARING)),
                        Optional.of(
                                new MeasuringLane(new TreeMeasure(workers, "measuring"), directories, ports.time())),
                        all,
                        new TaskParts(
                                        drivers,
                                        withoutLogs,
                                        new PluginSupervisor(
                                                pluginPaths,
                                                Mounts.linux(),
                                                workers::of,
                                                volumes::pluginRoots,
                                                plugins,
                                                outbox,
                                                ports.threads(),
                                                ports.time(),
                                                ports.chance()),
                                        new BoundVolumes(
                                                new BoundVolumes.Roots(
                                                        directories, data.directory("client/held"), volumeRoot.path()),
                                                workers::of,
                                                mounts,
                                                ports.time()),
                                        new WorkerFiles(workers, ports.time()),
                                        artifacts,
                                        view,
                                        ports.threads(),
                                        ports.time(),
                                        ports.chance(),
                                        ports.ids())
                                .stoppingWithin(settings.longestKillTimeout())
                                .reading(variables, services),
                        outbox,
                        inWork,
                        OwnUsers.of(execSettings.users(), OwnUsers.ofThisMachine(processes), identity.id()),
                        ended,
                        Optional.of(networks)));
        ServerSession session = new ServerSession(
                servers,
                identity.secret().reveal(),
                LastObeyed.at(client.resolve("obeyed")),
                view,
                allocations,
                new ControllerOrders(plugins, Optional.of(hosts), outbox, ports.threads(), ports.time()),
                outbox,
                variables,
                services,
                ports.threads(),
                ports.time(),
                ports.chance());
        allocations.restore();
        // Only now is it known which tasks are somebody's.
        docker.tidy(allocations::isHere);
        sweeper.start(ports.threads(), allocations::strays);
        new MountWatch(volumeParts, volumes).start(ports.threads(), allocations);
        new SlowCalls(volumeParts).start(ports.threads());
        ended.start(ports.threads(), ports.time());
        hosts.start(ports.threads());
        return new NodeSide(
                identity,
                meta,
                view,
                drivers,
                docker,
                plugged,
                allocations,
                registry,
                plugins,
                workers,
                mounts,
                new VolumeUsage(volumeParts),
                volumeRoot,
                journal,
                cgroups,
                session,
                ports);
    }

    /** What is not there on a node that has never used a volume, and so has no journal of them. */
    private static List<String> witnesses(Path allocationFiles, VolumeRoot volumeRoot, MountTable.Source mounts)
            throws DiskTrouble, KernelTrouble {
        List<String> witnesses = new ArrayList<>();
        Allocations.files(allocationFiles).forEach(file -> witnesses.add(file.toString()));
        for (Mount mount : mounts.whole().atOrBelow(volumeRoot.path())) {
            if (!mount.target().equals(volumeRoot.path().toString())) {
                witnesses.add("a mount at " + mount.target());
            }
        }
        return witnesses;
    }

    /**
     * The host volumes whose directories are there. One that cannot be looked at in time is left out: what hangs keeps
     * no agent from starting.
     */
    private static Map<String, HostVolume> directories(Map<String, HostVolume> named, PathWorkers workers, Ports ports)
            throws Trouble, InterruptedException {
        Map<String, HostVolume> there = new TreeMap<>(named);
        for (var volume : named.entrySet()) {
            Path path = Path.of(volume.getValue().path());
            Optional<PathStat> found;
            try {
                found = workers.of("host-volumes/" + volume.getKey())
                        .stat(Place.of(path.getRoot(), path), Deadline.in(ports.time(), LOOKING));
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

    private static Machine machine(Path data) throws DiskTrouble {
        try {
            return Machine.look(data);
        } catch (IOException e) {
            throw new DiskTrouble("looking at the machine: " + e, Effect.NONE, Retry.SAME_CALL, e);
        }
    }

    /** What must go on in it. */
    List<Watched> watched() {
        return List.of(journal::head);
    }

    /** Talks to a server from now on. */
    void connect() {
        talking = ports.threads().vital("session", () -> {
            plugins.awaitAsked(Deadline.in(ports.time(), ASKING));
            session.run();
        });
    }

    /** Talks to no server any more. */
    void disconnect() throws InterruptedException {
        if (talking != null) {
            talking.interrupt();
            talking.join();
        }
    }

    /** Whether a server hears this node. */
    boolean isLinked() {
        return session.isLinked();
    }

    String id() {
        return identity.id();
    }

    /** How fast a processor is. */
    double mhzPerCore() {
        return (double) view.get().total().cpuMhz()
                / Math.max(1, Runtime.getRuntime().availableProcessors());
    }

    Map<String, TaskDriver> drivers() {
        return drivers;
    }

    Allocations allocations() {
        return allocations;
    }

    /** What can be seen of what runs on it. */
    LocalNode local() {
        return LocalNode.of(meta, allocations, workers, usage);
    }

    /** Takes away what the node itself has mounted and made, once nothing runs on it any more. */
    void release() throws Trouble, InterruptedException {
        // A driver may still be trying out what it needs: a moment, unless a runtime hangs.
        drivers.values().forEach(TaskDriver::fingerprint);
        docker.release();
        plugged.end();
        volumeRoot.release();
        for (String group : List.of("shims", "drivers")) {
            cgroups.group(group).remove(Deadline.in(ports.time(), ENDING));
        }
        cgroups.removeParent();
    }

    /** Lets go of what this process has open; tasks and mounts stay as they are. */
    @Override
    public void close() throws DiskTrouble {
        docker.close();
        plugged.close();
        registry.close();
        workers.close();
        mounts.close();
        journal.close();
    }
}
