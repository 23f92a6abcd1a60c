package io.cleat.server;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Chance;
import io.cleat.base.Deadline;
import io.cleat.base.EarlyEnd;
import io.cleat.base.Ids;
import io.cleat.base.InWork;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.log.Room;
import io.cleat.model.ClientStatus;
import io.cleat.model.NodeFacts;
import io.cleat.model.VolumeId;
import io.cleat.server.duty.Garbage;
import io.cleat.server.intake.Asked;
import io.cleat.server.intake.Requests;
import io.cleat.server.intake.Versions;
import io.cleat.state.ClusterState;
import io.cleat.state.TableName;
import io.cleat.testkit.Eventually;
import io.cleat.wire.InProcessLink;
import io.cleat.wire.ToServer;
import io.cleat.wire.WireFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A server with a real log in a directory, and what a test wants to do with it. */
public final class ServerWorld implements AutoCloseable {
    /** Of a machine that is busy with a lot more than the test. */
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private static final Versions ANY = Versions.of(TableName.values());

    private final Path directory;
    private final Ids ids;
    private final List<Throwable> faults = new CopyOnWriteArrayList<>();
    private final Time time = new SystemTime();
    private final Threads threads = Threads.virtual((where, fault) -> faults.add(fault));
    private final List<FakeAgent> agents = new ArrayList<>();
    private volatile long free = Long.MAX_VALUE;
    private Server server;

    public ServerWorld(Path directory) throws Exception {
        this(directory, Ids.random());
    }

    public ServerWorld(Path directory, Ids ids) throws Exception {
        this.directory = directory;
        this.ids = ids;
        this.server = open();
    }

    private Server open() throws Exception {
        Server opened = Server.of(
                new ServerSettings(
                        directory,
                        "m1",
                        "global",
                        "dc1",
                        InWork.UNNOTED,
                        Garbage.USUAL,
                        where -> new Room.Left(free, Long.MAX_VALUE)),
                time,
                Chance.system(),
                ids,
                threads,
                (where, fault) -> faults.add(fault));
        opened.start();
        assertTrue(opened.awaitReady(Deadline.in(time, PATIENCE)));
        return opened;
    }

    /** From now on so many bytes are free on the disk of the log; the server has seen it. */
    void leave(long bytes) throws Exception {
        free = bytes;
        Eventually.holds(
                () -> server.status().waitsForRoom().isPresent() == bytes < 8 << 20, "the server sees what is free");
    }

    /** Waits until what brings more is refused. */
    void untilTight() throws Exception {
        Eventually.holds(
                () -> {
                    try {
                        requests().jobs().register(Samples.job("tight", "data"), null, null, 0, asked());
                        return false;
                    } catch (Refused full) {
                        return full.refusal() instanceof Refusal.Exhausted;
                    }
                },
                "what brings more is refused");
    }

    /** Closes the server and opens another on the same directory. */
    public void restart() throws Exception {
        server.close();
        server = open();
    }

    /** Something that becomes of the server's files. */
    @FunctionalInterface
    public interface Misfortune {
        void befall() throws Exception;
    }

    /** As {@link #restart}, and something happens while no server runs. */
    public void restartAfter(Misfortune misfortune) throws Exception {
        server.close();
        misfortune.befall();
        server = open();
    }

    /** Keeps a copy of the server's directory as it is now. */
    public void copyTo(Path copy) throws Exception {
        server.close();
        copy(directory, copy);
        server = open();
    }

    /** Puts a copy into the place of the server's directory. */
    public void restore(Path copy) throws Exception {
        server.close();
        delete(directory);
        copy(copy, directory);
        server = open();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : all.toList()) {
                Path target = to.resolve(from.relativize(path));
                if (Files.isDirectory(path)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(path, target, StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    public Server server() {
        return server;
    }

    public Requests requests() {
        return server.requests();
    }

    public Asked asked() {
        return Asked.within(Deadline.in(time, Duration.ofSeconds(20)));
    }

    public FakeAgent connect(String secret, NodeFacts facts) throws Exception {
        FakeAgent agent = FakeAgent.connect(InProcessLink.to(server.sessions(), threads), secret, facts, threads);
        agents.add(agent);
        return agent;
    }

    public FakeAgent connect(int version, NodeFacts facts) throws Exception {
        FakeAgent agent = FakeAgent.connect(
                InProcessLink.to(server.sessions(), threads), version, "secret", facts, null, threads);
        agents.add(agent);
        return agent;
    }

    /** As a node that has obeyed somebody before. */
    public FakeAgent connect(NodeFacts facts, ToServer.Obeyed obeyed) throws Exception {
        return connect("secret", facts, obeyed);
    }

    public FakeAgent connect(String secret, NodeFacts facts, ToServer.Obeyed obeyed) throws Exception {
        FakeAgent agent = FakeAgent.connect(
                InProcessLink.to(server.sessions(), threads), WireFormat.VERSION, secret, facts, obeyed, threads);
        agents.add(agent);
        return agent;
    }

    public ClusterState image() throws Exception {
        return requests().reads().read(false);
    }

    /** Waits until the newest image satisfies {@code wanted}. */
    public ClusterState until(String what, Predicate<ClusterState> wanted) throws Exception {
        ClusterState image = image();
        Deadline deadline = Deadline.in(time, PATIENCE);
        while (!wanted.test(image)) {
            assertTrue(!deadline.isExpired(), "not within " + PATIENCE.toSeconds() + " s: " + what);
            long version = image.version();
            image = requests()
                    .reads()
                    .readNewer(false, ANY, Math.max(1, version), Duration.ofSeconds(1), EarlyEnd.NEVER);
        }
        return image;
    }

    /** What a node says of an allocation with the volume {@code data}. */
    public static ToServer.Allocations report(
            String allocId, ClientStatus status, VolumeId volume, long epoch, ToServer.VolumePhase phase) {
        return new ToServer.Allocations(List.of(new ToServer.AllocReport(
                allocId,
                status,
                "",
                Map.of(),
                Map.of("data", new ToServer.VolumeReport(volume, epoch, phase, 0, null)),
                null,
                null)));
    }

    /** The faults that were met, which the test expects: they are no longer known after. */
    public List<Throwable> expectedFaults() {
        List<Throwable> all = List.copyOf(faults);
        faults.clear();
        return all;
    }

    @Override
    public void close() {
        agents.forEach(FakeAgent::close);
        server.close();
        assertTrue(faults.isEmpty(), () -> "faults: " + faults);
    }
}
