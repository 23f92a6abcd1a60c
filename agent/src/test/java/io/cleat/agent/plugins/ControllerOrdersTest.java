package io.cleat.agent.plugins;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Effect;
import io.cleat.csi.RunEnds;
import io.cleat.testkit.FakeCsiPlugin;
import io.cleat.wire.ControllerReply;
import io.cleat.wire.OrderOutcome;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Calls that the servers order of a controller here. */
class ControllerOrdersTest extends SupervisorGround {
    ControllerOrdersTest() throws Exception {}

    @Test
    void anOrderIsCarriedOutOnceAndItsEndIsKept() throws Exception {
        PluginTasks.PluginTask task = task(Duration.ofSeconds(30));
        PluginTasks.Prepared prepared = supervisor.beforeStart(task);
        ControllerOrders orders = new ControllerOrders(plugins, news, threads, time);
        try (FakeCsiPlugin plugin = FakeCsiPlugin.start(socketOf(prepared))) {
            supervisor.afterStart(task, new Listener());
            nextEvent();
            ToNode.Order order = new ToNode.Order("op-1", 5, "p", "alloc-1", EndsDuringCallsTest.create("vol"));
            orders.begin(order);
            ToServer.OrderDone end = Objects.requireNonNull(done.poll(20, TimeUnit.SECONDS));
            assertTrue(
                    end.outcome() instanceof OrderOutcome.Done(ControllerReply.Created created)
                            && created.externalId().equals("ext-vol"),
                    end.toString());
            assertEquals(end.outcome(), orders.outcome("op-1").orElseThrow());
            orders.begin(new ToNode.Order("op-2", 4, "p", "alloc-1", EndsDuringCallsTest.create("late")));
            assertEquals(Effect.NONE, failed(done.poll(20, TimeUnit.SECONDS)).effect());
            orders.begin(new ToNode.Order("op-3", 5, "p", "gone", EndsDuringCallsTest.create("other")));
            assertEquals(Effect.NONE, failed(done.poll(20, TimeUnit.SECONDS)).effect());
            assertEquals(1, plugin.volumes().size());
            // After a recovery the servers' reign is an earlier one: nothing was ever made again.
            orders.beginAnew();
            orders.begin(new ToNode.Order("op-4", 2, "p", "alloc-1", EndsDuringCallsTest.create("after")));
            ToServer.OrderDone after = Objects.requireNonNull(done.poll(20, TimeUnit.SECONDS));
            assertTrue(after.outcome() instanceof OrderOutcome.Done, after.toString());
            supervisor.afterEnd(task, RunEnds.Reason.ASKED);
        }
    }

    private static OrderOutcome.Failed failed(ToServer.OrderDone end) {
        return (OrderOutcome.Failed) end.outcome();
    }
}
