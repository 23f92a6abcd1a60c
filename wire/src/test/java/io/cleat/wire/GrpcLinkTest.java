package io.cleat.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.LinkTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.grpc.stub.StreamObserver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GrpcLinkTest extends LinkContract {
    @TempDir
    Path dir;

    private final List<AutoCloseable> open = new ArrayList<>();

    @Override
    Connector connectorTo(Sessions sessions) throws LinkTrouble {
        Path socket = dir.resolve("nodes.sock");
        open.add(GrpcSessions.listen(socket, sessions, Threads.virtual((where, fault) -> {
            throw new AssertionError(where, fault);
        })));
        GrpcConnector connector = new GrpcConnector(socket);
        open.addFirst(connector);
        return connector;
    }

    private Link<ToServer, ToNode> connect(WireVersions server, WireVersions node, Sessions sessions) throws Exception {
        Path socket = dir.resolve("nodes.sock");
        open.add(GrpcSessions.listen(
                socket, sessions, Threads.virtual((where, fault) -> fault.printStackTrace()), server));
        GrpcConnector connector = new GrpcConnector(socket, node);
        open.addFirst(connector);
        Link<ToServer, ToNode> link = connector.connect(Deadline.in(new SystemTime(), Duration.ofSeconds(10)));
        open.addFirst(link);
        return link;
    }

    private static void answerOnce(Link<ToNode, ToServer> link) throws InterruptedException {
        try {
            link.receive();
            link.send(new ToNode.Rejected("heard"));
            link.receive();
        } catch (LinkTrouble closed) {
            return;
        }
    }

    @Test
    void twoReleasesThatHaveAVersionInCommonSpeakIt() throws Exception {
        Link<ToServer, ToNode> link =
                connect(new WireVersions(12, 14), new WireVersions(13, 15), GrpcLinkTest::answerOnce);
        link.send(new ToServer.Heartbeat(1));
        assertFalse(link.saysMoreThanAtFirst());
        assertEquals(new ToNode.Rejected("heard"), link.receive());
        assertTrue(link.saysMoreThanAtFirst(), "14, where the first message was in 13");
    }

    @Test
    void twoReleasesThatHaveNoneAreToldSo() throws Exception {
        Link<ToServer, ToNode> link =
                connect(new WireVersions(15, 17), new WireVersions(12, 14), GrpcLinkTest::answerOnce);
        LinkTrouble trouble = assertThrows(LinkTrouble.class, () -> {
            link.send(new ToServer.Heartbeat(1));
            link.receive();
        });
        assertTrue(
                trouble.reason()
                        .contains(
                                "the server speaks versions 15 to 17 of the node protocol and the node versions 12 to "
                                        + "14"),
                trouble.reason());
    }

    /** All links of a server that ends are cut at once, and with them go the threads that would ask for more. */
    @Test
    void whatHasCome_isReceived_thoughNothingMoreCanBeAskedFor() throws Exception {
        GrpcLink<ToNode, ToServer> link = new GrpcLink<>(new Ended(), WireFormat.TO_NODE, WireFormat.VERSION);
        ToServer come = new ToServer.Heartbeat(1);
        link.incoming().onNext(Frame.of(come));
        assertEquals(come, link.receive());
        assertThrows(LinkTrouble.class, link::receive);
        assertThrows(LinkTrouble.class, () -> link.send(new ToNode.HeartbeatSeen(1)));
        link.close();
    }

    @Test
    void aLinkWhoseThreadsAreOver_isClosedQuietly_andSendsNothing() throws Exception {
        GrpcLink<ToNode, ToServer> link = new GrpcLink<>(new Ended(), WireFormat.TO_NODE, WireFormat.VERSION);
        assertThrows(LinkTrouble.class, () -> link.send(new ToNode.HeartbeatSeen(1)));
        new GrpcLink<>(new Ended(), WireFormat.TO_NODE, WireFormat.VERSION).close();
    }

    /** gRPC whose event loop was shut down. */
    private static final class Ended implements GrpcLink.Outgoing<ToNode> {
        private static RejectedExecutionException rejected() {
            return new RejectedExecutionException("event executor terminated");
        }

        @Override
        public StreamObserver<Frame<ToNode>> stream() {
            throw rejected();
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void askForOne() {
            throw rejected();
        }

        @Override
        public void cancel(String why) {
            throw rejected();
        }
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    @Test
    void onlyItsOwnerCanOpenTheSocket() throws Exception {
        connectorTo(Link::close);
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(dir.resolve("nodes.sock"))));
    }
}
