package io.cleat.server;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Effect;
import io.cleat.base.ExpiredTrouble;
import io.cleat.base.Ids;
import io.cleat.base.Refused;
import io.cleat.base.Secrets;
import io.cleat.model.ClientStatus;
import io.cleat.model.ControllerCapability;
import io.cleat.model.CsiPluginSpec;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobId;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.NodeFacts;
import io.cleat.model.PluginType;
import io.cleat.model.VolumeId;
import io.cleat.server.decide.Cluster;
import io.cleat.server.vault.KeyVault;
import io.cleat.state.AttachmentState;
import io.cleat.state.ClusterState;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import io.cleat.state.OperationRow;
import io.cleat.state.OperationState;
import io.cleat.wire.ControllerCall;
import io.cleat.wire.ControllerReply;
import io.cleat.wire.OrderOutcome;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import io.cleat.wire.ToServer.VolumePhase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The life of a volume through the whole server, with a node that the test plays. */
final class VolumeLifeTest {
    private static final VolumeId DATA = new VolumeId("default", "data");
    private static final NodeFacts PLAIN = Samples.node("n1", Set.of(ControllerCapability.CREATE_DELETE_VOLUME));
    private static final NodeFacts ATTACHING = Samples.node(
            "n1", Set.of(ControllerCapability.CREATE_DELETE_VOLUME, ControllerCapability.PUBLISH_UNPUBLISH_VOLUME));

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

    /** As with a constraint whose evaluation needs more stack than there is. */
    @Test
    void anEvaluationThatCannotBePlannedFailsWithTheTextAndTheOthersGoOn() throws Exception {
        world.close();
        AtomicBoolean isFaulty = new AtomicBoolean();
        Ids ids = Ids.random();
        world = new ServerWorld(directory, () -> {
            boolean isPlanner = Thread.currentThread().getName().equals("duty/placement");
            if (isPlanner && isFaulty.compareAndSet(true, false)) {
                throw new StackOverflowError("too deep");
            }
            return ids.next();
        });
        FakeAgent agent = connect(PLAIN);
        register(agent, Secrets.none());
        isFaulty.set(true);
        world.requests().jobs().register(Samples.job("poison", "data"), null, null, 0, world.asked());
        ClusterState failed = world.until(
                "a failed evaluation",
                image -> !image.evaluations().in(EvaluationStatus.FAILED).isEmpty());
        EvaluationRow row = failed.evaluations().in(EvaluationStatus.FAILED).getFirst();
        assertEquals("poison", row.job().id());
        assertTrue(row.statusDescription().contains("too deep"), row.statusDescription());
        world.requests().jobs().register(Samples.job("first", "data"), null, null, 0, world.asked());
        agent.assigned("a grant", granted("first"));
        assertEquals(1, world.expectedFaults().size());
    }

    @Test
    void theSecondJobIsPlacedByItselfOnceTheFirstHasLetGo() throws Exception {
        FakeAgent agent = connect(PLAIN);
        register(agent, Secrets.of(Map.of("key", "value")));

        world.requests().jobs().register(Samples.job("first", "data"), null, null, 0, world.asked());
        ToNode.Assignment first = agent.assigned("a grant", granted("first"));
        ToNode.AssignedVolume volume = first.volumes().get("data");
        assertNotNull(volume);
        ToNode.Grant grant = volume.grant();
        assertNotNull(grant);
        assertEquals(Map.of("key", "value"), grant.secrets().reveal());
        assertEquals(Map.of("where", "here"), volume.context());
        agent.say(
                ServerWorld.report(first.allocId(), ClientStatus.RUNNING, DATA, grant.epoch(), VolumePhase.PUBLISHED));

        world.requests().jobs().register(Samples.job("second", "data"), null, null, 0, world.asked());
        ClusterState waits = world.until("a blocked evaluation", VolumeLifeTest::secondIsBlocked);
        EvaluationRow blocked = waits.evaluations().in(EvaluationStatus.BLOCKED).getFirst();
        assertEquals(List.of(DATA), blocked.waits().blockedOn());
        assertNotNull(blocked.waits().blockedBy());
        assertTrue(blocked.waits().blockedBy().holder().contains(first.allocId()), "it says on whom");

        world.requests().jobs().deregister(new JobId("default", "first"), false, false, false, 0, world.asked());
        agent.assigned("a stop", wanted("first", DesiredStatus.STOP));
        agent.say(ServerWorld.report(
                first.allocId(), ClientStatus.COMPLETE, DATA, grant.epoch(), VolumePhase.UNMOUNTING));
        world.until(
                "the report",
                state -> state.allocation(first.allocId()).orElseThrow().status() == ClientStatus.COMPLETE);
        assertTrue(secondIsBlocked(world.image()), "ended is not unpublished");
        agent.say(ServerWorld.report(
                first.allocId(), ClientStatus.COMPLETE, DATA, grant.epoch(), VolumePhase.UNPUBLISHED));
        ToNode.Assignment second = agent.assigned("the second's grant", granted("second"));
        assertTrue(epoch(second) > grant.epoch(), "a later grant has a later epoch");
    }

    /** {@code job plan} showed what the node would have refused for ever. */
    @Test
    void planningAnotherDriverForAPluginWhoseVolumesAreUsed_isRefused() throws Exception {
        FakeAgent agent = connect(PLAIN);
        register(agent, Secrets.none());
        JobSpec plugin = Cluster.job(
                "storage",
                JobType.SYSTEM,
                1,
                new CsiPluginSpec(
                        Samples.volume("data").pluginId(),
                        PluginType.NODE,
                        "/csi",
                        "/local/csi",
                        Duration.ofSeconds(30),
                        null),
                "/bin/true");
        world.requests().jobs().register(plugin, null, null, 0, world.asked());
        world.requests().jobs().register(Samples.job("first", "data"), null, null, 0, world.asked());
        agent.assigned("a grant", granted("first"));
        Refused refused = assertThrows(
                Refused.class, () -> world.requests().jobs().plan(Cluster.driven(plugin, "exec"), null, 0));
        String words = refused.refusal().message();
        assertTrue(words.startsWith("the driver cannot change from raw_exec to exec"), words);
    }

    @Test
    void theNodeSaysAllAgainToARestartedServer() throws Exception {
        FakeAgent agent = connect(PLAIN);
        register(agent, Secrets.of(Map.of("key", "value")));
        world.requests().jobs().register(Samples.job("first", "data"), null, null, 0, world.asked());
        ToNode.Assignment first = agent.assigned("a grant", granted("first"));
        long before = world.image().version();

        world.restart();
        agent.awaitClosed();
        FakeAgent again = connect(PLAIN);
        ToNode.Assignment same = again.assigned("the same", granted("first"));
        assertEquals(first.allocId(), same.allocId());
        assertEquals(epoch(first), epoch(same));
        assertEquals(
                Map.of("key", "value"),
                Optional.ofNullable(same.volumes().get("data"))
                        .map(ToNode.AssignedVolume::grant)
                        .orElseThrow()
                        .secrets()
                        .reveal());
        again.say(ServerWorld.report(first.allocId(), ClientStatus.RUNNING, DATA, epoch(first), VolumePhase.PUBLISHED));
        ClusterState after = world.until(
                "what it says again",
                state -> state.allocation(first.allocId()).orElseThrow().status() == ClientStatus.RUNNING);
        assertTrue(after.version() > before, "versions go on");
    }

    @Test
    void aCreatedVolumeIsRegisteredWithWhatThePluginAnswers() throws Exception {
        FakeAgent agent = connect(PLAIN);
        Waiting created = Waiting.on(
                () -> world.requests().volumes().create(Samples.volume("data"), Secrets.none(), world.asked()));
        ToNode.Order order = agent.hear(ToNode.Order.class);
        assertTrue(order.call() instanceof ControllerCall.Create);
        assertEquals(
                OperationState.SENT,
                world.image()
                        .operations()
                        .get(order.operationId())
                        .orElseThrow()
                        .state());
        agent.say(done(order, new ControllerReply.Created("made", 64 << 20, Map.of(), List.of())));
        created.ended();
        assertEquals("made", world.image().volume(DATA).orElseThrow().spec().externalId());
        assertEquals(64 << 20, world.image().volume(DATA).orElseThrow().capacity());
    }

    @Test
    void whatThePluginRefusesIsRefusedWithItsWords() throws Exception {
        FakeAgent agent = connect(PLAIN);
        Waiting created = Waiting.on(
                () -> world.requests().volumes().create(Samples.volume("data"), Secrets.none(), world.asked()));
        ToNode.Order order = agent.hear(ToNode.Order.class);
        agent.say(new ToServer.OrderDone(
                order.operationId(),
                new OrderOutcome.Failed(Effect.NONE, "OutOfRange", "rpc error: code = OutOfRange")));
        Refused refused = assertThrows(Refused.class, created::ended);
        assertTrue(refused.refusal().message().startsWith("controller create volume: "), refused.refusal()::message);
        assertTrue(world.image().volume(DATA).isEmpty());
    }

    @Test
    void anAttachmentOfUnknownOutcomeGrantsNothingAndStaysOnItsRow() throws Exception {
        FakeAgent agent = connect(ATTACHING);
        register(agent, Secrets.none());
        world.requests().jobs().register(Samples.job("first", "data"), null, null, 0, world.asked());
        ToNode.Order order = agent.hear(ToNode.Order.class);
        assertTrue(order.call() instanceof ControllerCall.Publish);
        ToNode.Assignment waiting = agent.assigned("it", of("first"));
        assertNull(volume(waiting).grant());
        assertNotNull(volume(waiting).waitingFor());

        agent.say(new ToServer.OrderDone(
                order.operationId(), new OrderOutcome.Failed(Effect.UNKNOWN, "Unavailable", "gone away")));
        ToNode.Order same = agent.hear(ToNode.Order.class);
        assertEquals(order.operationId(), same.operationId(), "the same operation again");
        assertEquals(order.allocId(), same.allocId(), "by the same instance");
        assertEquals(order.call(), same.call(), "with the same arguments");
        assertEquals(AttachmentState.ATTACHING, attachment(world.image()));
        agent.say(done(same, new ControllerReply.Published(Secrets.of(Map.of("device", "sdx")))));
        ToNode.Assignment first = agent.assigned("a grant", granted("first"));
        assertEquals(
                Map.of("device", "sdx"),
                Optional.ofNullable(volume(first).grant())
                        .orElseThrow()
                        .publishContext()
                        .reveal());
    }

    @Test
    void aVolumeIsDetachedOnlyOnceItsNodeHasUnpublishedIt() throws Exception {
        FakeAgent agent = connect(ATTACHING);
        register(agent, Secrets.none());
        world.requests().jobs().register(Samples.job("first", "data"), null, null, 0, world.asked());
        agent.say(done(agent.hear(ToNode.Order.class), new ControllerReply.Published(Secrets.none())));
        ToNode.Assignment first = agent.assigned("a grant", granted("first"));
        // At once: a replacement of it would take over the volume, and this agent plays one
        // allocation.
        world.requests().jobs().deregister(new JobId("default", "first"), false, false, false, 0, world.asked());
        agent.assigned("a stop", wanted("first", DesiredStatus.STOP));
        assertFalse(agent.hasHeard(ToNode.Order.class), "nothing is detached under a mount");
        agent.say(ServerWorld.report(
                first.allocId(), ClientStatus.COMPLETE, DATA, epoch(first), VolumePhase.UNPUBLISHED));
        ToNode.Order order = agent.hear(ToNode.Order.class);
        assertTrue(order.call() instanceof ControllerCall.Unpublish);
        assertThrows(
                Refused.class,
                () -> world.requests().volumes().delete(DATA, Secrets.none(), world.asked()),
                "not while it is attached");
        agent.say(done(order, new ControllerReply.Unpublished()));
        world.until("detached", state -> state.attachments().all().isEmpty());
    }

    @Test
    void aNewLinkIsAskedForWhatWasSentOnTheOldOne() throws Exception {
        FakeAgent agent = connect(PLAIN);
        Waiting created = Waiting.on(
                () -> world.requests().volumes().create(Samples.volume("data"), Secrets.none(), world.asked()));
        ToNode.Order order = agent.hear(ToNode.Order.class);
        agent.close();
        FakeAgent again = connect(PLAIN);
        assertEquals(order.operationId(), again.hear(ToNode.AskOrder.class).operationId());
        again.say(new ToServer.OrderState(order.operationId(), false));
        ToNode.Order same = again.hear(ToNode.Order.class);
        assertEquals(order.call(), same.call());
        OperationRow row = world.image().operations().get(order.operationId()).orElseThrow();
        assertTrue(row.wasUnknown());
        again.say(done(same, new ControllerReply.Created("made", 0, Map.of(), List.of())));
        created.ended();
    }

    /** A create was waited for five minutes, beside a plugin that never said how it ended. */
    @Test
    void whoWaitsForACallThatNeverHasAnEnd_isToldOfItAndTheCallGoesOn() throws Exception {
        FakeAgent agent = connect(PLAIN);
        Waiting created = Waiting.on(
                () -> world.requests().volumes().create(Samples.volume("data"), Secrets.none(), world.asked()));
        for (int tries = 1; tries <= 4; tries++) {
            agent.say(new ToServer.OrderDone(
                    agent.hear(ToNode.Order.class).operationId(),
                    new OrderOutcome.Failed(Effect.UNKNOWN, "Unavailable", "gone away")));
        }
        ExpiredTrouble told = assertThrows(ExpiredTrouble.class, created::ended);
        assertTrue(told.reason().contains("unknown after 4 tries"), told::reason);
        assertTrue(told.reason().contains("gone away"), told::reason);
        ToNode.Order again = agent.hear(ToNode.Order.class);
        agent.say(done(again, new ControllerReply.Created("made", 0, Map.of(), List.of())));
        world.until("the volume", state -> state.volume(DATA).isPresent());
    }

    /** It was used without a word, beside what nobody could read any more. */
    @Test
    void aKeyOfAnotherServerInThePlaceOfTheOneThatWas_isSaid_andKeepsNoSecret() throws Exception {
        FakeAgent agent = connect(PLAIN);
        register(agent, Secrets.of(Map.of("key", "value")));
        Path key = directory.resolve("secrets.key");
        byte[] own = Files.readAllBytes(key);
        world.restartAfter(() -> {
            Files.delete(key);
            assertDoesNotThrow(() -> KeyVault.open(key));
        });
        String fault = world.server().status().fault().orElseThrow();
        assertTrue(fault.contains(key + ", is "), fault);
        world.restartAfter(() -> Files.write(key, own));
        assertEquals(Optional.empty(), world.server().status().fault());
    }

    /** Connects, and waits until the node is let in: before, its plugin is not known. */
    private FakeAgent connect(NodeFacts facts) throws Exception {
        FakeAgent agent = world.connect("secret", facts);
        agent.hear(ToNode.Welcome.class);
        return agent;
    }

    private void register(FakeAgent agent, Secrets secrets) throws Exception {
        Waiting registered =
                Waiting.on(() -> world.requests().volumes().register(Samples.volume("data"), secrets, world.asked()));
        ToNode.Order order = agent.hear(ToNode.Order.class);
        assertTrue(order.call() instanceof ControllerCall.Validate);
        agent.say(done(order, new ControllerReply.Confirmed()));
        registered.ended();
    }

    private static ToServer.OrderDone done(ToNode.Order order, ControllerReply reply) {
        return new ToServer.OrderDone(order.operationId(), new OrderOutcome.Done(reply));
    }

    private static AttachmentState attachment(ClusterState state) {
        return state.attachments().all().iterator().next().state();
    }

    private static boolean secondIsBlocked(ClusterState state) {
        return state.evaluations().in(EvaluationStatus.BLOCKED).stream()
                .anyMatch(row -> row.job().id().equals("second"));
    }

    private static Function<List<ToNode.Assignment>, Optional<ToNode.Assignment>> of(String job) {
        return all ->
                all.stream().filter(one -> one.job().id().id().equals(job)).findFirst();
    }

    private static Function<List<ToNode.Assignment>, Optional<ToNode.Assignment>> granted(String job) {
        return all -> of(job).apply(all).filter(one -> volume(one).grant() != null);
    }

    private static Function<List<ToNode.Assignment>, Optional<ToNode.Assignment>> wanted(
            String job, DesiredStatus desired) {
        return all -> of(job).apply(all).filter(one -> one.desired() == desired);
    }

    private static ToNode.AssignedVolume volume(ToNode.Assignment assignment) {
        return Optional.ofNullable(assignment.volumes().get("data")).orElseThrow();
    }

    private static long epoch(ToNode.Assignment assignment) {
        return Optional.ofNullable(volume(assignment).grant()).orElseThrow().epoch();
    }
}
