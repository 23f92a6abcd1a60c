package io.cleat.log;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.FaultHandler;
import io.cleat.base.LogTrouble;
import io.cleat.base.Refusal;
import io.cleat.base.Retry;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SnapshotManagementRequest;
import org.apache.ratis.protocol.exceptions.LeaderNotReadyException;
import org.apache.ratis.protocol.exceptions.LeaderSteppingDownException;
import org.apache.ratis.protocol.exceptions.ServerNotReadyException;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.jspecify.annotations.Nullable;

/**
 * The library's server from one opening of the directory to its close. A log that ran out of room is closed and opened
 * again, so a {@link RatisLog} may see several.
 *
 * <p>Any thread.
 */
final class Opening {
    /** Closing takes a second, the library's own poll, and three when it cannot write. */
    private static final Duration CLOSING = Duration.ofSeconds(60);

    private final Threads threads;
    private final RaftGroupId group;
    private final RaftPeerId member;
    private final ClientId client = ClientId.randomId();
    private final AtomicLong call = new AtomicLong();
    private final Set<FirstOutcome> inFlight = ConcurrentHashMap.newKeySet();
    private final RatisMachine machine;
    private final RaftServer server;

    /** The division itself: the server's way to it is a thread more for each append. */
    private final RaftClientAsynchronousProtocol direct;

    private Opening(
            Threads threads,
            RaftGroupId group,
            RaftPeerId member,
            RatisMachine machine,
            RaftServer server,
            RaftClientAsynchronousProtocol direct) {
        this.threads = threads;
        this.group = group;
        this.member = member;
        this.machine = machine;
        this.server = server;
        this.direct = direct;
    }

    /** Opens what {@code identity} names; started, but not yet leading. */
    static Opening of(
            LogSettings settings,
            LogIdentity identity,
            LogApplier applier,
            RatisMachine.Events events,
            Time time,
            Threads threads,
            FaultHandler faults,
            long appliedBefore)
            throws DiskTrouble, LogTrouble {
        RaftGroupId group = RaftGroupId.valueOf(UUID.fromString(identity.cluster()));
        RaftPeerId member = RaftPeerId.valueOf(identity.member());
        File storage = settings.directory().resolve(RatisLog.STORAGE).toFile();
        RatisMachine machine = new RatisMachine(settings, applier, events, time, threads, faults, appliedBefore);
        RaftServer server = null;
        try {
            NoBeans.begin();
            server = RaftServer.newBuilder()
                    .setServerId(member)
                    .setGroup(RaftGroup.valueOf(
                            group, RaftPeer.newBuilder().setId(member).build()))
                    .setStateMachine(machine)
                    .setOption(RaftStorage.StartupOption.RECOVER)
                    .setProperties(RatisProperties.alone(settings, storage))
                    .build();
            server.start();
            RaftServer.Division division = server.getDivision(group);
            return new Opening(
                    threads,
                    group,
                    member,
                    machine,
                    server,
                    division instanceof RaftClientAsynchronousProtocol direct ? direct : server);
        } catch (IOException | RuntimeException failed) {
            closeQuietly(server);
            throw new LogTrouble(
                    "the log in " + settings.directory() + " cannot be opened: " + rootOf(failed),
                    Effect.NONE,
                    Retry.NEVER,
                    failed);
        }
    }

    RatisMachine machine() {
        return machine;
    }

    boolean isAlive() {
        try {
            return server.getLifeCycleState().isRunning()
                    && server.getDivision(group).getInfo().isAlive();
        } catch (IOException gone) {
            return false;
        }
    }

    void append(byte[] entry, Completion completion) {
        Message message = Message.valueOf(UnsafeByteOperations.unsafeWrap(entry));
        submit(message, RaftClientRequest.writeRequestType(), completion);
    }

    void barrier(Completion completion) {
        submit(Message.EMPTY, RaftClientRequest.readRequestType(), completion);
    }

    private void submit(Message message, RaftClientRequest.Type type, Completion completion) {
        FirstOutcome told = new FirstOutcome(completion);
        inFlight.add(told);
        RaftClientRequest request = RaftClientRequest.newBuilder()
                .setClientId(client)
                .setServerId(member)
                .setGroupId(group)
                .setCallId(call.incrementAndGet())
                .setMessage(message)
                .setType(type)
                .build();
        CompletableFuture<RaftClientReply> reply;
        try {
            reply = direct.submitClientRequestAsync(request);
        } catch (IOException | RuntimeException failed) {
            reply = CompletableFuture.failedFuture(failed);
        }
        var _ = reply.whenComplete((answer, failure) -> {
            inFlight.remove(told);
            told.told(outcome(answer, failure));
        });
    }

    private static Outcome outcome(@Nullable RaftClientReply reply, @Nullable Throwable failure) {
        Throwable why = failure != null ? failure : reply == null ? null : reply.getException();
        if (why == null && reply != null && reply.isSuccess()) {
            return new Outcome.Applied(reply.getLogIndex());
        }
        Throwable root = why == null ? new IOException("no reply") : rootOf(why);
        // These are said before anything is appended. "Not leader" is said before and after.
        if (root instanceof LeaderNotReadyException
                || root instanceof LeaderSteppingDownException
                || root instanceof ServerNotReadyException) {
            return new Outcome.NotAppended(new Refusal.NoLeader("the log does not lead: " + root));
        }
        return new Outcome.Unknown(root.toString());
    }

    void requestSnapshot() {
        var _ = server.snapshotManagementAsync(
                        SnapshotManagementRequest.newCreate(client, member, group, call.incrementAndGet(), 10_000))
                .whenComplete((reply, failed) -> {
                    if (failed != null) {
                        RatisLog.LOG.info("No snapshot was taken: {}", failed.toString());
                    }
                });
    }

    /** Tells every append and barrier not yet told that it is unknown. */
    void abandon(String reason) {
        for (FirstOutcome told : List.copyOf(inFlight)) {
            if (inFlight.remove(told)) {
                told.told(new Outcome.Unknown(reason));
            }
        }
    }

    /**
     * Closes on a thread of its own: an interrupt of the caller would leave the library half closed.
     *
     * @return false when that did not end within {@link #CLOSING}; the directory is then still held
     */
    boolean close() {
        Thread closing = threads.vitalWork("log/close", this::closeDivision);
        boolean isClosed = false;
        boolean isInterrupted = false;
        boolean isWaiting = true;
        while (isWaiting) {
            try {
                isClosed = closing.join(CLOSING);
                isWaiting = false;
            } catch (InterruptedException interrupted) {
                isInterrupted = true;
            }
        }
        if (!isClosed) {
            RatisLog.LOG.error(
                    "The log was not closed within {} s; it is at {}",
                    CLOSING.toSeconds(),
                    Arrays.toString(closing.getStackTrace()));
        }
        abandon("the log was closed");
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
        return isClosed;
    }

    private void closeDivision() throws InterruptedException {
        try {
            server.getDivision(group).close();
            machine.awaitSnapshot();
        } catch (IOException | RuntimeException failed) {
            RatisLog.LOG.warn("The log did not close well; its files hold all that was told", failed);
        } finally {
            closeQuietly(server);
        }
    }

    private static void closeQuietly(@Nullable RaftServer server) {
        if (server == null) {
            return;
        }
        try {
            server.close();
        } catch (IOException | RuntimeException failed) {
            RatisLog.LOG.warn("The log did not close well; its files hold all that was told", failed);
        }
    }

    private static Throwable rootOf(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null
                && (root instanceof CompletionException || root.getCause() instanceof IOException)) {
            root = root.getCause();
        }
        return root;
    }
}
