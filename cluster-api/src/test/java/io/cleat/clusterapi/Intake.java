package io.cleat.clusterapi;

import io.cleat.base.Chance;
import io.cleat.base.Deadline;
import io.cleat.base.Ids;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.base.Trouble;
import io.cleat.log.fake.MemoryLog;
import io.cleat.server.ClusterMachine;
import io.cleat.server.commit.Applied;
import io.cleat.server.commit.Committer;
import io.cleat.server.commit.Saved;
import io.cleat.server.intake.Requests;
import io.cleat.server.session.LockTimes;
import io.cleat.server.session.NodeSessions;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import java.time.Duration;
import java.util.List;

/**
 * The server's intake over a log in memory that begins with a prepared image. It decides what it is asked, and nothing
 * by itself: no duty runs, and no node is there.
 */
public final class Intake implements AutoCloseable {
    private final Committer<ClusterState, Change> committer;
    private final Requests requests;

    /** One that decides nothing, for those who only read. */
    public static Requests idle() {
        return new Intake(ClusterState.empty()).requests;
    }

    public static Intake over(ClusterState state) throws Trouble, InterruptedException {
        Intake intake = new Intake(state);
        intake.committer.start();
        if (!intake.committer.awaitReign(Deadline.in(new SystemTime(), Duration.ofSeconds(30)))) {
            throw new AssertionError("nothing is decided");
        }
        return intake;
    }

    private Intake(ClusterState state) {
        SystemTime time = new SystemTime();
        Threads threads = Threads.virtual((where, fault) -> {
            throw new AssertionError(where, fault);
        });
        Ids ids = Ids.random();
        PlainVault vault = new PlainVault();
        this.committer =
                new Committer<>(new ClusterMachine(), new MemoryLog(saved(state)::writeTo), time, threads, ids);
        this.requests = new Requests(
                committer,
                new NodeSessions(committer, vault, time, threads, ids),
                vault,
                new LockTimes(time),
                time,
                Chance.system(),
                ids);
        committer.listenToDecisions(requests);
        committer.listenToDecisions(requests.recent());
    }

    /** An image as a member keeps it. */
    static Saved<ClusterState> saved(ClusterState state) {
        ClusterMachine machine = new ClusterMachine();
        return new Saved<>(
                new Applied<>(state, state.version(), state.decidedAt(), machine.newestLevel(), List.of()), machine);
    }

    public Requests requests() {
        return requests;
    }

    /** The newest image. */
    public ClusterState state() {
        return requests.reads().known();
    }

    public ServerCluster cluster() {
        return SampleCluster.cluster(requests.reads(), requests);
    }

    @Override
    public void close() {
        committer.close();
    }
}
