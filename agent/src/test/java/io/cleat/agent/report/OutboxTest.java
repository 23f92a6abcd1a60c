package io.cleat.agent.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.cleat.agent.task.TestTasks;
import io.cleat.base.Effect;
import io.cleat.base.LinkTrouble;
import io.cleat.model.ClientStatus;
import io.cleat.model.ListedVolume;
import io.cleat.model.NodeEvent;
import io.cleat.model.VolumeEvent;
import io.cleat.model.VolumeId;
import io.cleat.wire.ControllerReply;
import io.cleat.wire.OrderOutcome;
import io.cleat.wire.ToServer;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OutboxTest {
    private static final int MIB = 1 << 20;

    private ClientStatus status = ClientStatus.PENDING;
    private final Outbox outbox = new Outbox();

    private List<ToServer> take() throws LinkTrouble, InterruptedException {
        return outbox.take(TestTasks::node, id -> id.equals("gone") ? Optional.empty() : Optional.of(report(id)));
    }

    private ToServer.AllocReport report(String id) {
        return new ToServer.AllocReport(id, status, "", Map.of(), Map.of(), null, null);
    }

    /** The end of a call that listed volumes of a mebibyte each. */
    private static ToServer.OrderDone done(String id, int volumes) {
        ListedVolume volume = new ListedVolume("v", 1, Map.of("text", "t".repeat(MIB)), List.of(), false, "");
        return new ToServer.OrderDone(
                id, new OrderOutcome.Done(new ControllerReply.Listed(Collections.nCopies(volumes, volume), "")));
    }

    @Test
    void endsOfCallsBeyondTheirBytesEndTheLinkAndTheNextBeginsAnew() throws Exception {
        for (int i = 0; i < 17; i++) {
            outbox.orderDone(done("o" + i, 1));
        }
        assertThrows(LinkTrouble.class, this::take);
        outbox.orderDone(done("late", 0));
        assertThrows(LinkTrouble.class, this::take);
        outbox.startOver(List.of());
        outbox.orderDone(done("asked", 1));
        assertEquals(List.of(done("asked", 1)), take());
        for (int i = 0; i < 15; i++) {
            outbox.orderDone(done("o" + i, 1));
        }
        assertEquals(15, take().size());
    }

    @Test
    void anEndThatIsTooLargeIsSaidAsAFailure() throws Exception {
        outbox.orderDone(done("large", 17));
        ToServer.OrderDone said = assertInstanceOf(ToServer.OrderDone.class, take().getFirst());
        OrderOutcome.Failed failed = assertInstanceOf(OrderOutcome.Failed.class, said.outcome());
        assertEquals("large", said.operationId());
        assertEquals(Effect.UNKNOWN, failed.effect());
        assertEquals("ResourceExhausted", failed.code());
    }

    @Test
    void theOldestEventsOfTheNodeGoFirstWhenTheyAreTooLarge() throws Exception {
        List<NodeEvent> events = IntStream.range(0, 20)
                .mapToObj(i -> new NodeEvent("Storage", "m" + i + "x".repeat(MIB / 10), Map.of(), Instant.EPOCH))
                .toList();
        events.forEach(outbox::nodeEvent);
        assertEquals(List.of(new ToServer.NodeEvents(events.subList(16, 20))), take());
        events.subList(0, 2).forEach(outbox::nodeEvent);
        assertEquals(List.of(new ToServer.NodeEvents(events.subList(0, 2))), take());
    }

    @Test
    void theOldestEventsOfVolumesGoFirstWhenTheyAreTooLarge() throws Exception {
        VolumeId first = new VolumeId("default", "first");
        VolumeId second = new VolumeId("default", "second");
        VolumeEvent large = event("x".repeat(MIB * 3 / 2));
        outbox.volumeEvent(first, event("small"));
        outbox.volumeEvent(second, large);
        outbox.volumeEvent(first, large);
        outbox.volumeEvent(second, event("newest"));
        outbox.volumeEvent(second, large);
        assertEquals(List.of(new ToServer.VolumeEvents(second, List.of(large, event("newest"), large))), take());
    }

    private static VolumeEvent event(String message) {
        return new VolumeEvent(Instant.EPOCH, "node", "call", "OK", Duration.ZERO, message);
    }

    @Test
    void theNewestStateIsSaidOnceHoweverOftenItChanged() throws Exception {
        outbox.allocationChanged("a");
        outbox.allocationChanged("b");
        outbox.allocationChanged("a");
        status = ClientStatus.RUNNING;
        assertEquals(List.of(new ToServer.Allocations(List.of(report("a"), report("b")))), take());
    }

    @Test
    void whatIsGoneIsNotSaid() throws Exception {
        outbox.allocationChanged("gone");
        outbox.factsChanged();
        assertEquals(List.of(new ToServer.Facts(TestTasks.node())), take());
    }

    @Test
    void aNewLinkIsToldEverythingOnce() throws Exception {
        outbox.orderDone(new ToServer.OrderDone("old", new OrderOutcome.Failed(Effect.NONE, "Aborted", "")));
        outbox.startOver(List.of("a", "b"));
        assertEquals(List.of(new ToServer.Allocations(List.of(report("a"), report("b")))), take());
    }

    @Test
    void theOldestEventsGoFirstWhenThereAreTooMany() throws Exception {
        List<NodeEvent> events = IntStream.range(0, 1100)
                .mapToObj(i -> new NodeEvent("Storage", "m" + i, Map.of(), Instant.EPOCH))
                .toList();
        events.forEach(outbox::nodeEvent);
        assertEquals(List.of(new ToServer.NodeEvents(events.subList(100, 1100))), take());
    }
}
