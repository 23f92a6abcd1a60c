package io.cleat.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Refused;
import io.cleat.base.TextRule;
import io.cleat.model.ControllerCapability;
import io.cleat.model.ListedVolume;
import io.cleat.model.NodeEvent;
import io.cleat.model.NodeFacts;
import io.cleat.wire.ControllerReply;
import io.cleat.wire.OrderOutcome;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes say what cannot be kept as it is: their links go on, and nothing raw is kept. */
final class HostileNodeTest {
    private static final NodeFacts NODE = Samples.node("n1", Set.of(ControllerCapability.LIST_VOLUMES));
    private static final String HALF = "half \ud800 nul \0 escape \u001b[2J";

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
    void aNodeOfHostileAttributesIsLetInAndTheyAreKeptVisible() throws Exception {
        Map<String, String> attributes = new TreeMap<>(Map.of("a", HALF, "b" + HALF, "v"));
        for (int i = 0; i < 20_000; i++) {
            attributes.put("many." + i, "x".repeat(100));
        }
        attributes.put("c", "y".repeat(2_000_000));
        FakeAgent agent = world.connect("secret", named(NODE, NODE.name(), "dc1", attributes));
        agent.hear(ToNode.Welcome.class);
        goesOn(agent);
        Map<String, String> kept =
                world.image().node("n1").orElseThrow().facts().attributes();
        assertEquals("half \\ud800 nul \\u0000 escape \\u001b[2J", kept.get("a"));
        assertTrue(kept.size() <= 1_000, kept.size() + " attributes");
        assertTrue(kept.getOrDefault("c", "").endsWith(" ... (2000000 characters)"));
        kept.forEach((name, value) ->
                assertEquals(Optional.empty(), TextRule.lineFault(name).or(() -> TextRule.lineFault(value))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "..", "a/b", "nul\0", "half\ud800", "line\nend"})
    void aNodeWhoseNamesBreakTheRuleIsToldWhy(String name) throws Exception {
        FakeAgent named = world.connect("secret", named(NODE, name, "dc1", Map.of()));
        String reason = named.hear(ToNode.Rejected.class).reason();
        assertTrue(reason.startsWith("node name "), reason);
        FakeAgent placed = world.connect("secret", named(NODE, "n", name, Map.of()));
        String place = placed.hear(ToNode.Rejected.class).reason();
        assertTrue(place.startsWith("datacenter "), place);
        assertTrue(world.image().node("n1").isEmpty());
    }

    @Test
    void hostileEventsEndNoLink() throws Exception {
        FakeAgent agent = world.connect("secret", NODE);
        agent.hear(ToNode.Welcome.class);
        NodeEvent event = new NodeEvent("Driver", HALF, Map.of("d", HALF), Instant.parse("2026-01-01T00:00:00Z"));
        agent.say(new ToServer.NodeEvents(List.of(event)));
        goesOn(agent);
        agent.say(new ToServer.NodeEvents(Collections.nCopies(50_000, event)));
        goesOn(agent);
        world.image()
                .node("n1")
                .orElseThrow()
                .events()
                .forEach(kept -> assertEquals(Optional.empty(), TextRule.lineFault(kept.message())));
    }

    @Test
    void aListedIdThatCannotBeKeptIsNotRewritten() throws Exception {
        FakeAgent agent = world.connect("secret", NODE);
        agent.hear(ToNode.Assignments.class);
        Waiting listed = Waiting.on(() -> {
            Refused refused = assertThrows(
                    Refused.class,
                    () -> world.requests()
                            .volumes()
                            .external("disks", "", 10, world.asked().deadline()));
            String why = refused.refusal().message();
            assertTrue(why.contains("the plugin's answer is not taken"), why);
            return why;
        });
        ToNode.Order order = agent.hear(ToNode.Order.class);
        ListedVolume volume = new ListedVolume("id\0", 1, Map.of(), List.of(), false, "");
        agent.say(new ToServer.OrderDone(
                order.operationId(), new OrderOutcome.Done(new ControllerReply.Listed(List.of(volume), ""))));
        listed.ended();
    }

    private static void goesOn(FakeAgent agent) throws Exception {
        agent.say(new ToServer.Heartbeat(1));
        agent.hear(ToNode.HeartbeatSeen.class);
    }

    private static NodeFacts named(NodeFacts facts, String name, String datacenter, Map<String, String> attributes) {
        return FactsDraft.of(facts)
                .name(name)
                .datacenter(datacenter)
                .attributes(attributes)
                .done();
    }
}
