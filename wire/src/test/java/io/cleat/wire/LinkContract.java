package io.cleat.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.cleat.base.Deadline;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Secrets;
import io.cleat.base.SystemTime;
import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.MountOptions;
import io.cleat.model.VolumeModes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What every transport of links must hold. */
abstract class LinkContract {
    /** A connector to {@code sessions}, closed after the test by the subclass. */
    abstract Connector connectorTo(Sessions sessions) throws Exception;

    private static Deadline soon() {
        return Deadline.in(new SystemTime(), Duration.ofSeconds(10));
    }

    @Test
    void messagesArriveOnceAndInOrder() throws Exception {
        Connector connector = connectorTo(link -> {
            try {
                for (; ; ) {
                    if (link.receive() instanceof ToServer.Heartbeat(long number)) {
                        link.send(new ToNode.HeartbeatSeen(number));
                    }
                }
            } catch (LinkTrouble end) {
                link.close();
            }
        });
        try (Link<ToServer, ToNode> link = connector.connect(soon())) {
            for (long i = 0; i < 500; i++) {
                link.send(new ToServer.Heartbeat(i));
            }
            for (long i = 0; i < 500; i++) {
                assertEquals(new ToNode.HeartbeatSeen(i), link.receive());
            }
        }
    }

    @Test
    void aRichMessageArrivesWhole() throws Exception {
        ToNode.Order order = new ToNode.Order(
                "op",
                7,
                "p",
                "a",
                new ControllerCall.Publish(
                        "ext",
                        "node-ext",
                        new VolumeModes(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM),
                        new MountOptions("ext4", List.of("noatime")),
                        false,
                        Map.of("k", "v"),
                        Secrets.of(Map.of("token", "hunter2"))));
        Connector connector = connectorTo(link -> {
            try {
                link.send(order);
                link.receive();
            } catch (LinkTrouble end) {
                link.close();
            }
        });
        try (Link<ToServer, ToNode> link = connector.connect(soon())) {
            assertEquals(order, link.receive());
        }
    }

    @Test
    void aCloseOnOneSideIsSeenOnTheOther() throws Exception {
        CountDownLatch seen = new CountDownLatch(1);
        Connector connector = connectorTo(link -> {
            try {
                link.send(new ToNode.HeartbeatSeen(0));
                link.receive();
            } catch (LinkTrouble end) {
                seen.countDown();
            }
        });
        Link<ToServer, ToNode> link = connector.connect(soon());
        link.receive();
        link.close();
        assertEquals(true, seen.await(10, TimeUnit.SECONDS));
        assertThrows(LinkTrouble.class, () -> link.send(new ToServer.Heartbeat(1)));
        assertThrows(LinkTrouble.class, link::receive);
    }

    @Test
    void aServerThatEndsClosesTheLink() throws Exception {
        Connector connector = connectorTo(Link::close);
        try (Link<ToServer, ToNode> link = connector.connect(soon())) {
            assertThrows(LinkTrouble.class, link::receive);
        }
    }
}
