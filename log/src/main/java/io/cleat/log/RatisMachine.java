package io.cleat.log;

import io.cleat.base.DiskTrouble;
import io.cleat.base.FaultHandler;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.LifeCycle;
import org.jspecify.annotations.Nullable;

/**
 * Hands what Ratis commits to the {@link LogApplier}, for one opening of the log.
 *
 * <p>Applied by Ratis' updater thread alone; its other callbacks come from other threads. Entries that an earlier
 * opening in this process has applied are passed over: the applier still holds them.
 */
final class RatisMachine extends BaseStateMachine {
    /** What the machine tells the log that owns it. Any thread; must not block. */
    interface Events {
        void leading(long term);

        void following(long term);

        /** The library could not write; nothing more will be appended in this opening. */
        void logFailed(Throwable cause);

        /** An entry could not be applied: no later one will be, in no opening. */
        void stopped();

        /** The library has ended this opening. */
        void ended();
    }

    private static final CompletableFuture<Void> NOTHING_TO_FLUSH = CompletableFuture.completedFuture(null);

    private final AtomicLong flushes = new AtomicLong();
    private final LogApplier applier;
    private final Events events;
    private final FaultHandler faults;
    private final long appliedBefore;
    private final SnapshotStorage storage = new SnapshotStorage();
    private final SnapshotPace pace;
    private final Snapshots snapshots;

    /**
     * The newest durable snapshot. The library's own storage lists the directory each time it is asked while there is
     * none, and fails when the first one is finished meanwhile.
     */
    private volatile @Nullable SingleFileSnapshotInfo latest;

    private volatile boolean isStopped;
    private volatile long configuredTerm;
    private volatile long leadingTerm;
    private volatile long lastApplied;

    /** @param appliedBefore index of the last entry that the applier has seen; -1 for none */
    RatisMachine(
            LogSettings settings,
            LogApplier applier,
            Events events,
            Time time,
            Threads threads,
            FaultHandler faults,
            long appliedBefore) {
        this.applier = applier;
        this.events = events;
        this.faults = faults;
        this.appliedBefore = appliedBefore;
        this.lastApplied = appliedBefore;
        this.pace = new SnapshotPace(settings, time);
        this.snapshots = new Snapshots(pace, threads, storage, this::snapshotDurable);
    }

    /** Index of the last entry that the applier has seen; -1 for none. */
    long lastApplied() {
        return lastApplied;
    }

    /** Index of the newest durable snapshot; -1 for none. */
    long snapshotIndex() {
        SingleFileSnapshotInfo newest = latest;
        return newest == null ? -1 : newest.getIndex();
    }

    /** Waits for a snapshot that is being written. */
    void awaitSnapshot() throws InterruptedException {
        snapshots.close();
    }

    /** How often the library has flushed the log's file. */
    long flushes() {
        return flushes.get();
    }

    /** The library asks for this just before each flush of its own file; nothing is kept beside it. */
    @Override
    public CompletableFuture<Void> flush(long index) {
        flushes.incrementAndGet();
        return NOTHING_TO_FLUSH;
    }

    @Override
    public void initialize(RaftServer server, RaftGroupId group, RaftStorage raftStorage) throws IOException {
        // Without these transitions a later installation of a snapshot silently does nothing.
        getLifeCycle()
                .startAndTransition(
                        () -> {
                            super.initialize(server, group, raftStorage);
                            storage.init(raftStorage);
                            readSnapshot();
                            SingleFileSnapshotInfo newest = latest;
                            pace.opened(
                                    segments(raftStorage),
                                    newest == null ? 0 : newest.getFile().getFileSize());
                        },
                        IOException.class);
    }

    @Override
    public void pause() {
        getLifeCycle().transition(LifeCycle.State.PAUSING);
        getLifeCycle().transition(LifeCycle.State.PAUSED);
    }

    @Override
    public void reinitialize() throws IOException {
        SingleFileSnapshotInfo installed = storage.loadLatestSnapshot();
        if (installed != null) {
            new StoredLog.Image(installed.getIndex(), installed.getFile().getPath()).requireWhole();
        }
        readSnapshot();
        if (getLifeCycleState() == LifeCycle.State.PAUSED) {
            getLifeCycle().transition(LifeCycle.State.STARTING);
            getLifeCycle().transition(LifeCycle.State.RUNNING);
        }
    }

    private static int segments(RaftStorage storage) throws IOException {
        try {
            return new StoredFiles(storage.getStorageDir().getRoot().toPath())
                    .segments()
                    .size();
        } catch (DiskTrouble unreadable) {
            throw new IOException(unreadable.reason(), unreadable);
        }
    }

    private void readSnapshot() throws IOException {
        SingleFileSnapshotInfo found = storage.getLatestSnapshot();
        latest = found;
        if (found == null) {
            return;
        }
        if (found.getIndex() > lastApplied) {
            // Its sum was compared before the library was given it.
            try (InputStream from = Files.newInputStream(found.getFile().getPath())) {
                applier.readSnapshot(found.getIndex(), from);
            } catch (DiskTrouble unreadable) {
                throw new IOException(unreadable.reason(), unreadable);
            }
            lastApplied = found.getIndex();
        }
        setLastAppliedTermIndex(found.getTermIndex());
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto entry = transaction.getLogEntry();
        if (isStopped) {
            return CompletableFuture.failedFuture(new IOException("applying has stopped"));
        }
        ByteString bytes = entry.getStateMachineLogEntry().getLogData();
        if (entry.getIndex() > appliedBefore) {
            try {
                applier.apply(entry.getIndex(), bytes.toByteArray());
            } catch (Trouble | RuntimeException | Error fault) {
                // Never skip: what follows was decided on what this entry says.
                isStopped = true;
                events.stopped();
                faults.fault("log entry " + entry.getIndex(), fault);
                return CompletableFuture.failedFuture(fault);
            }
            lastApplied = entry.getIndex();
        }
        updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
        if (pace.isDueAfter(bytes.size())) {
            snapshots.begin(getLastAppliedTermIndex(), applier.image());
        }
        return CompletableFuture.completedFuture(Message.EMPTY);
    }

    /** Called between two entries, when a snapshot was asked for. */
    @Override
    public long takeSnapshot() {
        TermIndex last = getLastAppliedTermIndex();
        if (!isStopped && last.getIndex() > snapshotIndex()) {
            snapshots.begin(last, applier.image());
        }
        return snapshotIndex();
    }

    private void snapshotDurable(SingleFileSnapshotInfo snapshot) {
        long index = snapshot.getIndex();
        latest = snapshot;
        try {
            RaftServer server = getServer().join();
            var _ = server.getDivision(getGroupId()).getRaftLog().purge(index);
            storage.removeOld();
        } catch (IOException closed) {
            LOG.info("The log was closed before it could be cut at {}", index, closed);
        }
    }

    @Override
    public SimpleStateMachineStorage getStateMachineStorage() {
        return storage;
    }

    @Override
    public @Nullable SingleFileSnapshotInfo getLatestSnapshot() {
        return latest;
    }

    /** The first entry of each leader is a configuration; ready follows once it is applied. */
    @Override
    public void notifyConfigurationChanged(long term, long index, RaftConfigurationProto configuration) {
        configuredTerm = term;
    }

    @Override
    public void notifyLeaderReady() {
        if (!isStopped) {
            leadingTerm = configuredTerm;
            events.leading(leadingTerm);
        }
    }

    @Override
    public void notifyNotLeader(Collection<TransactionContext> pending) {
        events.following(leadingTerm);
    }

    @Override
    public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto entry) {
        events.logFailed(cause);
    }

    @Override
    public void close() {
        events.ended();
    }
}
