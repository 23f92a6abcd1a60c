package io.cleat.testkit;

import com.google.protobuf.Message;
import io.cleat.base.Threads;
import io.cleat.csi.v1.Snapshot;
import io.cleat.csi.v1.Volume;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A CSI plugin (identity, controller, node, group controller, snapshot metadata) that works in memory, behind a real
 * gRPC server on a Unix socket. It logs what it is asked, in order, and each call can be scripted to go wrong.
 *
 * <p>Volume ids are {@code ext-} and the volume's name.
 */
public final class FakeCsiPlugin implements AutoCloseable {
    static final Context.Key<String> AUTHORITY = Context.key("authority");

    private final Path socket;
    private final Script script = new Script();
    private final FakeVolumes volumes;
    private final FakeSnapshots snapshots;
    private final AtomicInteger streamed = new AtomicInteger();
    private final AtomicInteger heldBack = new AtomicInteger();
    private final List<Throwable> faults = new CopyOnWriteArrayList<>();
    private final Threads threads = Threads.virtual((where, fault) -> faults.add(fault));
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition over = lock.newCondition();
    private volatile FakeCsiSetup setup;
    // Guarded by lock; null while it does not run.
    private @Nullable Running running;

    private record Running(Server server, BreakableLoop loop) {}

    private FakeCsiPlugin(Path socket, FakeCsiSetup setup, FakeVolumes volumes) {
        this.socket = socket;
        this.setup = setup;
        this.volumes = volumes;
        this.snapshots = new FakeSnapshots(volumes);
    }

    /** Starts the standard plugin; it answers on {@code socket} when this returns. */
    public static FakeCsiPlugin start(Path socket) {
        return start(socket, FakeCsiSetup.standard());
    }

    /** Starts a plugin; it answers on {@code socket} when this returns. */
    public static FakeCsiPlugin start(Path socket, FakeCsiSetup setup) {
        FakeCsiPlugin plugin = new FakeCsiPlugin(socket, setup, new FakeVolumes());
        plugin.restart(setup);
        return plugin;
    }

    /** Starts another instance over the storage of this one, as an update of a plugin does. */
    public FakeCsiPlugin another(Path otherSocket, FakeCsiSetup otherSetup) {
        FakeCsiPlugin plugin = new FakeCsiPlugin(otherSocket, otherSetup, volumes);
        plugin.restart(otherSetup);
        return plugin;
    }

    /**
     * What to do with the next calls of this name, in order; the last behaviour stays until the next {@code script} for
     * it.
     */
    public void script(String call, Behaviour... behaviours) {
        script.set(call, List.of(behaviours));
    }

    /** All calls so far, in order of arrival. */
    public List<ReceivedCall> calls() {
        return script.log();
    }

    /** The calls of this name so far. */
    public List<ReceivedCall> calls(String call) {
        return calls().stream().filter(entry -> entry.name().equals(call)).toList();
    }

    /** Waits until {@code count} calls of this name came; fails the test after {@code limit}. */
    public List<ReceivedCall> awaitCalls(String call, int count, Duration limit) throws InterruptedException {
        return script.await(call, count, limit);
    }

    /** The most calls that were in flight at one moment. */
    public int mostAtOnce() {
        return script.mostAtOnce();
    }

    /** The most calls about one volume that were in flight at one moment. */
    public int mostAtOnce(String volumeId) {
        return script.mostAtOnce(volumeId);
    }

    /** Forgets the calls so far; numbers start at 1 again. */
    public void clearCalls() {
        script.clearLog();
    }

    /** Makes a volume known without a call. */
    public void addVolume(String volumeId, long capacityBytes) {
        volumes.add(Volume.newBuilder()
                .setVolumeId(volumeId)
                .setCapacityBytes(capacityBytes)
                .build());
    }

    /** Makes it forget a mount that somebody else took away, as real plugins see from that table. */
    public void forget(Path mount) {
        volumes.forget(mount.toString());
    }

    /** Makes it remember what a process before it staged and published, as real plugins see from the mount table. */
    public void adopt(String volumeId, Path stagingPath, List<Path> targets) {
        volumes.adopt(
                volumeId,
                stagingPath.toString(),
                targets.stream().map(Path::toString).toList());
    }

    /** The volumes there are, by id. */
    public List<Volume> volumes() {
        return volumes.all();
    }

    /** The provider's ids of the nodes a volume is attached to. */
    public Set<String> nodesOf(String volumeId) {
        return volumes.nodesOf(volumeId);
    }

    /** Volume ids by staging path, as the plugin remembers them. */
    public Map<String, String> staged() {
        return volumes.stagedPaths();
    }

    /** Volume ids by target path, as the plugin remembers them. */
    public Map<String, String> published() {
        return volumes.publishedPaths();
    }

    /** Bytes by path, for what NodeExpandVolume made larger. */
    public Map<String, Long> expanded() {
        return volumes.expandedPaths();
    }

    /** What ControllerModifyVolume changed of a volume. */
    public Map<String, String> modified(String volumeId) {
        return volumes.modified(volumeId);
    }

    /** The ids of the snapshots there are. */
    public List<String> snapshots() {
        return snapshots.find("", "").stream().map(Snapshot::getSnapshotId).toList();
    }

    /** How many messages of streams were sent so far. */
    public int streamed() {
        return streamed.get();
    }

    /** How often a stream has waited for its caller to have room. */
    public int heldBack() {
        return heldBack.get();
    }

    /** What went wrong inside the fake itself: empty unless a test scripted nonsense. */
    public List<Throwable> faults() {
        return List.copyOf(faults);
    }

    public Path socket() {
        return socket;
    }

    FakeCsiSetup setup() {
        return setup;
    }

    FakeVolumes memory() {
        return volumes;
    }

    FakeSnapshots snapshotMemory() {
        return snapshots;
    }

    /**
     * Ends as a killed process does: connections break, nobody listens, the socket file stays. What the plugin
     * remembers of its storage stays too.
     */
    public void crash() {
        lock.lock();
        try {
            if (running == null) {
                return;
            }
            // The connections last: whoever sees one break finds nobody listening.
            running.loop().stopListening();
            running.loop().breakConnections();
            running.server().shutdownNow();
            running.loop().end();
            running = null;
            over.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until it has crashed, or is closed. */
    public void awaitCrash() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (running != null) {
                over.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Starts again after a crash, with the same memory and what it says of itself from now on. */
    public void restart(FakeCsiSetup now) {
        lock.lock();
        try {
            crash();
            setup = now;
            // Bound under another name: the library removes a socket's file by the name it was
            // bound with, and a killed process leaves its file.
            Path first = socket.resolveSibling(socket.getFileName() + "~");
            BreakableLoop loop = new BreakableLoop();
            Server server = NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(first))
                    .channelFactory(loop::listener)
                    .bossEventLoopGroup(loop)
                    .workerEventLoopGroup(loop)
                    .executor(body -> threads.vitalWork("fake-csi/call", body::run))
                    .intercept(new AuthorityReader())
                    .addService(new FakeIdentity(this))
                    .addService(new FakeController(this))
                    .addService(new FakeNode(this))
                    .addService(new FakeGroupController(this))
                    .addService(new FakeSnapshotMetadata(this))
                    .build()
                    .start();
            running = new Running(server, loop);
            Files.move(first, socket, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failed) {
            throw new UncheckedIOException("fake plugin on " + socket, failed);
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #restart(FakeCsiSetup)}, saying the same of itself. */
    public void restart() {
        restart(setup);
    }

    @Override
    public void close() {
        crash();
        try {
            Files.deleteIfExists(socket);
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot remove " + socket, failed);
        }
    }

    <Q extends Message, R extends Message> void handle(
            String call, Q request, StreamObserver<R> caller, Answering.Work<Q, R> work, R imagined) {
        String authority = String.valueOf(AUTHORITY.get());
        Script.Turn turn = script.receive(call, request, authority);
        // Without a handler gRPC throws into an answer that nobody waits for any more.
        ((ServerCallStreamObserver<R>) caller).setOnCancelHandler(() -> script.ended(turn.number()));
        StreamObserver<R> noted = new NotedEnd<>(caller, () -> script.ended(turn.number()));
        new Answering<>(request, noted, work, imagined, this::crash).behave(turn.behaviour());
    }

    <Q extends Message, R extends Message> void handleStream(
            String call, Q request, StreamObserver<R> caller, Supplier<List<R>> work) {
        Script.Turn turn = script.receive(call, request, String.valueOf(AUTHORITY.get()));
        Runnable ended = () -> script.ended(turn.number());
        ServerCallStreamObserver<R> stream = (ServerCallStreamObserver<R>) caller;
        stream.setOnCancelHandler(ended);
        new Streaming<>(stream, this::crash, ended, streamed, heldBack).behave(turn.behaviour(), work);
    }

    /** Notes a call's end before the caller can know of it. */
    private record NotedEnd<R>(StreamObserver<R> caller, Runnable end) implements StreamObserver<R> {
        @Override
        public void onNext(R reply) {
            end.run();
            caller.onNext(reply);
        }

        @Override
        public void onError(Throwable refusal) {
            end.run();
            caller.onError(refusal);
        }

        @Override
        public void onCompleted() {
            caller.onCompleted();
        }
    }

    private static final class AuthorityReader implements ServerInterceptor {
        @Override
        public <Q, R> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
            Context context = Context.current().withValue(AUTHORITY, String.valueOf(call.getAuthority()));
            return Contexts.interceptCall(context, call, headers, next);
        }
    }
}
