package io.cleat.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.EarlyEnd;
import io.cleat.base.Effect;
import io.cleat.base.Refused;
import io.cleat.base.Secrets;
import io.cleat.base.SystemTime;
import io.cleat.model.CallEnd;
import io.cleat.model.ControllerCapability;
import io.cleat.model.Listed;
import io.cleat.model.ListedVolume;
import io.cleat.model.MachinePrint;
import io.cleat.model.NodeEvent;
import io.cleat.model.NodeFacts;
import io.cleat.server.decide.RegisterJob;
import io.cleat.server.intake.Asked;
import io.cleat.server.intake.Done;
import io.cleat.server.intake.Versions;
import io.cleat.state.ClusterState;
import io.cleat.state.NodeRow;
import io.cleat.state.NodeStatus;
import io.cleat.state.TableName;
import io.cleat.testkit.Eventually;
import io.cleat.wire.ControllerCall;
import io.cleat.wire.ControllerReply;
import io.cleat.wire.OrderOutcome;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import io.cleat.wire.WireFormat;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is let in, and who is answered how. */
final class SessionsTest {
    private static final NodeFacts NODE = Samples.node("n1", Set.of(ControllerCapability.LIST_VOLUMES));

    @TempDir
    Path directory;

    private ServerWorld world;

    @BeforeEach
    void open() throws Exception {
        world = new ServerWorld(directory);
    }

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void aNodeThatIsLetInIsReadyAndGetsWhatItIsToDo() throws Exception {
        FakeAgent agent = world.connect("secret", NODE);
        ToNode.Welcome welcome = agent.hear(ToNode.Welcome.class);
        assertEquals(world.image().clusterId().orElseThrow(), welcome.clusterId());
        assertEquals(NodeStatus.READY, world.image().node("n1").orElseThrow().status());
        assertEquals(List.of(), agent.hear(ToNode.Assignments.class).allocations());
        agent.say(new ToServer.Heartbeat(7));
        assertEquals(7, agent.hear(ToNode.HeartbeatSeen.class).number());
    }

    @Test
    void anotherSecretIsNotLetIn() throws Exception {
        world.connect("secret", NODE).hear(ToNode.Welcome.class);
        FakeAgent stranger = world.connect("guess", NODE);
        String reason = stranger.hear(ToNode.Rejected.class).reason();
        assertTrue(reason.contains("secret ID does not match"), reason);
        stranger.awaitClosed();
    }

    @Test
    void aNodeOfAnotherCluster_isNotLetInAndNotRegistered() throws Exception {
        FakeAgent agent = world.connect(NODE, new ToServer.Obeyed("another", 1, 1, ""));
        String reason = agent.hear(ToNode.Rejected.class).reason();
        String own = world.image().clusterId().orElseThrow();
        assertTrue(reason.contains("belongs to cluster another"), reason);
        assertTrue(reason.contains("is of cluster " + own), reason);
        agent.awaitClosed();
        assertEquals(Optional.empty(), world.image().node("n1"));
    }

    @Test
    void aNodeThatHasActedOnMoreThanTheServerKnows_isHeardAndNotLetIn() throws Exception {
        world.connect("secret", NODE).hear(ToNode.Welcome.class);
        String cluster = world.image().clusterId().orElseThrow();
        long version = world.image().version();
        FakeAgent ahead = world.connect(NODE, new ToServer.Obeyed(cluster, version + 1_000_000, 1, ""));
        ahead.hear(ToNode.Tell.class);
        ahead.say(new ToServer.Holds(List.of(), true));
        String reason = ahead.hear(ToNode.Rejected.class).reason();
        assertTrue(reason.contains("has acted on version " + (version + 1_000_000)), reason);
        assertTrue(reason.contains("restored from an older copy"), reason);
        ahead.awaitClosed();
        assertTrue(world.image().isRecovering());
    }

    @Test
    void aNodeThatHasActedOnWhatTheServerKnows_isLetIn() throws Exception {
        FakeAgent first = world.connect("secret", NODE);
        first.hear(ToNode.Welcome.class);
        String cluster = world.image().clusterId().orElseThrow();
        FakeAgent known = world.connect(NODE, first.obeyed(cluster));
        assertFalse(known.hear(ToNode.Welcome.class).anew());
        ToServer.Obeyed obeyed = known.obeyed(cluster);
        world.restart();
        FakeAgent again = world.connect(NODE, obeyed);
        assertFalse(again.hear(ToNode.Welcome.class).anew());
    }

    private static final NodeFacts OTHER_BOOT = NODE.from("another-boot", new MachinePrint(Map.of()));

    @Test
    void aNodeFromAnotherBootWhileTheFormerAnswers_isNotLetInAndTheFirstGoesOn() throws Exception {
        FakeAgent first = world.connect("secret", NODE);
        first.hear(ToNode.Welcome.class);
        for (String words : List.of("come again", "still answers")) {
            FakeAgent copy = world.connect("secret", OTHER_BOOT);
            first.say(new ToServer.OrderState(first.hear(ToNode.AskOrder.class).operationId(), false));
            String reason = copy.hear(ToNode.Rejected.class).reason();
            assertTrue(reason.contains(words), reason);
            copy.awaitClosed();
        }
        NodeRow node = world.image().node("n1").orElseThrow();
        assertTrue(node.isQuarantined());
        assertEquals(NodeStatus.READY, node.status());
        first.say(new ToServer.Heartbeat(7));
        assertEquals(7, first.hear(ToNode.HeartbeatSeen.class).number());
    }

    @Test
    void aNodeThatHasBooted_isLetInWhenItsFormerLinkIsClosed() throws Exception {
        FakeAgent first = world.connect("secret", NODE);
        first.hear(ToNode.Welcome.class);
        first.close();
        FakeAgent booted = world.connect("secret", OTHER_BOOT);
        booted.hear(ToNode.Welcome.class);
        NodeRow node = world.image().node("n1").orElseThrow();
        assertEquals(List.of(NODE.bootId()), node.proof().overBoots());
        FakeAgent back = world.connect("secret", NODE);
        booted.say(new ToServer.OrderState(booted.hear(ToNode.AskOrder.class).operationId(), false));
        back.hear(ToNode.Rejected.class);
    }

    @Test
    void aCopyOnAnotherMachine_isNotLetInWhoeverAnswers() throws Exception {
        NodeFacts marked = NODE.from("boot-1", new MachinePrint(Map.of(MachinePrint.DISK, "d1")));
        FakeAgent first = world.connect("secret", marked);
        first.hear(ToNode.Welcome.class);
        FakeAgent copy =
                world.connect("secret", NODE.from("boot-1", new MachinePrint(Map.of(MachinePrint.DISK, "d2"))));
        String reason = copy.hear(ToNode.Rejected.class).reason();
        assertTrue(reason.contains("another machine or place: another disk"), reason);
        assertTrue(reason.contains("node quarantine -dismiss n1"), reason);
        first.say(new ToServer.Heartbeat(7));
        first.hear(ToNode.HeartbeatSeen.class);
    }

    @Test
    void anotherProtocolIsRefusedWithItsNumber() throws Exception {
        FakeAgent agent = world.connect(WireFormat.VERSION + 1, NODE);
        String reason = agent.hear(ToNode.Rejected.class).reason();
        assertTrue(reason.contains("version " + (WireFormat.VERSION + 1)), reason);
        agent.awaitClosed();
    }

    @Test
    void aNewerLinkTakesThePlaceOfTheOlderOne() throws Exception {
        FakeAgent older = world.connect("secret", NODE);
        older.hear(ToNode.Welcome.class);
        FakeAgent newer = world.connect("secret", NODE);
        newer.hear(ToNode.Assignments.class);
        older.awaitClosed();
        newer.say(new ToServer.Heartbeat(1));
        newer.hear(ToNode.HeartbeatSeen.class);
    }

    private static ToServer.NodeEvents event(String words) {
        return new ToServer.NodeEvents(List.of(new NodeEvent("Test", words, Map.of(), Instant.EPOCH)));
    }

    private boolean isTold(ClusterState image, String words) {
        return image.node("n1").orElseThrow().events().stream()
                .anyMatch(event -> event.message().equals(words));
    }

    /** Each event broke the link of its node, and was lost. */
    @Test
    void eventsInTheReserve_areDropped_andTheLinkStays() throws Exception {
        FakeAgent agent = world.connect("secret", NODE);
        agent.hear(ToNode.Welcome.class);
        world.leave(16 << 20);
        world.untilTight();
        agent.say(event("dropped"));
        agent.say(new ToServer.Heartbeat(7));
        assertEquals(7, agent.hear(ToNode.HeartbeatSeen.class).number());
        world.leave(Long.MAX_VALUE);
        agent.say(event("kept"));
        ClusterState image = world.until("the event is kept", now -> isTold(now, "kept"));
        assertFalse(isTold(image, "dropped"));
        assertFalse(agent.isClosed());
    }

    /** Each report ended the reign, and closed the links of all nodes. */
    @Test
    void aReportOnAFullDisk_keepsTheLink_andIsSaidAgainOnceThereIsRoom() throws Exception {
        FakeAgent agent = world.connect("secret", NODE);
        agent.hear(ToNode.Welcome.class);
        world.leave(1 << 20);
        NodeFacts newer = Samples.node("n1", Set.of());
        agent.say(new ToServer.Facts(newer));
        agent.say(new ToServer.Heartbeat(7));
        assertEquals(7, agent.hear(ToNode.HeartbeatSeen.class).number());
        assertEquals(NODE, world.image().node("n1").orElseThrow().facts());
        world.leave(Long.MAX_VALUE);
        agent.say(new ToServer.Heartbeat(8));
        agent.awaitClosed();
        FakeAgent again = world.connect("secret", newer);
        again.hear(ToNode.Welcome.class);
        assertEquals(newer, world.image().node("n1").orElseThrow().facts());
    }

    @Test
    void aRepeatedRequestHasOneEffectAndTheSameAnswer() throws Exception {
        Asked asked = new Asked(Optional.of("request-1"), Deadline.in(new SystemTime(), Duration.ofSeconds(20)));
        var job = Samples.job("job", "data");
        Done<RegisterJob.Reply> first = world.requests().jobs().register(job, null, null, 0, asked);
        long version = world.image().version();
        Done<RegisterJob.Reply> again = world.requests().jobs().register(job, null, null, 0, asked);
        assertEquals(first.reply(), again.reply());
        assertEquals(
                1,
                world.image().evaluations().ofJob(job.id()).stream()
                        .filter(row -> row.id().equals(first.reply().evalId()))
                        .count());
        assertTrue(again.version() >= version, "as new as what was answered before");
        assertThrows(
                Refused.class,
                () -> world.requests().jobs().register(Samples.job("other", "data"), null, null, 0, asked));
    }

    @Test
    void planningChangesNothing() throws Exception {
        world.connect("secret", NODE).hear(ToNode.Welcome.class);
        long before = world.image().version();
        var planned = world.requests().jobs().plan(Samples.job("job", "data"), null, 0);
        assertTrue(planned.plan().failed().containsKey("group"), "its volume is not there");
        assertEquals(before, world.image().version());
    }

    @Test
    void aBlockingReadAnswersOnceSomethingIsNewer() throws Exception {
        long index = Math.max(1, world.image().version());
        Waiting read = Waiting.on(() -> world.requests()
                .reads()
                .readNewer(false, Versions.of(TableName.JOBS), index, Duration.ofMinutes(5), EarlyEnd.NEVER));
        world.requests().jobs().register(Samples.job("job", "data"), null, null, 0, world.asked());
        read.ended();
    }

    @Test
    void aBlockingReadEndsWithItsTimeThoughNothingIsNewer() throws Exception {
        ClusterState image = world.requests()
                .reads()
                .readNewer(false, Versions.of(TableName.VOLUMES), 1_000_000, Duration.ofMillis(50), EarlyEnd.NEVER);
        assertEquals(0, image.version(TableName.VOLUMES));
    }

    @Test
    void thePluginsOwnListIsAskedForAndNothingIsKept() throws Exception {
        FakeAgent agent = world.connect("secret", NODE);
        agent.hear(ToNode.Assignments.class);
        Waiting listed = Waiting.on(() -> {
            Listed<ListedVolume> reply = world.requests()
                    .volumes()
                    .external("disks", "", 10, world.asked().deadline());
            assertEquals("next", reply.nextToken());
            return reply;
        });
        ToNode.Order order = agent.hear(ToNode.Order.class);
        assertEquals(new ControllerCall.ListVolumes("", 10), order.call());
        agent.say(new ToServer.OrderDone(
                order.operationId(), new OrderOutcome.Done(new ControllerReply.Listed(List.of(), "next"))));
        listed.ended();
        assertTrue(world.image().operations().all().isEmpty());
    }

    private Waiting listing() {
        return Waiting.on(() -> world.requests()
                .volumes()
                .external("disks", "", 10, world.asked().deadline()));
    }

    private static void answerNone(FakeAgent agent) throws Exception {
        agent.say(new ToServer.OrderDone(
                agent.hear(ToNode.Order.class).operationId(),
                new OrderOutcome.Done(new ControllerReply.Listed(List.of(), ""))));
    }

    @Test
    void aNodeThatHasTheInstanceNoMore_isPassedOver() throws Exception {
        Set<ControllerCapability> can = Set.of(ControllerCapability.LIST_VOLUMES);
        FakeAgent first = world.connect("secret-1", Samples.node("n1", can));
        FakeAgent second = world.connect("secret-2", Samples.node("n2", can));
        // A node is registered before it can be asked.
        first.hear(ToNode.Assignments.class);
        second.hear(ToNode.Assignments.class);
        Waiting listed = listing();
        first.say(new ToServer.OrderDone(
                first.hear(ToNode.Order.class).operationId(),
                new OrderOutcome.Failed(Effect.NONE, CallEnd.NOT_MADE, "it is not on this node")));
        answerNone(second);
        listed.ended();
    }

    /** It was said not to have answered, and the other was not asked. */
    @Test
    void aNodeWhoseLinkIsBroken_isPassedOver_andSaidToHaveNoLinkIfItIsTheOnlyOne() throws Exception {
        Set<ControllerCapability> can = Set.of(ControllerCapability.LIST_VOLUMES);
        FakeAgent first = world.connect("secret-1", Samples.node("n1", can));
        first.hear(ToNode.Assignments.class);
        first.close();
        Eventually.holds(
                () -> {
                    Refused refused = assertThrows(
                            Refused.class,
                            () -> world.requests()
                                    .volumes()
                                    .external("disks", "", 10, Deadline.in(new SystemTime(), Duration.ofMillis(200))));
                    String words = refused.refusal().message();
                    return words.contains("was not asked") && words.contains("(node n1)");
                },
                "it is said that n1 has no link");
        FakeAgent second = world.connect("secret-2", Samples.node("n2", can));
        second.hear(ToNode.Assignments.class);
        Waiting listed = listing();
        answerNone(second);
        listed.ended();
    }

    @Test
    void whatNobodyRunsIsRefused() {
        Refused refused = assertThrows(
                Refused.class,
                () -> world.requests().volumes().create(Samples.volume("data"), Secrets.none(), world.asked()));
        assertTrue(refused.refusal().message().contains("no CSI plugin named"), refused.refusal()::message);
    }
}
