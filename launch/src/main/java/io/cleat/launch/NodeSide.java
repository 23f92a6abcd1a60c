package io.cleat.launch;

import io.cleat.agent.Machine;
import io.cleat.agent.MachineMarks;
import io.cleat.agent.NodeMeta;
import io.cleat.agent.NodeNetworks;
import io.cleat.agent.NodeView;
import io.cleat.agent.OfferedDisk;
import io.cleat.agent.alloc.AllocationParts;
import io.cleat.agent.alloc.Allocations;
import io.cleat.agent.alloc.EndedFiles;
import io.cleat.agent.alloc.MeasuringLane;
import io.cleat.agent.alloc.OwnUsers;
import io.cleat.agent.artifact.ConfinedArtifacts;
import io.cleat.agent.host.VolumesOfNode;
import io.cleat.agent.network.AllocationNetworks;
import io.cleat.agent.plugins.ControllerOrders;
import io.cleat.agent.report.LastObeyed;
import io.cleat.agent.report.ServerSession;
import io.cleat.agent.task.BoundVolumes;
import io.cleat.agent.task.TaskParts;
import io.cleat.agent.template.NodeServices;
import io.cleat.agent.template.NodeVariables;
import io.cleat.agent.template.WorkerFiles;
import io.cleat.agent.volumes.VolumeUsage;
import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.InWork;
import io.cleat.base.Retry;
import io.cleat.base.Trouble;
import io.cleat.base.Watched;
import io.cleat.driver.TaskDriver;
import io.cleat.kernel.Cgroups;
import io.cleat.kernel.FileSystems;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.Place;
import io.cleat.kernel.SafeRemove;
import io.cleat.kernel.TreeMeasure;
import io.cleat.nodeapi.LocalNode;
import io.cleat.wire.Connector;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The node's parts, put together. What each is for, its own documentation says. */
final class NodeSide implements AutoCloseable {
    private static final Duration CLEARING = Duration.ofMinutes(5);
    private static final Duration ENDING = Duration.ofSeconds(10);

    /** How long plugins that an earlier agent left hold up the first word to a server. */
    private static final Duration ASKING = Duration.ofSeconds(2);

    private final NodeParts parts;
    private final NodeMeta meta;
    private final NodeView view;
    private final NodeDrivers drivers;
    private final NodeStorage storage;
    private final Allocations allocations;
    private final VolumeUsage usage;
    private final ServerSession session;
    private @Nullable Thread talking;

    private NodeSide(
            NodeParts parts,
            NodeMeta meta,
            NodeView view,
            NodeDrivers drivers,
            NodeStorage storage,
            Allocations allocations,
            ServerSession session) {
        this.parts = parts;
        this.meta = meta;
        this.view = view;
        this.drivers = drivers;
        this.storage = storage;
        this.allocations = allocations;
        this.usage = new VolumeUsage(storage.parts());
        this.session = session;
    }

    /**
     * Puts the node together and takes over what runs on it; {@link #connect} then talks to a server.
     *
     * @param shim the native program
     * @param inWork where it is noted which allocation is taken over
     */
    static NodeSide over(
            DataDirectory data, Path shim, Arrangement arrangement, Connector servers, InWork inWork, Ports ports)
            throws Trouble, InterruptedException {
        NodeParts parts = NodeParts.open(data, shim, ports);
        NodeView.Settings settings = arrangement.node(data);
        Machine machine = machine(data.root())
                .withPrint(MachineMarks.read(data.root(), parts.identity().id()));
        NodeDrivers drivers =
                NodeDrivers.over(parts, arrangement.names(), machine.total().cpuMhz());
        NodeStorage storage = NodeStorage.over(parts, arrangement.names(), arrangement.mounting());
        NodeMeta meta = NodeMeta.at(parts.client().resolve("meta"), settings.meta(), parts.outbox()::factsChanged);
        AllocationNetworks networks = AllocationNetworks.at(
                parts.client().resolve("networks"),
                settings.networks().cni(),
                shim,
                ports.threads(),
                parts.boot(),
                drivers::networkMaker);
        networks.collect(ports.threads());
        Path directories = data.passage("alloc");
        EndedFiles.Disk disk = () -> FileSystems.linux().usage(directories);
        OfferedDisk offered = new OfferedDisk(machine.diskMb(), disk, parts.outbox()::factsChanged);
        NodeView view = view(parts, settings, meta, machine, offered, drivers, storage, networks);

        NodeVariables variables = new NodeVariables(parts.outbox()::say);
        NodeServices services = new NodeServices(parts.outbox()::say);
        EndedFiles ended = new EndedFiles(arrangement.kept(), disk);
        TaskParts tasks = tasks(parts, arrangement, drivers, storage, directories, view)
                .stoppingWithin(settings.longestKillTimeout())
                .reading(variables, services);
        Allocations allocations = new Allocations(
                parts.allocationFiles(),
                new AllocationParts(
                        directories,
                        clearing(parts, directories),
                        Optional.of(measuring(parts, directories)),
                        new VolumesOfNode(storage.volumes(), storage.hosts()),
                        tasks,
                        parts.outbox(),
                        inWork,
                        users(parts, arrangement),
                        ended,
                        Optional.of(networks)));
        ServerSession session = new ServerSession(
                servers,
                parts.identity().secret().reveal(),
                LastObeyed.at(parts.client().resolve("obeyed")),
                view,
                allocations,
                new ControllerOrders(
                        storage.plugins(), Optional.of(storage.hosts()), parts.outbox(), ports.threads(), ports.time()),
                parts.outbox(),
                variables,
                services,
                ports.threads(),
                ports.time(),
                ports.chance());
        allocations.restore();
        // Only now is it known which tasks are somebody's.
        drivers.tidy(allocations::isHere);
        storage.start(ports, allocations);
        ended.start(ports.threads(), ports.time());
        offered.start(ports.threads(), ports.time());
        return new NodeSide(parts, meta, view, drivers, storage, allocations, session);
    }

    /** What the node says of itself. */
    private static NodeView view(
            NodeParts parts,
            NodeView.Settings settings,
            NodeMeta meta,
            Machine machine,
            OfferedDisk disk,
            NodeDrivers drivers,
            NodeStorage storage,
            AllocationNetworks networks) {
        return new NodeView(
                parts.identity().id(),
                settings,
                meta,
                parts.cgroups().layout() == Cgroups.Layout.NONE ? machine : machine.withCgroups(parts.cgroup()),
                disk,
                parts.boot().value(),
                drivers.byName(),
                storage.plugins()::facts,
                storage.sweeper()::unclear,
                storage.hosts(),
                storage.hosts()::attributes,
                NodeNetworks.look(settings.networks(), machine, networks.modes()));
    }

    /** What every task on the node works with. */
    private static TaskParts tasks(
            NodeParts parts,
            Arrangement arrangement,
            NodeDrivers drivers,
            NodeStorage storage,
            Path directories,
            NodeView view)
            throws Trouble, InterruptedException {
        Ports ports = parts.ports();
        ConfinedArtifacts artifacts = new ConfinedArtifacts(
                parts.data().directory("client/artifacts"),
                arrangement.artifacts(),
                parts.shim(),
                parts.workers(),
                ports.threads(),
                ports.time(),
                ports.ids());
        artifacts.clear();
        return new TaskParts(
                drivers.byName(),
                arrangement.withoutLogs(),
                storage.supervisor(parts),
                new BoundVolumes(
                        new BoundVolumes.Roots(
                                directories,
                                parts.data().directory("client/held"),
                                storage.root().path()),
                        parts.workers()::of,
                        parts.mounts(),
                        ports.time()),
                new WorkerFiles(parts.workers(), ports.time()),
                artifacts,
                view,
                ports.threads(),
                ports.time(),
                ports.chance(),
                ports.ids());
    }

    private static AllocationParts.Clearing clearing(NodeParts parts, Path directories) {
        SafeRemove remove = new SafeRemove(parts.workers(), "allocations", MountTable::read);
        return directory -> remove.tree(
                Place.of(directories, directory), Deadline.in(parts.ports().time(), CLEARING));
    }

    private static MeasuringLane measuring(NodeParts parts, Path directories) {
        return new MeasuringLane(
                new TreeMeasure(parts.workers(), "measuring"),
                directories,
                parts.ports().time());
    }

    private static OwnUsers users(NodeParts parts, Arrangement arrangement) {
        return OwnUsers.of(
                arrangement.names().exec().users(),
                OwnUsers.ofThisMachine(parts.processes()),
                parts.identity().id());
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
        return List.of(storage.journal()::head);
    }

    /** Talks to a server from now on. */
    void connect() {
        talking = parts.ports().threads().vital("session", () -> {
            storage.plugins().awaitAsked(Deadline.in(parts.ports().time(), ASKING));
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
        return parts.identity().id();
    }

    /** How fast a processor is. */
    double mhzPerCore() {
        return (double) view.get().total().cpuMhz()
                / Math.max(1, Runtime.getRuntime().availableProcessors());
    }

    Map<String, TaskDriver> drivers() {
        return drivers.byName();
    }

    Allocations allocations() {
        return allocations;
    }

    /** What can be seen of what runs on it. */
    LocalNode local() {
        return LocalNode.of(meta, allocations, parts.workers(), usage);
    }

    /** Takes away what the node itself has mounted and made, once nothing runs on it any more. */
    void release() throws Trouble, InterruptedException {
        drivers.release();
        storage.root().release();
        for (String group : List.of("shims", "drivers")) {
            parts.cgroups().group(group).remove(Deadline.in(parts.ports().time(), ENDING));
        }
        parts.cgroups().removeParent();
    }

    /** Lets go of what this process has open; tasks and mounts stay as they are. */
    @Override
    public void close() throws DiskTrouble {
        drivers.close();
        storage.registry().close();
        parts.workers().close();
        parts.mounts().close();
        storage.journal().close();
    }
}
