package io.cleat.wire;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Effect;
import io.cleat.base.Secrets;
import io.cleat.model.AllocAddress;
import io.cleat.model.ClientStatus;
import io.cleat.model.DriverNetwork;
import io.cleat.model.ListedSnapshot;
import io.cleat.model.NetworkDns;
import io.cleat.model.NodeFacts;
import io.cleat.model.PluginInstance;
import io.cleat.model.Resources;
import io.cleat.model.TaskEvent;
import io.cleat.model.TaskState;
import io.cleat.model.Topology;
import io.cleat.testkit.FullJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SaidByNodeTest {
    private static final Instant AT = Instant.parse("2026-11-22T17:00:00Z");
    private static final String BAD = "x\ud800\0";

    @Test
    void ordinaryMessagesStayAsTheyAre() {
        for (ToServer message : EveryMessage.toServer()) {
            assertEquals(List.of(message), SaidByNode.clean(message));
        }
    }

    static Stream<ControllerReply> unfit() {
        return Stream.of(
                new ControllerReply.Created(BAD, 1, Map.of(), List.of()),
                new ControllerReply.Created("a\nb", 1, Map.of(), List.of()),
                new ControllerReply.Created("x".repeat(100_000), 1, Map.of(), List.of()),
                new ControllerReply.Created("id", 1, Map.of("k", BAD), List.of()),
                new ControllerReply.Created("id", 1, Map.of(BAD, "v"), List.of()),
                new ControllerReply.Created("id", 1, Map.of("k", "v".repeat(500_000)), List.of()),
                new ControllerReply.Created("id", 1, Map.of(), List.of(new Topology(Map.of("rack", BAD)))),
                new ControllerReply.Published(Secrets.of(Map.of("k", BAD))),
                new ControllerReply.SnapshotCreated(new ListedSnapshot(BAD, "v", 1, AT, true)),
                new ControllerReply.SnapshotsListed(List.of(new ListedSnapshot("s", BAD, 1, AT, true)), ""),
                new ControllerReply.SnapshotsListed(
                        Collections.nCopies(100_001, new ListedSnapshot("s", "v", 1, AT, true)), ""),
                new ControllerReply.Listed(List.of(), BAD));
    }

    @ParameterizedTest
    @MethodSource("unfit")
    void whatOnlyTheProviderUnderstandsIsTakenAsItIsOrNotAtAll(ControllerReply reply) {
        OrderOutcome.Failed failed = assertInstanceOf(OrderOutcome.Failed.class, outcome(new OrderOutcome.Done(reply)));
        assertEquals(Effect.UNKNOWN, failed.effect());
        assertTrue(failed.message().startsWith("the plugin's answer is not taken: "));
        assertEquals(failed, outcome(failed), "a second time changes nothing");
    }

    @Test
    void wordsOfAFailureAreCutAndVisibleAndItsEffectStays() {
        OrderOutcome.Failed failed = (OrderOutcome.Failed)
                outcome(new OrderOutcome.Failed(Effect.NONE, "Code" + BAD, "two\nlines" + "z".repeat(9_000)));
        assertEquals(Effect.NONE, failed.effect());
        assertEquals("Codex\\ud800\\u0000", failed.code());
        assertTrue(failed.message().startsWith("two\nlineszz"), failed.message());
        assertTrue(failed.message().endsWith(" ... (9009 characters)"), failed.message());
    }

    @Test
    void allAllocationsOfANodeAreSaidInMessagesThatOneDecisionHolds() throws Exception {
        TaskEvent event = new TaskEvent("Driver Failure", AT, "\u4f60".repeat(5_000), Map.of("d", BAD));
        TaskState task =
                new TaskState(TaskState.Phase.DEAD, true, 0, null, null, null, Collections.nCopies(2_000, event));
        List<ToServer.AllocReport> reports = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            reports.add(new ToServer.AllocReport(
                    "a" + i, ClientStatus.FAILED, BAD, Map.of("web", task, "no\0ne", task), Map.of(), null, null));
        }
        List<ToServer> messages = SaidByNode.clean(new ToServer.Allocations(reports));
        List<String> said = new ArrayList<>();
        for (ToServer message : messages) {
            assertTrue(WireFormat.TO_SERVER.encode(message).length < 1 << 20);
            for (ToServer.AllocReport report : ((ToServer.Allocations) message).reports()) {
                said.add(report.allocId());
                assertEquals(Set.of("web"), report.tasks().keySet());
                assertEquals("x\\ud800\\u0000", report.description());
            }
            assertEquals(List.of(message), SaidByNode.clean(message), "a second time");
        }
        assertEquals(reports.stream().map(ToServer.AllocReport::allocId).toList(), said);
    }

    @Test
    void whereADriverHasPutATask_isAnAddress_andPortsThatThereAre() {
        assertEquals(FullJob.DRIVER_NETWORK, placed(FullJob.DRIVER_NETWORK));
        assertNull(placed(new DriverNetwork("near.example", Map.of(), true)));
        assertEquals(
                new DriverNetwork("fd00::1", Map.of("b", 65_535), false),
                placed(new DriverNetwork("fd00:0::1", Map.of("a", 0, "b", 65_535, "c", 65_536), false)));
    }

    private static @Nullable DriverNetwork placed(DriverNetwork network) {
        ToServer.AllocReport report = new ToServer.AllocReport(
                "a", ClientStatus.RUNNING, "", Map.of("web", TaskState.PENDING.at(network)), Map.of(), null, null);
        ToServer.Allocations clean = (ToServer.Allocations)
                SaidByNode.clean(new ToServer.Allocations(List.of(report))).getFirst();
        return requireNonNull(clean.reports().getFirst().tasks().get("web")).network();
    }

    @Test
    void nameServersThatAreNoneAreLeftOut() {
        assertEquals(FullJob.DNS, kept(FullJob.DNS));
        assertNull(kept(new NetworkDns(List.of("example.com"), List.of(), List.of())));
        assertNull(kept(new NetworkDns(List.of("192.0.2.53"), List.of("a\nb"), List.of())));
        assertNull(kept(new NetworkDns(List.of(), Collections.nCopies(33, "a"), List.of())));
    }

    private static @Nullable NetworkDns kept(NetworkDns dns) {
        AllocAddress address = new AllocAddress("eth0", "192.0.2.7", "", dns);
        ToServer.AllocReport report =
                new ToServer.AllocReport("a", ClientStatus.RUNNING, "", Map.of(), Map.of(), null, address);
        ToServer.Allocations clean = (ToServer.Allocations)
                SaidByNode.clean(new ToServer.Allocations(List.of(report))).getFirst();
        return requireNonNull(clean.reports().getFirst().address()).dns();
    }

    @Test
    void aPluginWhoseNodeIdCannotBeKeptServesNoVolumeThere() {
        PluginInstance hostile = new PluginInstance(
                "disks",
                "a1",
                true,
                "healthy",
                BAD,
                "1",
                false,
                false,
                AT,
                null,
                new PluginInstance.Node(BAD, 1, null, Set.of()));
        PluginInstance kept = SaidByNode.clean(node(List.of(hostile))).plugins().getFirst();
        assertNull(kept.node());
        assertEquals(false, kept.healthy());
        assertTrue(kept.healthDescription().contains("its id \"x\\ud800\\u0000\""), kept.healthDescription());
    }

    private static OrderOutcome outcome(OrderOutcome outcome) {
        ToServer.OrderDone done = (ToServer.OrderDone)
                SaidByNode.clean(new ToServer.OrderDone("op", outcome)).getFirst();
        return done.outcome();
    }

    private static NodeFacts node(List<PluginInstance> plugins) {
        return new NodeFacts(
                "n1",
                "n1",
                "dc1",
                "default",
                "",
                "127.0.0.1:1",
                Map.of(),
                Map.of(),
                Map.of(),
                plugins,
                new Resources(1, 1, 0),
                1,
                "boot",
                List.of());
    }
}
