package io.cleat.server;

import io.cleat.base.Chance;
import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.FaultHandler;
import io.cleat.base.Ids;
import io.cleat.base.InWork;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import io.cleat.base.Watched;
import io.cleat.log.CheckedFile;
import io.cleat.log.LogApplier;
import io.cleat.log.LogSettings;
import io.cleat.log.RatisLog;
import io.cleat.log.ReplicatedLog;
import io.cleat.log.StoredLog;
import io.cleat.server.commit.Applied;
import io.cleat.server.commit.AppliedListener;
import io.cleat.server.commit.CommitStatus;
import io.cleat.server.commit.Committer;
import io.cleat.server.commit.InspectedEntry;
import io.cleat.server.commit.LogInspection;
import io.cleat.server.commit.Saved;
import io.cleat.server.duty.Duties;
import io.cleat.server.duty.Garbage;
import io.cleat.server.intake.Requests;
import io.cleat.server.session.LockTimes;
import io.cleat.server.session.NodeSessions;
import io.cleat.server.vault.KeyVault;
import io.cleat.server.vault.Vault;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.Subject;
import io.cleat.wire.Sessions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * One server. Made, started once, closed once; closing twice is harmless.
 *
 * <p>Any thread.
 */
public final class Server implements AutoCloseable {

    private final Committer<ClusterState, Change> committer;
    private final NodeSessions sessions;
    private final Duties duties;
    private final Requests requests;
    private final Acknowledged acknowledged;
    private final Vault vault;
    private final Reigns reigns;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    /** With a log and a key in memory or wherever they are. */
    public Server(ReplicatedLog log, Vault vault, Time time, Chance chance, Ids ids, Threads threads) {
        this(log, vault, Acknowledged.none(), time, chance, ids, threads, InWork.UNNOTED, Garbage.USUAL);
    }

    /**
     * With a log and a key wherever they are, and a note of what was acknowledged.
     *
     * @param acknowledged the file that it is in
     * @throws DiskTrouble it cannot be read or made
     */
    public static Server noting(
            Path acknowledged, ReplicatedLog log, Vault vault, Time time, Chance chance, Ids ids, Threads threads)
            throws DiskTrouble {
        return new Server(
                log,
                vault,
                Acknowledged.in(acknowledged, false),
                time,
                chance,
                ids,
                threads,
                InWork.UNNOTED,
                Garbage.USUAL);
    }

    private Server(
            ReplicatedLog log,
            Vault vault,
            Acknowledged acknowledged,
            Time time,
            Chance chance,
            Ids ids,
            Threads threads,
            InWork inWork,
            Garbage garbage) {
        this.acknowledged = acknowledged;
        this.vault = vault;
        this.committer = new Committer<>(new ClusterMachine(), log, time, threads, ids);
        this.sessions = new NodeSessions(committer, vault, time, threads, ids);
        LockTimes locks = new LockTimes(time);
        this.duties = new Duties(committer, sessions, vault, locks, time, threads, chance, ids, inWork, garbage);
        this.requests = new Requests(committer, sessions, vault, locks, time, chance, ids);
        this.reigns = new Reigns(committer, sessions, duties, acknowledged, vault, time, threads, ids);
        committer.listen(acknowledged);
        committer.listenToDecisions(requests);
        committer.listenToDecisions(requests.recent());
        committer.listenToDecisions(sessions);
        committer.listen(new Changes());
        committer.listenToReigns(reigns);
    }

    /**
     * A server of its own directory.
     *
     * @throws DiskTrouble the key of the secrets cannot be read or made
     */
    public static Server of(
            ServerSettings settings, Time time, Chance chance, Ids ids, Threads threads, FaultHandler faults)
            throws DiskTrouble {
        RestoredLog.requireEnded(settings.dataDirectory());
        boolean hasServedBefore = settings.hasServedBefore();
        Vault vault = KeyVault.open(settings.keyFile(), !hasServedBefore);
        ReplicatedLog log =
                new RatisLog(LogSettings.in(settings.logDirectory()), settings.room(), time, threads, ids, faults);
        return new Server(
                log,
                vault,
                Acknowledged.in(settings.acknowledgedFile(), hasServedBefore),
                time,
                chance,
                ids,
                threads,
                settings.inWork(),
                settings.garbage());
    }

    /**
     * Reads each file of the log of a server that does not run to its end.
     *
     * @param serverDirectory its data directory
     * @throws DiskTrouble there is no log, or it is in use
     */
    public static List<CheckedFile> verify(Path serverDirectory) throws DiskTrouble {
        try (StoredLog log = StoredLog.open(serverDirectory.resolve(ServerSettings.LOG))) {
            return log.check();
        }
    }

    /** What only applies a cluster's log; its image is a snapshot for a server that lags behind. */
    public static LogApplier follower() {
        return Committer.follower(new ClusterMachine());
    }

    /**
     * Reads what {@link Saved#writeTo} wrote.
     *
     * @throws DiskTrouble it is damaged, or a newer program wrote it
     */
    public static Saved<ClusterState> read(InputStream saved) throws IOException, DiskTrouble {
        return Saved.read(saved, new ClusterMachine());
    }

    /**
     * Walks the log of a server that does not run as its start would.
     *
     * @param serverDirectory its data directory
     * @return what was found of the whole
     * @throws DiskTrouble there is no log, or it is in use
     */
    public static LogInspection<ClusterState, Change> inspect(Path serverDirectory, Consumer<InspectedEntry> reader)
            throws DiskTrouble {
        LogInspection<ClusterState, Change> inspection = new LogInspection<>(
                new ClusterMachine(),
                change -> new InspectedEntry.Row(change.getClass().getSimpleName(), Subject.of(change)));
        try (StoredLog log = StoredLog.open(serverDirectory.resolve(ServerSettings.LOG))) {
            inspection.walk(log, reader);
        }
        return inspection;
    }

    /**
     * Opens the log and takes up work. Returns once the member runs; it decides a little later.
     *
     * @throws Trouble the log cannot be opened
     */
    public void start() throws Trouble {
        committer.start();
    }

    /** Where nodes come in. */
    public Sessions sessions() {
        return sessions;
    }

    public Requests requests() {
        return requests;
    }

    /** What must go on in it. */
    public List<Watched> watched() {
        return List.of(committer::head, duties::planning);
    }

    /** Waits until this member decides and nodes are let in; false when the deadline passes. */
    public boolean awaitReady(Deadline deadline) throws InterruptedException {
        return sessions.awaitOpen(deadline);
    }

    public ServerStatus status() {
        CommitStatus commit = committer.status();
        Applied<ClusterState> applied = committer.applied();
        return new ServerStatus(
                applied.image().clusterId(),
                commit.log().alive() && !isClosed.get(),
                commit.reign().isPresent(),
                reigns.since(),
                applied.version(),
                vault.fault(),
                commit);
    }

    /** Ends duties and sessions, then deciding, then the log. Nodes go on without it. */
    @Override
    public void close() {
        if (isClosed.compareAndSet(false, true)) {
            reigns.close();
            duties.end();
            sessions.end();
            committer.close();
            acknowledged.close();
        }
    }

    /** Tells the duties that the image is new. */
    private final class Changes implements AppliedListener<ClusterState> {
        @Override
        public void applied(Applied<ClusterState> before, Applied<ClusterState> after) {
            duties.imageChanged(before.image(), after.image());
        }

        @Override
        public void installed(Applied<ClusterState> after) {
            duties.imageReplaced();
        }
    }
}
