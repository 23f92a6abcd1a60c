package io.cleat.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Secrets;
import io.cleat.model.ControllerCapability;
import io.cleat.model.NodeFacts;
import io.cleat.state.AttachmentRow;
import io.cleat.wire.ControllerReply;
import io.cleat.wire.OrderOutcome;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a controller's publish call answers is opaque: kept byte for byte, and never shown. */
final class PublishContextTest {
    private static final NodeFacts NODE = Samples.node("n1", Set.of(ControllerCapability.PUBLISH_UNPUBLISH_VOLUME));

    /** All that a plugin may put there: empty, long, of several lines, in any script. */
    private static final Map<String, String> CONTEXT = Map.of(
            "device", "/dev/disk/by-id/x y\\z",
            "empty", "",
            "lines", "a\nb\tc\r\n",
            " spaces ", "  ",
            "schlüssel/名", "größe 大きさ \uD83D\uDCBE",
            "chap.password", "hunter2-" + "x".repeat(4_000));

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

    private FakeAgent connect() throws Exception {
        FakeAgent agent = world.connect("secret", NODE);
        agent.hear(ToNode.Welcome.class);
        return agent;
    }

    private static void answer(FakeAgent agent, ControllerReply reply) throws Exception {
        ToNode.Order order = agent.hear(ToNode.Order.class);
        agent.say(new ToServer.OrderDone(order.operationId(), new OrderOutcome.Done(reply)));
    }

    private static Map<String, String> granted(FakeAgent agent) throws Exception {
        ToNode.Assignment assignment = agent.assigned(
                "a grant",
                all -> all.stream().filter(one -> volume(one).grant() != null).findFirst());
        return Objects.requireNonNull(volume(assignment).grant())
                .publishContext()
                .reveal();
    }

    private static ToNode.AssignedVolume volume(ToNode.Assignment assignment) {
        return Objects.requireNonNull(assignment.volumes().get("data"));
    }

    private void attach(FakeAgent agent) throws Exception {
        Waiting registered = Waiting.on(
                () -> world.requests().volumes().register(Samples.volume("data"), Secrets.none(), world.asked()));
        answer(agent, new ControllerReply.Confirmed());
        registered.ended();
        world.requests().jobs().register(Samples.job("first", "data"), null, null, 0, world.asked());
        answer(agent, new ControllerReply.Published(Secrets.of(CONTEXT)));
    }

    @Test
    void itComesToTheNodeAsItWasAlsoAfterARestart() throws Exception {
        FakeAgent agent = connect();
        attach(agent);
        assertEquals(CONTEXT, granted(agent));
        world.restart();
        agent.awaitClosed();
        FakeAgent again = connect();
        assertEquals(CONTEXT, granted(again));
        assertFalse(again.hasHeard(ToNode.Order.class), "nobody asks the controller again");
    }

    @Test
    void nothingShowsIt() throws Exception {
        FakeAgent agent = connect();
        attach(agent);
        granted(agent);
        AttachmentRow row = world.image().attachments().all().iterator().next();
        assertFalse(row.toString().contains("hunter2"), row.toString());
        assertTrue(row.toString().contains("[REDACTED]"), row.toString());
        world.close();
        try (Stream<Path> files = Files.walk(directory)) {
            files.filter(Files::isRegularFile)
                    .forEach(file -> assertFalse(text(file).contains("hunter2"), file.toString()));
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
