package io.cleat.sim;

import io.cleat.log.fake.FakeDisk;
import io.cleat.log.fake.FakeMix;
import io.cleat.model.MachinePrint;
import io.cleat.state.ClusterState;
import io.cleat.wire.Connector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A whole cluster: machines with agents, a server, the network between them. */
final class World {
    private static final int MACHINES = 3;
    private static final int EVENTS_KEPT = 200;

    /** Losses and ends of leadership come often enough, but leave time to work in between. */
    private static final FakeMix MIX = new FakeMix(20, 5, 20, 30, 15, 8, 3000, 2);

    final Scheduler scheduler;
    final Chaos chaos;
    final Trace trace;
    final SimNet net;
    final SimStorage storage;
    final List<SimMachine> machines = new ArrayList<>();

    /** Machines that were started from the image of another, and run. */
    final List<SimMachine> copies = new ArrayList<>();

    private final Path directory;
    final Planted planted;
    private final Map<String, SimAgent> agents = new TreeMap<>();
    private final FakeDisk disk = new FakeDisk();
    private FakeDisk kept = new FakeDisk();
    private final SimNote note;
    private final SilentWaits waits = new SilentWaits();
    private final List<Throwable> broken = new ArrayList<>();
    private Duration wallAhead = Duration.ZERO;
    private @Nullable SimServer server;
    private @Nullable ClusterState checked;
    private ClusterState newest = ClusterState.empty();

    /** @param directory empty; what agents write is below it */
    World(long seed, Path directory, Planted planted, Consumer<String> listener) {
        this.directory = directory;
        this.planted = planted;
        Random random = new Random(seed);
        this.scheduler = new Scheduler(random);
        this.chaos = new Chaos(random);
        this.trace = new Trace(EVENTS_KEPT, scheduler, listener);
        this.note = new SimNote(directory.resolve("server"));
        Logs.tell(trace, directory.toString());
        this.net = new SimNet(scheduler, chaos, trace);
        this.storage = new SimStorage(what -> broken.add(new AssertionError(what)));
        for (int i = 1; i <= MACHINES; i++) {
            machines.add(machine("n" + i, "n" + i));
        }
    }

    /** By which a machine is known. */
    static MachinePrint marks(String machine) {
        return new MachinePrint(Map.of(MachinePrint.DISK, "disk-of-" + machine));
    }

    /** A machine that uses the cluster's storage. */
    SimMachine machine(String name, String hostName) {
        SimMachine machine = new SimMachine(
                name, hostName, directory.resolve(name), scheduler, chaos, trace, storage, planted, this::uncaught);
        storage.add(machine);
        return machine;
    }

    private void uncaught(Thread thread, Throwable fault) {
        broken.add(new AssertionError("thread " + thread.getName() + ": " + fault, fault));
    }

    // ---- processes ----

    void startServer() {
        SimProcess process = new SimProcess("server", scheduler, () -> wallAhead, this::uncaught);
        trace.say("server", "starts");
        SimServer started = new SimServer(
                process, disk, note.file(), MIX, chaos, () -> scheduler.in(Duration.ZERO, this::killServer));
        server = started;
        started.start();
    }

    void killServer() {
        SimServer running = server;
        if (running != null) {
            trace.say("server", "is killed");
            trace.count("servers killed");
            running.kill();
            net.died(running.process);
            server = null;
        }
    }

    /** Somebody keeps a copy of the server's disk. */
    void keepCopy() {
        trace.say("world", "the server's disk is copied");
        kept = disk.copy();
        note.keep();
    }

    /**
     * The copy is put into the place of the server's disk, or the end of its log rots.
     *
     * @return how many entries have rotted, though they were acknowledged
     */
    int losePast() {
        killServer();
        int lost = 0;
        if (chaos.below(3) == 0) {
            lost = disk.loseLast(1 + chaos.below(30));
            trace.say("world", "the last entries of the log rot: " + lost);
            trace.count("logs rotten");
            if (planted == Planted.ROT_IS_TORN) {
                note.lose();
            }
        } else {
            trace.say("world", "the server's disk is that of the copy");
            trace.count("disks rolled back");
            disk.become(kept);
            note.putBack();
        }
        checked = null;
        newest = ClusterState.empty();
        return lost;
    }

    /** The server begins on an empty disk: it is another cluster, and knows nothing. */
    void emptyDisk() {
        killServer();
        trace.say("world", "the server's disk is empty");
        trace.count("disks emptied");
        kept = disk.copy();
        disk.become(new FakeDisk());
        note.keep();
        note.lose();
        checked = null;
        newest = ClusterState.empty();
    }

    /** What was kept is put into the place of the server's disk: all that it ever knew. */
    void putBack() {
        killServer();
        trace.say("world", "the server's disk is put back");
        disk.become(kept);
        note.putBack();
        checked = null;
        newest = ClusterState.empty();
    }

    void jumpServerClock(Duration by) {
        trace.say("server", "clock jumps by " + by);
        trace.count("clocks jumped");
        wallAhead = wallAhead.plus(by);
    }

    @Nullable
    SimServer server() {
        return server;
    }

    void startAgent(SimMachine machine) {
        trace.say(machine.name, "agent starts");
        MachinePrint marks = planted == Planted.NO_MARKS ? new MachinePrint(Map.of()) : marks(machine.name);
        SimAgent agent = new SimAgent(machine, marks, scheduler, chaos, new Mishaps(machine));
        agents.put(machine.name, agent);
        Connector servers = net.connector(machine, agent.process, this::server);
        agent.start(planted == Planted.NO_REASONS ? TruncatedReports.over(servers) : servers);
    }

    /** What an agent meets by itself. */
    private final class Mishaps implements SimAgent.Mishaps {
        private static final int BACK_WITHIN_MS = 60_000;

        private final SimMachine machine;

        private Mishaps(SimMachine machine) {
            this.machine = machine;
        }

        @Override
        public void refused() {
            trace.say(machine.name, "agent does not start as another node");
            trace.count("identities missed");
            scheduler.in(Duration.ZERO, () -> {
                killAgent(machine);
                machine.restoreIdentity();
            });
            scheduler.in(chaos.upTo(BACK_WITHIN_MS), () -> revive(machine));
        }

        @Override
        public void powerFails(Runnable tear) {
            scheduler.in(Duration.ZERO, () -> {
                trace.count("power failed under a write");
                killAgent(machine);
                tear.run();
                machine.reboot();
            });
            scheduler.in(chaos.upTo(BACK_WITHIN_MS), () -> revive(machine));
        }
    }

    /** Starts the agent if it does not run, and its machine is not switched off. */
    void revive(SimMachine machine) {
        if (agent(machine) == null && !machine.isOff()) {
            startAgent(machine);
        }
    }

    /** Starts the server if none runs. */
    void reviveServer() {
        if (server == null) {
            startServer();
        }
    }

    void killAgent(SimMachine machine) {
        SimAgent agent = agents.remove(machine.name);
        if (agent != null) {
            trace.say(machine.name, "agent is killed");
            trace.count("agents killed");
            agent.kill();
            net.died(agent.process);
        }
    }

    @Nullable
    SimAgent agent(SimMachine machine) {
        return agents.get(machine.name);
    }

    // ---- time ----

    /** Lets so much time pass. */
    void run(Duration duration) {
        long end = scheduler.nanos() + duration.toNanos();
        scheduler.at(end, () -> {});
        while (scheduler.nanos() < end) {
            step();
        }
    }

    /** Has {@code what} happen at some time within so long. */
    void later(int atMostMillis, Runnable what) {
        scheduler.in(chaos.upTo(atMostMillis), what);
    }

    /** Lets time pass until {@code condition}, which is looked at each second. */
    boolean await(Duration most, BooleanSupplier condition) {
        long end = scheduler.nanos() + most.toNanos();
        while (!condition.getAsBoolean()) {
            if (scheduler.nanos() >= end) {
                return false;
            }
            run(Duration.ofSeconds(1));
        }
        return true;
    }

    private void step() {
        scheduler.step();
        SimServer running = server;
        if (running != null) {
            ClusterState image = running.image();
            if (image != checked) {
                ImageEvents.tell(trace, image(), image);
                ImageCheck.check(image(), image);
                if (image.version() > newest.version()) { // not what a new server reads again
                    DrainCheck.check(newest, image, machines, storage);
                    newest = image;
                }
                checked = image;
            }
            // Another fault may end in a wait, too, before what is to find it does.
            if (planted == Planted.NONE || planted == Planted.NO_REASONS) {
                waits.look(scheduler.nanos(), running, this::heard);
            }
        }
        if (!broken.isEmpty()) {
            AssertionError first = new AssertionError(broken.getFirst().getMessage());
            broken.forEach(first::addSuppressed);
            throw first;
        }
    }

    /** The machines whose agents run and reach the server. */
    private Set<String> heard() {
        return machines.stream()
                .filter(machine -> agent(machine) != null && !net.isCut(machine))
                .map(machine -> machine.hostName)
                .collect(Collectors.toSet());
    }

    /** The image that was seen last. */
    ClusterState image() {
        ClusterState last = checked;
        return last == null ? ClusterState.empty() : last;
    }

    /** Nothing goes wrong from now on, and what was broken works again. */
    void calmDown() {
        trace.say("world", "nothing goes wrong any more");
        chaos.calmDown();
        scheduler.calmDown();
        machines.forEach(net::heal);
        SimServer running = server;
        if (running == null) {
            startServer();
        } else {
            running.calmDown();
        }
        for (SimMachine machine : machines) {
            if (machine.isOff()) {
                machine.switchOff(false);
            }
            machine.endWrongPlugins();
            killAgent(machine);
            revive(machine);
        }
    }

    /** Ends all processes, so that nothing is open any more. */
    void close() {
        machines.forEach(this::killAgent);
        copies.forEach(this::killAgent);
        killServer();
    }

    static void clear(Path directory) {
        if (!Files.isDirectory(directory)) {
            return;
        }
        try (var found = Files.walk(directory)) {
            for (Path path : found.sorted().toList().reversed()) {
                Files.delete(path);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
