package io.cleat.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.Refused;
import io.cleat.base.Secrets;
import io.cleat.base.SystemTime;
import io.cleat.model.ControllerCapability;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobId;
import io.cleat.model.NodeFacts;
import io.cleat.model.VolumeId;
import io.cleat.state.ClusterState;
import io.cleat.state.VolumeKey;
import io.cleat.wire.ControllerReply;
import io.cleat.wire.OrderOutcome;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that comes back with an older past, and the nodes that it meets. */
final class RecoveryTest {
    private static final NodeFacts NODE = Samples.node("n1", Set.of(ControllerCapability.CREATE_DELETE_VOLUME));
    private static final VolumeId DATA = new VolumeId("default", "data");

    @TempDir
    Path temporary;

    private ServerWorld world;
    private Path copy;

    @BeforeEach
    void open() throws Exception {
        world = new ServerWorld(temporary.resolve("server"));
        copy = temporary.resolve("copy");
    }

    @AfterEach
    void close() {
        world.close();
    }

    private String cluster() throws Exception {
        return world.image().clusterId().orElseThrow();
    }

    private void register(String job) throws Exception {
        world.requests().jobs().register(Samples.job(job, "data"), null, null, 0, world.asked());
    }

    private int end() throws Exception {
        return end(true);
    }

    private int end(boolean force) throws Exception {
        return world.requests()
                .recovery()
                .end("somebody", force, Deadline.in(new SystemTime(), Duration.ofSeconds(20)));
    }

    /** The node with all that it has acted on, told to a server that was put back to the copy. */
    private ToServer.Obeyed restoredBehind(int jobsBefore, int jobsSince, NodeFacts... others) throws Exception {
        world.connect("secret", NODE).hear(ToNode.Welcome.class);
        world.copyTo(copy);
        for (int i = 0; i < jobsBefore; i++) {
            register("before-" + i);
        }
        for (NodeFacts other : others) {
            world.connect("secret", other).hear(ToNode.Welcome.class);
        }
        FakeAgent agent = world.connect("secret", NODE);
        ToServer.Obeyed obeyed = agent.obeyed(cluster());
        world.restore(copy);
        for (int i = 0; i < jobsSince; i++) {
            register("since-" + i);
        }
        return obeyed;
    }

    private String heardAndRejected(ToServer.Obeyed obeyed, ToServer.Held... held) throws Exception {
        FakeAgent agent = world.connect(NODE, obeyed);
        agent.hear(ToNode.Tell.class);
        agent.say(new ToServer.Holds(List.of(held), true));
        String why = agent.hear(ToNode.Rejected.class).reason();
        agent.awaitClosed();
        assertFalse(agent.hasHeard(ToNode.Assignments.class), "nothing is told to the node");
        return why;
    }

    @Test
    void aServerThatIsBehindItsNode_isInRecovery() throws Exception {
        ToServer.Obeyed obeyed = restoredBehind(3, 0);
        assertTrue(obeyed.version() > world.image().version());
        String why = heardAndRejected(obeyed);
        assertTrue(why.contains("has acted on version " + obeyed.version()), why);
        assertTrue(world.image().isRecovering());
    }

    /** The versions alone do not tell it: the server has decided more than the copy lacked. */
    @Test
    void aServerThatIsPastItsNodeOnAnotherRoad_isInRecovery() throws Exception {
        ToServer.Obeyed obeyed = restoredBehind(1, 9);
        assertTrue(obeyed.version() < world.image().version());
        String why = heardAndRejected(obeyed);
        assertTrue(why.contains("has decided that version otherwise"), why);
        assertTrue(world.image().isRecovering());
    }

    @Test
    void inRecoveryNothingIsChanged_readsAreAnswered_alsoAfterARestart() throws Exception {
        ToServer.Obeyed obeyed = restoredBehind(1, 9);
        heardAndRejected(obeyed);
        Refused refused = assertThrows(Refused.class, () -> register("during"));
        String why = refused.refusal().message();
        assertTrue(why.contains("in recovery since"), why);
        assertTrue(why.contains("name-n1 has acted on version " + obeyed.version()), why);
        assertTrue(why.contains("operator recovery"), why);
        world.restart();
        assertTrue(world.image().isRecovering());
        assertThrows(
                Refused.class,
                () -> world.requests()
                        .jobs()
                        .deregister(new JobId("default", "since-0"), false, false, false, 0, world.asked()));
        assertTrue(world.image().job(new JobId("default", "since-0")).isPresent());
        assertThrows(
                Refused.class,
                () -> world.requests().collectGarbage(Deadline.in(new SystemTime(), Duration.ofSeconds(20))));
    }

    /** Also a node that knows no more than these servers gets nothing meanwhile. */
    @Test
    void inRecoveryNoNodeIsTold() throws Exception {
        world.connect("secret", NODE).hear(ToNode.Welcome.class);
        NodeFacts other = Samples.node("n2", Set.of());
        FakeAgent beside = world.connect("secret", other);
        beside.hear(ToNode.Assignments.class);
        long version = world.image().version();
        heardAndRejected(new ToServer.Obeyed(cluster(), version + 100, 1, ""));
        beside.awaitClosed();
        FakeAgent again = world.connect("secret", other);
        again.hear(ToNode.Tell.class);
        again.say(new ToServer.Holds(List.of(), true));
        again.hear(ToNode.Rejected.class);
        assertFalse(again.hasHeard(ToNode.Assignments.class));
    }

    /** It was told nothing since, and has made calls for a reign that the servers have forgotten. */
    @Test
    void aNodeThatWasLetInInALaterReign_putsTheClusterIntoRecovery() throws Exception {
        world.connect("secret", NODE).hear(ToNode.Welcome.class);
        ToServer.Obeyed known = world.connect("secret", NODE).obeyed(cluster());
        String why = heardAndRejected(new ToServer.Obeyed(cluster(), known.version(), 1_000_000, known.lineage()));
        assertTrue(why.contains("let in in reign 1000000"), why);
        assertTrue(world.image().isRecovering());
    }

    @Test
    void aStrangerWithTheNodesId_beginsNoRecovery() throws Exception {
        world.connect("secret", NODE).hear(ToNode.Welcome.class);
        long version = world.image().version();
        FakeAgent stranger = world.connect("guess", NODE, new ToServer.Obeyed(cluster(), version + 100, 1, ""));
        String why = stranger.hear(ToNode.Rejected.class).reason();
        assertTrue(why.contains("secret ID does not match"), why);
        assertFalse(world.image().isRecovering());
    }

    @Test
    void whenAPersonHasEndedIt_theNodeBeginsAnew() throws Exception {
        ToServer.Obeyed obeyed = restoredBehind(3, 0);
        heardAndRejected(obeyed);
        assertEquals(1, end());
        assertFalse(world.image().isRecovering());
        assertEquals(0, end());
        world.restart();
        FakeAgent agent = world.connect(NODE, obeyed);
        assertTrue(agent.hear(ToNode.Welcome.class).anew());
        ToServer.Obeyed now = agent.obeyed(cluster());
        assertTrue(now.version() < obeyed.version() + 10);
        register("after");
        FakeAgent again = world.connect(NODE, now);
        assertFalse(again.hear(ToNode.Welcome.class).anew());
        assertFalse(world.image().isRecovering());
    }

    /** What it holds could be granted to others. */
    @Test
    void itIsNotEndedBeforeEachNodeHasSaidWhatItHolds_unlessForced() throws Exception {
        NodeFacts other = Samples.node("n2", Set.of());
        world.connect("secret", other).hear(ToNode.Welcome.class);
        ToServer.Obeyed obeyed = restoredBehind(3, 0, other);
        heardAndRejected(obeyed);
        String why = assertThrows(Refused.class, () -> end(false)).refusal().message();
        assertTrue(why.contains("name-n2 has not said yet"), why);
        FakeAgent telling = world.connect("secret", other);
        telling.hear(ToNode.Tell.class);
        telling.say(new ToServer.Holds(List.of(), true));
        telling.hear(ToNode.Rejected.class);
        assertEquals(1, end(false));
    }

    /** It may be the one that knows that the servers have forgotten something. */
    @Test
    void noNodeIsToldAnythingBeforeEachKnownOneHasCome() throws Exception {
        NodeFacts other = Samples.node("n2", Set.of());
        world.connect("secret", other).hear(ToNode.Welcome.class);
        ToServer.Obeyed obeyed = restoredBehind(3, 0, other);
        FakeAgent first = world.connect("secret", other);
        first.hear(ToNode.Welcome.class);
        first.say(new ToServer.Heartbeat(1));
        first.hear(ToNode.HeartbeatSeen.class);
        assertFalse(first.hasHeard(ToNode.Assignments.class));
        heardAndRejected(obeyed);
        first.awaitClosed();
        assertFalse(first.hasHeard(ToNode.Assignments.class));
        world.connect("secret", other).hear(ToNode.Tell.class);
    }

    @Test
    void onceTheLastKnownNodeHasCome_allAreTold() throws Exception {
        NodeFacts other = Samples.node("n2", Set.of());
        world.connect("secret", other).hear(ToNode.Welcome.class);
        world.connect("secret", NODE).hear(ToNode.Assignments.class);
        world.restart();
        FakeAgent first = world.connect("secret", other);
        first.hear(ToNode.Welcome.class);
        assertFalse(first.hasHeard(ToNode.Assignments.class));
        FakeAgent last = world.connect("secret", NODE);
        first.hear(ToNode.Assignments.class);
        last.hear(ToNode.Assignments.class);
    }

    /** Who comes later with yet another past was not asked before: it is asked. */
    @Test
    void anotherNodeWithAnotherPast_isAnotherRecovery() throws Exception {
        ToServer.Obeyed obeyed = restoredBehind(3, 0);
        heardAndRejected(obeyed);
        end();
        FakeAgent late = world.connect(
                Samples.node("n2", Set.of()), new ToServer.Obeyed(cluster(), obeyed.version() + 100, 1, ""));
        late.hear(ToNode.Tell.class);
        late.say(new ToServer.Holds(List.of(), true));
        late.hear(ToNode.Rejected.class);
        assertTrue(world.image().isRecovering());
    }

    /**
     * The restored server knows the volume and not who writes to it, and has granted it before it met the node: the
     * grant is held back until the node says that the writer is gone.
     */
    @Test
    void aVolumeThatALostAllocationHolds_isGrantedOnceItIsGone() throws Exception {
        FakeAgent agent = world.connect("secret", NODE);
        agent.hear(ToNode.Welcome.class);
        registerVolume(agent);
        world.copyTo(copy);
        agent = world.connect("secret", NODE);
        register("lost");
        ToNode.Assignment lost = agent.assigned("a grant", granted("lost"));
        ToServer.Obeyed obeyed = agent.obeyed(cluster());
        world.restore(copy);
        register("next");
        world.until(
                "a claim of the next job",
                state -> state.claims().ofVolume(DATA).size() == 1);

        heardAndRejected(obeyed, new ToServer.Held("disks", "external-data", lost.allocId(), "data"));
        ClusterState held = world.image();
        assertEquals(
                List.of(lost.allocId()),
                held.holdings().of(new VolumeKey("disks", "external-data")).stream()
                        .map(row -> row.id().allocId())
                        .toList());
        end();

        FakeAgent anew = world.connect(NODE, obeyed);
        assertTrue(anew.hear(ToNode.Welcome.class).anew());
        ToNode.Assignment next = anew.assigned(
                "the next job, without a grant",
                all -> all.stream().filter(one -> is(one, "next")).findFirst());
        assertNull(volume(next).grant());
        assertNotNull(volume(next).waitingFor());
        assertEquals(DesiredStatus.RUN, next.desired());
        anew.say(new ToServer.Heartbeat(1));
        anew.hear(ToNode.Tell.class);
        anew.say(
                new ToServer.Holds(List.of(new ToServer.Held("disks", "external-data", lost.allocId(), "data")), true));
        anew.say(new ToServer.Heartbeat(2));
        anew.hear(ToNode.Tell.class);
        assertEquals(1, world.image().holdings().all().size());
        anew.say(new ToServer.Holds(List.of(), true));
        anew.assigned("the grant", granted("next"));
        assertEquals(0, world.image().holdings().all().size());
    }

    private void registerVolume(FakeAgent agent) throws Exception {
        Waiting registered = Waiting.on(
                () -> world.requests().volumes().register(Samples.volume("data"), Secrets.none(), world.asked()));
        ToNode.Order order = agent.hear(ToNode.Order.class);
        agent.say(new ToServer.OrderDone(order.operationId(), new OrderOutcome.Done(new ControllerReply.Confirmed())));
        registered.ended();
    }

    private static boolean is(ToNode.Assignment one, String job) {
        return one.job().id().id().equals(job);
    }

    private static ToNode.AssignedVolume volume(ToNode.Assignment assignment) {
        return Optional.ofNullable(assignment.volumes().get("data")).orElseThrow();
    }

    private static Function<List<ToNode.Assignment>, Optional<ToNode.Assignment>> granted(String job) {
        return all -> all.stream()
                .filter(one -> is(one, job) && volume(one).grant() != null)
                .findFirst();
    }
}
