package io.cleat.agent.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.agent.check.CheckStatus;
import io.cleat.agent.task.TestTasks;
import io.cleat.model.AddressMode;
import io.cleat.model.DriverNetwork;
import io.cleat.model.OnUpdate;
import io.cleat.model.Service;
import io.cleat.model.ServiceCheck;
import io.cleat.model.ServiceProbe;
import io.cleat.testkit.Eventually;
import io.cleat.wire.ToServer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tasks whose services are at the addresses that their drivers give them. */
final class DriverAddressTest extends AgentFixture {
    private void assign(int port) throws InterruptedException {
        ServiceCheck check = new ServiceCheck(
                "open",
                new ServiceProbe.Tcp(),
                "",
                AddressMode.AUTO,
                Duration.ofMillis(20),
                Duration.ofSeconds(5),
                OnUpdate.REQUIRE_HEALTHY,
                "t",
                null);
        Service service = new Service(
                "web",
                Integer.toString(port),
                AddressMode.DRIVER,
                "",
                List.of(),
                List.of(),
                Map.of(),
                Map.of(),
                OnUpdate.REQUIRE_HEALTHY,
                "t",
                List.of(check));
        assign(service, TestTasks.task("t", 5, null));
    }

    /** Its checks go there, and what is told of it outlives the agent. */
    @Test
    void itIsTold_andChecked_andKept() throws Exception {
        DriverNetwork place = new DriverNetwork("127.0.0.1", Map.of(), false);
        driver.putAt(place);
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            assign(server.getLocalPort());
            ToServer.AllocReport report =
                    awaitReport(r -> place.equals(state(r, "t").network()));
            assertEquals(List.of(), told(report));
            Eventually.holds(
                    () -> allocations.checks(ID).orElseThrow().checks().stream()
                            .anyMatch(each -> each.last().status() == CheckStatus.SUCCESS),
                    "the check reaches it");
        }
        restart();
        assertEquals(place, state(awaitReport(r -> true), "t").network());
    }

    @Test
    void ofATaskWithoutOne_anEventSaysWhatIsNotFound() throws Exception {
        assign(80);
        ToServer.AllocReport report = awaitReport(r -> !told(r).isEmpty());
        assertEquals(
                List.of("Services with address_mode = \"driver\" are not found: the driver fake gave"
                        + " the task no address of its own: it says of none"),
                told(report));
    }

    private static List<String> told(ToServer.AllocReport report) {
        return state(report, "t").events().stream()
                .filter(event -> event.type().equals("No Driver Address"))
                .map(event -> event.message())
                .toList();
    }
}
