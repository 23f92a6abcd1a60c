package io.cleat.agent.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.agent.task.TestTasks;
import io.cleat.base.Effect;
import io.cleat.model.ClientStatus;
import io.cleat.model.NodeEvent;
import io.cleat.wire.OrderOutcome;
import io.cleat.wire.ToServer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OutboxTest {
    private ClientStatus status = ClientStatus.PENDING;
    private final Outbox outbox = new Outbox();

    private List<ToServer> take() throws InterruptedException {
        return outbox.take(
                TestTasks::node,
                id -> id.equals("gone") ? Optional.empty() : Optional.of(report(id)));
    }

    private ToServer.AllocReport report(String id) {
        return new ToServer.AllocReport(id, status, "", Map.of(), Map.of(), null);
    }

    @Test
    void theNewestStateIsSaidOnceHoweverOftenItChanged() throws InterruptedException {
        outbox.allocationChanged("a");
        outbox.allocationChanged("b");
        outbox.allocationChanged("a");
        status = ClientStatus.RUNNING;
        assertEquals(List.of(new ToServer.Allocations(List.of(report("a"), report("b")))), take());
    }

    @Test
    void whatIsGoneIsNotSaid() throws InterruptedException {
        outbox.allocationChanged("gone");
        outbox.factsChanged();
        assertEquals(List.of(new ToServer.Facts(TestTasks.node())), take());
    }

    @Test
    void aNewLinkIsToldEverythingOnce() throws InterruptedException {
        outbox.orderDone(
                new ToServer.OrderDone("old", new OrderOutcome.Failed(Effect.NONE, "Aborted", "")));
        outbox.startOver(List.of("a", "b"));
        assertEquals(List.of(new ToServer.Allocations(List.of(report("a"), report("b")))), take());
    }

    @Test
    void theOldestEventsGoFirstWhenThereAreTooMany() throws InterruptedException {
        List<NodeEvent> events =
                IntStream.range(0, 1100)
                        .mapToObj(i -> new NodeEvent("Storage", "m" + i, Map.of(), Instant.EPOCH))
                        .toList();
        events.forEach(outbox::nodeEvent);
        assertEquals(List.of(new ToServer.NodeEvents(events.subList(100, 1100))), take());
    }
}
