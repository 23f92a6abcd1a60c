package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.codec.RecordCodec;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.RequestRow;
import io.cleat.state.TableName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Requests that are repeated. Situation -> answer. */
final class OnceTest {
    private static final RecordCodec<RegisterJob.Reply> REPLIES =
            RecordCodec.stored("rply", 1, RegisterJob.Reply.class);

    private final Cluster cluster = new Cluster();

    private Decision<Change, RegisterJob.Reply> ask(String command, String digest) {
        JobSpec spec = Cluster.job("a", JobType.SERVICE, 1, null, command);
        return cluster.decide(
                new Once<>(new RegisterJob(spec, null, null, 0, cluster.id()), digest, REPLIES),
                Optional.of("request-1"));
    }

    private static RegisterJob.Reply reply(Decision<Change, RegisterJob.Reply> decision) {
        return ((Decision.Accept<Change, RegisterJob.Reply>) decision).reply();
    }

    @Test
    void aRepeatedRequest_hasNoSecondEffectAndTheFirstReply() {
        RegisterJob.Reply first = reply(ask("/bin/a", "d"));
        long version = cluster.state().version();
        assertEquals(first, reply(ask("/bin/a", "d")));
        assertEquals(version, cluster.state().version());
    }

    @Test
    void anIdUsedForSomethingElse_isRefused() {
        ask("/bin/a", "d");
        assertTrue(ask("/bin/b", "other") instanceof Decision.Reject);
    }

    @Test
    void anHourLater_itIsForgotten() {
        ask("/bin/a", "d");
        cluster.pass(Duration.ofMinutes(59));
        cluster.accept(CollectGarbage.NOW);
        assertTrue(cluster.state().requests().get("request-1").isPresent());
        cluster.pass(Duration.ofMinutes(2));
        cluster.accept(CollectGarbage.NOW);
        assertTrue(cluster.state().requests().get("request-1").isEmpty());
    }

    @Test
    void aRefusal_isNotRemembered() {
        Command<VolumeReply> command = new DeregisterVolume(Cluster.volumeId("v"), false);
        RecordCodec<VolumeReply> replies = RecordCodec.stored("rply", 1, VolumeReply.class);
        Once<VolumeReply> once = new Once<>(command, "d", replies);
        assertTrue(cluster.decide(once, Optional.of("r")) instanceof Decision.Reject);
        assertTrue(cluster.state().requests().get("r").isEmpty());
        cluster.node("n1");
        cluster.volume("v", Cluster.WRITER);
        assertTrue(cluster.decide(once, Optional.of("r")) instanceof Decision.Accept);
    }

    /** Each request had an id made for it, and all were kept for an hour: millions, at a load. */
    @Test
    void aRequestWithoutAnId_isNotRemembered() {
        cluster.decide(
                new Once<>(
                        new RegisterJob(Cluster.job("a", JobType.SERVICE, 1), null, null, 0, cluster.id()),
                        "d",
                        REPLIES),
                Optional.empty());
        assertEquals(0, cluster.state().count(TableName.REQUESTS));
    }

    @Test
    void moreThanABound_theOldestAreForgotten() {
        List<Change> many = new ArrayList<>();
        for (int i = 0; i < Once.MOST; i++) {
            many.add(new Change.RequestKept(new RequestRow("old-" + i, "d", "", cluster.now(), 0, 0)));
        }
        ClusterState full = cluster.state();
        long version = full.version();
        for (Change one : many) {
            full = full.apply(List.of(one), ++version, cluster.now());
        }
        Once<RegisterJob.Reply> once = new Once<>(
                new RegisterJob(Cluster.job("a", JobType.SERVICE, 1), null, null, 0, cluster.id()), "d", REPLIES);
        Decision<Change, RegisterJob.Reply> decision =
                once.decide(full, new DecideContext(version + 1, cluster.now(), Optional.of("new"), 1));
        ClusterState after = full.apply(
                ((Decision.Accept<Change, RegisterJob.Reply>) decision).changes(), version + 1, cluster.now());
        assertEquals(Once.MOST - 1, after.count(TableName.REQUESTS));
        assertTrue(after.requests().get("new").isPresent());
        assertTrue(after.requests().get("old-0").isEmpty());
        assertTrue(after.requests().get("old-1").isEmpty());
        assertTrue(after.requests().get("old-2").isPresent());
    }
}
