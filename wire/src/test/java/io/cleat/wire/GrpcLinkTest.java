package io.cleat.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.base.LinkTrouble;
import io.cleat.base.Threads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GrpcLinkTest extends LinkContract {
    @TempDir Path dir;

    private final List<AutoCloseable> open = new ArrayList<>();

    @Override
    Connector connectorTo(Sessions sessions) throws LinkTrouble {
        Path socket = dir.resolve("nodes.sock");
        open.add(
                GrpcSessions.listen(
                        socket,
                        sessions,
                        Threads.virtual(
                                (where, fault) -> {
                                    throw new AssertionError(where, fault);
                                })));
        GrpcConnector connector = new GrpcConnector(socket);
        open.addFirst(connector);
        return connector;
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
                "rw-------",
                PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(dir.resolve("nodes.sock"))));
    }
}
