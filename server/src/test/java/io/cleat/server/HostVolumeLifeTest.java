package io.cleat.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.Refused;
import io.cleat.base.SystemTime;
import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.HostVolumeNames;
import io.cleat.model.HostVolumeSpec;
import io.cleat.model.NodeFacts;
import io.cleat.model.VolumeModes;
import io.cleat.server.intake.Asked;
import io.cleat.server.intake.Done;
import io.cleat.state.HostVolumeOrder;
import io.cleat.state.HostVolumeRow;
import io.cleat.wire.ControllerCall;
import io.cleat.wire.ControllerReply;
import io.cleat.wire.OrderOutcome;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Host volumes through the whole server, with nodes that the test plays. */
final class HostVolumeLifeTest {
    /** Enough for a decision on a machine that does much else. */
    private static final Duration SHORT = Duration.ofSeconds(5);

    private static final Duration LONG = Duration.ofSeconds(20);

    @TempDir
    Path directory;

    private ServerWorld world;
    private FakeAgent first;
    private FakeAgent second;

    @BeforeEach
    void open() throws Exception {
        world = new ServerWorld(directory);
        first = world.connect("secret-1", facts("n1"));
        second = world.connect("secret-2", facts("n2"));
        // A node is in the image before it can be asked: it is welcomed then.
        first.hear(ToNode.Welcome.class);
        second.hear(ToNode.Welcome.class);
        world.until("both nodes", image -> image.nodes().size() == 2);
    }

    @AfterEach
    void close() {
        world.close();
    }

    private static NodeFacts facts(String id) {
        return FactsDraft.of(Samples.node(id, Set.of()))
                .attributes(Map.of(HostVolumeNames.pluginAttribute("mkdir"), "0.0.1"))
                .done();
    }

    private static HostVolumeSpec spec() {
        return new HostVolumeSpec(
                "",
                "default",
                "disk",
                "mkdir",
                "",
                "",
                List.of(),
                List.of(new VolumeModes(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM)),
                0,
                0,
                Map.of());
    }

    private static Asked asked(String requestId, Duration within) {
        return new Asked(Optional.of(requestId), Deadline.in(new SystemTime(), within));
    }

    private CompletableFuture<Done<HostVolumeRow>> create(String requestId) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return world.requests().hostVolumes().put(spec(), "", asked(requestId, LONG));
            } catch (Exception refused) {
                throw new AssertionError(refused);
            }
        });
    }

    private static void answer(FakeAgent agent, OrderOutcome outcome) throws Exception {
        ToNode.Order order = agent.hear(ToNode.Order.class);
        agent.say(new ToServer.OrderDone(order.operationId(), outcome));
    }

    private static OrderOutcome made() {
        return new OrderOutcome.Done(new ControllerReply.HostVolumeMade("/data/disk", 7));
    }

    private List<HostVolumeRow> rows() throws Exception {
        return List.copyOf(world.image().hostVolumes().from(HostVolumeRow.FIRST));
    }

    @Test
    void aRequestThatIsSentAgain_makesNoSecondVolume() throws Exception {
        CompletableFuture<Done<HostVolumeRow>> once = create("r-1");
        answer(first, made());
        HostVolumeRow row = once.get().reply();
        assertEquals("/data/disk", row.hostPath());
        HostVolumeRow again = world.requests()
                .hostVolumes()
                .put(spec(), "", asked("r-1", LONG))
                .reply();
        assertEquals(row.spec(), again.spec());
        assertEquals(1, rows().size());
        assertNull(rows().getFirst().order());
        assertTrue(!second.hasHeard(ToNode.Order.class), "the other node is not asked");
        // Another request is for another volume, which is then on the other node.
        CompletableFuture<Done<HostVolumeRow>> other = create("r-2");
        answer(second, made());
        assertEquals("n2", other.get().reply().spec().nodeId());
    }

    @Test
    void oneWhoseNodeDoesNotAnswer_saysSo_andIsMadeWhenItIsAskedAgain() throws Exception {
        Refused unheard =
                assertThrows(Refused.class, () -> world.requests().hostVolumes().put(spec(), "", asked("r-1", SHORT)));
        assertTrue(unheard.refusal().message().contains("has not answered"), unheard.toString());
        first.hear(ToNode.Order.class);
        world.until(
                "a try in vain",
                image -> image.hostVolumes().ordered().stream()
                        .map(HostVolumeRow::order)
                        .anyMatch(order -> order != null && order.tries() == 1));
        HostVolumeRow waits = rows().getFirst();
        HostVolumeOrder order = waits.order();
        assertNotNull(order);
        assertEquals("create", order.blockedBy().step());
        assertTrue(order.blockedBy().hint().startsWith("it has not answered; it is asked again"), order.toString());
        assertNotNull(order.blockedBy().nextTry());
        CompletableFuture<Done<HostVolumeRow>> again = create("r-1");
        answer(first, made());
        assertEquals(waits.spec().id(), again.get().reply().spec().id());
        assertEquals(1, rows().size());
        assertNull(rows().getFirst().order());
    }

    @Test
    void aRequestWhoseVolumeCouldNotBeMade_isNotCarriedOutAgain() throws Exception {
        CompletableFuture<Refused> once = CompletableFuture.supplyAsync(() ->
                assertThrows(Refused.class, () -> world.requests().hostVolumes().put(spec(), "", asked("r-1", LONG))));
        answer(first, new OrderOutcome.Failed(Effect.NONE, "Internal", "no space"));
        assertEquals(
                "could not create volume \"disk\": no space",
                once.get().refusal().message());
        assertEquals(List.of(), rows());
        Refused again =
                assertThrows(Refused.class, () -> world.requests().hostVolumes().put(spec(), "", asked("r-1", LONG)));
        assertTrue(again.refusal().message().contains("ask for it as another request"), again.toString());
        assertEquals(List.of(), rows());
    }

    @Test
    void aDeletionThatIsSentAgain_isDone() throws Exception {
        CompletableFuture<Done<HostVolumeRow>> once = create("r-1");
        answer(first, made());
        HostVolumeRow row = once.get().reply();
        CompletableFuture<Long> deletion = CompletableFuture.supplyAsync(() -> {
            try {
                return world.requests().hostVolumes().delete(row.id(), false, asked("r-2", LONG));
            } catch (Exception refused) {
                throw new AssertionError(refused);
            }
        });
        ToNode.Order order = first.hear(ToNode.Order.class);
        assertEquals(new ControllerCall.DeleteHostVolume(row.spec()), order.call());
        first.say(new ToServer.OrderDone(
                order.operationId(), new OrderOutcome.Done(new ControllerReply.HostVolumeDeleted())));
        deletion.get();
        assertEquals(List.of(), rows());
        world.requests().hostVolumes().delete(row.id(), false, asked("r-2", LONG));
        assertThrows(Refused.class, () -> world.requests().hostVolumes().delete(row.id(), false, asked("r-3", LONG)));
    }
}
