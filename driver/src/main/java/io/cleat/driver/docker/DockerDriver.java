package io.cleat.driver.docker;

import io.cleat.base.Chance;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.driver.ConfigTexts;
import io.cleat.driver.DriverCapabilities;
import io.cleat.driver.ExecCommand;
import io.cleat.driver.ExecSession;
import io.cleat.driver.ExitResult;
import io.cleat.driver.NetworkFiles;
import io.cleat.driver.NetworkMaker;
import io.cleat.driver.SharedSources;
import io.cleat.driver.Starting;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.TaskHasEnded;
import io.cleat.driver.TaskNetwork;
import io.cleat.driver.TaskStats;
import io.cleat.driver.registry.ImageName;
import io.cleat.driver.shim.ShimTasks;
import io.cleat.kernel.Mounts;
import io.cleat.kernel.PathWorkers;
import io.cleat.kernel.Processes;
import io.cleat.model.DriverFacts;
import io.cleat.model.DriverNetwork;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Runs containers by an engine that speaks Docker's API. A container stays after its end until it is destroyed, so its
 * exit code is known to every later agent; a mark on this node's disk says, without the engine, which ones there may
 * be.
 *
 * <p>Used by any thread.
 */
public final class DockerDriver implements TaskDriver {
    /** The name in job files. */
    public static final String NAME = "docker";

    private static final Logger LOG = LoggerFactory.getLogger(DockerDriver.class);

    /** Of the handle's {@code state}, which is the name of the container. */
    private static final int HANDLE_VERSION = 1;

    private final DockerSettings settings;
    private final Parts parts;
    private final Engine engine;
    private final Containers containers;
    private final Marks marks;
    private final Images images;
    private final ContainerStart begin;
    private final MountList mounts;
    private final LogCopies copies;
    private final Stops stops;
    private final EngineHealth health;
    private final StrayCommands strayCommands;
    private final HeldNetworks networks;
    private final ContainerEnd end;
    private final Leftovers leftovers;

    /**
     * What the driver works with.
     *
     * @param node the id of this node, which containers of ours say
     * @param directory on a local disk that survives the agent; its owner's alone
     * @param shim the shim program
     * @param platform threads of the kernel
     * @param told called when {@link #fingerprint} may have another answer
     */
    public record Parts(
            String node,
            Path directory,
            Path shim,
            PathWorkers workers,
            Mounts mounts,
            Processes processes,
            Threads threads,
            Threads platform,
            Time time,
            Chance chance,
            Runnable told) {
        public Parts {
            directory = directory.toAbsolutePath();
        }
    }

    public DockerDriver(DockerSettings settings, Parts parts) {
        this.settings = settings;
        this.parts = parts;
        this.engine = new Engine(new EngineSocket(settings.socket()));
        this.containers = new Containers(engine, parts.node());
        this.marks = new Marks(parts.directory().resolve("containers"));
        this.images =
                new Images(engine, new Marks(parts.directory().resolve("images")), settings.imageDelay(), parts.time());
        this.mounts = new MountList(
                new OwnBinds(parts.directory().resolve("mounts"), parts.workers(), parts.time()),
                new HostFiles(parts.directory().resolve("hosts"), new NetworkFiles(Path.of("/"))),
                new SharedSources(parts.mounts()),
                parts.workers(),
                parts.time());
        this.copies =
                new LogCopies(engine, containers, parts.directory().resolve("output"), parts.platform(), parts.time());
        this.begin = new ContainerStart(
                parts.node(),
                images,
                new Pulls(engine, new Credentials(settings), settings.pullIdle(), parts.platform(), parts.time()),
                marks,
                containers,
                mounts,
                copies,
                this::forget);
        this.end = new ContainerEnd(containers, copies, parts.time());
        this.stops = new Stops(engine, containers, parts.threads(), parts.time(), parts.chance());
        this.strayCommands = new StrayCommands(containers, parts.processes());
        this.networks = new HeldNetworks(
                engine,
                containers,
                images,
                parts.node(),
                parts.shim(),
                parts.directory().resolve("networks"),
                parts.mounts());
        this.leftovers = new Leftovers(
                containers, marks, images, settings.strayGrace(), parts.threads(), parts.time(), this::forget);
        this.health = new EngineHealth(engine, settings, parts.threads(), parts.time(), parts.told());
    }

    /**
     * Removes now and then what nobody knows.
     *
     * @param isKnown whether this node knows an allocation
     */
    public void tidy(Predicate<String> isKnown) {
        leftovers.begin(isKnown);
    }

    /**
     * As {@link #tidy}, once.
     *
     * @throws DriverTrouble if not all could be looked at or removed
     */
    public void tidyNow(Predicate<String> isKnown) throws DriverTrouble, InterruptedException {
        leftovers.sweep(isKnown);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public DriverCapabilities capabilities() {
        return new DriverCapabilities(true, true, DriverCapabilities.Isolation.IMAGE, true, true);
    }

    @Override
    public boolean setsDns() {
        return true;
    }

    @Override
    public boolean joinsNetworks() {
        return true;
    }

    /** Its address in the engine's network; ports lead to where tasks are told to listen. */
    @Override
    public Optional<DriverNetwork> network(TaskHandle task) throws DriverTrouble {
        return containers
                .find(name(task))
                .map(Container::address)
                .filter(address -> !address.isEmpty())
                .map(address -> new DriverNetwork(address, Map.of(), false));
    }

    @Override
    public Optional<NetworkMaker> networkMaker() {
        return Optional.of(networks);
    }

    /** A name is one of the image, of which this machine knows nothing; numbers are numbers. */
    @Override
    public String userOf(String asked) {
        return asked.matches("\\d{1,10}(:\\d{1,10})?") ? asked : "";
    }

    @Override
    public DriverFacts fingerprint() {
        return health.newest();
    }

    @Override
    public List<String> faults(Map<String, Object> config) {
        return DockerBlock.read(config, settings).faults();
    }

    @Override
    public TaskHandle start(TaskConfig config) throws DriverTrouble, InterruptedException {
        return start(config, Starting.ALONE);
    }

    @Override
    public TaskHandle start(TaskConfig config, Starting starting) throws DriverTrouble, InterruptedException {
        DockerBlock.Reading reading = DockerBlock.read(config.config(), settings);
        List<String> faults = new ArrayList<>(reading.faults());
        ConfigTexts.checkVariables(config.env(), faults);
        PublishedPorts.check(reading.block(), config.ports(), faults);
        networkFault(reading.block(), config.network()).ifPresent(faults::add);
        if (!faults.isEmpty() || reading.block().image().isEmpty()) {
            throw ShimTasks.refused(config.id(), String.join("; ", faults));
        }
        String name = ContainerNames.of(config.id(), parts.node());
        if (marks.has(name) || containers.find(name).isPresent()) {
            throw ShimTasks.refused(config.id(), "it was started before");
        }
        ImageName image = reading.block().image().get();
        images.begin(image);
        try {
            begin.container(name, config, reading.block(), image, starting);
            return handle(config.id(), name);
        } finally {
            images.begun(image);
        }
    }

    /** All that are in a network have one name. */
    private static Optional<String> networkFault(DockerBlock block, TaskNetwork network) {
        DockerBlock.Names names = block.names();
        return block.joined(network).isPresent()
                        && !(names.host().isEmpty() && names.extraHosts().isEmpty())
                ? Optional.of("a container in the network of its group has the group's host name, and the"
                        + " hosts file of that network: say hostname in the group's network"
                        + " block, and leave hostname and extra_hosts out of the task's"
                        + " config")
                : Optional.empty();
    }

    @Override
    public Optional<TaskHandle> find(TaskConfig config) throws DriverTrouble, InterruptedException {
        String name = ContainerNames.of(config.id(), parts.node());
        Optional<Container> found = containers.find(name);
        if (found.isPresent() && found.get().isFresh()) {
            // Made and never started, by an agent that died in between.
            try {
                containers.remove(name, false);
                found = Optional.empty();
            } catch (DriverTrouble starts) {
                found = containers.find(name).filter(container -> !container.isFresh());
            }
        }
        if (found.isEmpty()) {
            forget(name);
            return Optional.empty();
        }
        return Optional.of(handle(config.id(), name));
    }

    @Override
    public Set<String> allocations() throws DriverTrouble {
        Set<String> marked = marks.names();
        Set<String> allocations = new TreeSet<>();
        if (marked.isEmpty()) {
            return allocations;
        }
        try {
            for (Containers.Listed each : containers.all()) {
                if (each.runs() && marked.contains(each.name())) {
                    allocations.add(each.labels().getOrDefault(Labels.ALLOCATION, ""));
                }
            }
        } catch (DriverTrouble away) {
            LOG.debug("what runs is not known now: {}", away.reason());
            // Each of them may run.
            marked.forEach(name -> allocations.add(Leftovers.allocation(name)));
        }
        return allocations;
    }

    @Override
    public List<TaskHandle> live(String allocId) throws DriverTrouble {
        List<TaskHandle> live = new ArrayList<>();
        for (String name : marks.names()) {
            if (Leftovers.allocation(name).equals(allocId)) {
                Optional<Container> found = containers.find(name).filter(Container::lives);
                found.ifPresent(container -> live.add(handle(container.label(Labels.RUN), name)));
            }
        }
        return live;
    }

    @Override
    public ExitResult await(TaskHandle task) throws DriverTrouble, InterruptedException {
        return end.await(task.id(), name(task));
    }

    @Override
    public void stop(TaskHandle task, String signal, Duration timeout) throws DriverTrouble {
        String name = name(task);
        if (!signal.isEmpty()) {
            var _ = ShimTasks.number(signal, task.id());
        }
        stops.begin(name, signal, timeout);
    }

    @Override
    public void signal(TaskHandle task, String signal) throws DriverTrouble {
        var _ = ShimTasks.number(signal, task.id());
        if (!containers.kill(name(task), signal)) {
            throw new TaskHasEnded(task.id(), "takes no signal");
        }
    }

    @Override
    public ExecSession exec(TaskHandle task, ExecCommand command) throws DriverTrouble {
        String name = name(task);
        if (containers.find(name).filter(Container::lives).isEmpty()) {
            throw new TaskHasEnded(task.id(), "runs no command");
        }
        return EngineExec.start(engine, name, command, pid -> strayCommands.end(name, pid), parts.time());
    }

    @Override
    public TaskStats stats(TaskHandle task) throws DriverTrouble {
        String name = name(task);
        Container container = containers
                .find(name)
                .filter(Container::lives)
                .orElseThrow(() -> new TaskHasEnded(task.id(), "uses nothing"));
        JsonNode said = engine.get("/containers/" + Engine.encoded(name) + "/stats?stream=false&one-shot=true");
        return Usage.of(said, container.pid(), parts.time().now());
    }

    @Override
    public OptionalLong lostOutput(TaskHandle task) throws DriverTrouble {
        return OptionalLong.of(copies.lost(name(task)));
    }

    @Override
    public void destroy(TaskHandle task) throws DriverTrouble, InterruptedException {
        forget(name(task));
    }

    /** Removes a container with all that belongs to it; its mark last. */
    private void forget(String name) throws DriverTrouble, InterruptedException {
        containers.remove(name, true);
        copies.forget(name);
        mounts.release(name);
        marks.remove(name);
    }

    private static TaskHandle handle(String id, String name) {
        return new TaskHandle(NAME, id, HANDLE_VERSION, name);
    }

    private static String name(TaskHandle task) throws DriverTrouble {
        ShimTasks.requireReadable(task, NAME, HANDLE_VERSION);
        return task.state();
    }

    /** Ends what this process does for containers; they stay as they are. */
    public void close() {
        health.close();
        copies.close();
        leftovers.close();
    }

    /** Removes what this node has in its engine beside tasks, once none of them is left. */
    public void release() {
        try {
            images.drop();
        } catch (DriverTrouble away) {
            LOG.info("images that were pulled stay: {}", away.reason());
        }
    }
}
