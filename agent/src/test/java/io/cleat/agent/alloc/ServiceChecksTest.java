package io.cleat.agent.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.check.CheckResults;
import io.cleat.agent.check.CheckStatus;
import io.cleat.agent.task.TestTasks;
import io.cleat.model.AddressMode;
import io.cleat.model.CheckRestart;
import io.cleat.model.ClientStatus;
import io.cleat.model.OnUpdate;
import io.cleat.model.Service;
import io.cleat.model.ServiceCheck;
import io.cleat.model.ServiceProbe;
import io.cleat.model.TaskState;
import io.cleat.wire.ToServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Checks of an allocation's services, made while its tasks run. */
final class ServiceChecksTest extends AgentFixture {
    private static Service service(int port, @Nullable CheckRestart restart) {
        ServiceCheck check = new ServiceCheck(
                "open",
                new ServiceProbe.Tcp(),
                "",
                AddressMode.AUTO,
                Duration.ofMillis(20),
                Duration.ofSeconds(5),
                OnUpdate.REQUIRE_HEALTHY,
                "t",
                restart);
        return new Service(
                "web",
                Integer.toString(port),
                AddressMode.AUTO,
                "127.0.0.1",
                List.of(),
                List.of(),
                Map.of(),
                Map.of(),
                OnUpdate.REQUIRE_HEALTHY,
                "",
                List.of(check));
    }

    private CheckResults.Shown awaitCheck(Predicate<CheckResults.Shown> wanted) throws Exception {
        Duration left = Duration.ofSeconds(20);
        while (left.isPositive()) {
            List<CheckResults.Shown> all =
                    allocations.checks(ID).map(CheckedAllocation::checks).orElse(List.of());
            if (!all.isEmpty() && wanted.test(all.getFirst())) {
                return all.getFirst();
            }
            news.poll(20, java.util.concurrent.TimeUnit.MILLISECONDS);
            left = left.minusMillis(20);
        }
        throw new AssertionError("no such check: " + allocations.checks(ID));
    }

    private static int closedPort() throws IOException {
        try (ServerSocket once = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return once.getLocalPort();
        }
    }

    @Test
    void itIsShown_asItIs_andAsItBecomes() throws Exception {
        start();
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            assign(service(server.getLocalPort(), null), TestTasks.task("t", 5, null));
            CheckResults.Shown well = awaitCheck(each -> each.last().status() == CheckStatus.SUCCESS);
            assertEquals("web", well.key().service());
            assertEquals("nomad: tcp ok", well.last().output());
        }
        CheckResults.Shown unwell = awaitCheck(each -> each.last().status() == CheckStatus.FAILURE);
        assertTrue(unwell.last().output().contains("cannot reach 127.0.0.1"));
        assertEquals(
                0,
                state(awaitReport(r -> r.status() == ClientStatus.RUNNING), "t").restarts(),
                "it restarts nothing");
    }

    @Test
    void failedTooOften_itsTaskIsStartedAgain_asItsPolicySays() throws Exception {
        start();
        assign(service(closedPort(), new CheckRestart(2, Duration.ZERO, false)), TestTasks.task("t", 1, null));
        ToServer.AllocReport report = awaitReport(r -> r.status() == ClientStatus.FAILED);
        TaskState state = state(report, "t");
        assertEquals(1, state.restarts(), "one restart is allowed, and then it has failed");
        assertTrue(
                state.events().stream()
                        .anyMatch(event -> event.type().equals("Restart Signaled")
                                && event.message().equals("healthcheck: check \"open\" unhealthy")),
                state.events().toString());
    }

    @Test
    void withinItsGrace_failuresDoNotCount() throws Exception {
        start();
        assign(service(closedPort(), new CheckRestart(1, Duration.ofHours(1), false)), TestTasks.task("t", 0, null));
        awaitCheck(each -> each.last().status() == CheckStatus.FAILURE);
        awaitCheck(each -> Duration.between(each.since(), each.last().at()).compareTo(Duration.ofMillis(100)) > 0);
        assertEquals(
                TaskState.Phase.RUNNING,
                state(awaitReport(r -> r.status() == ClientStatus.RUNNING), "t").phase());
    }
}
