package io.cleat.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.LinkTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
