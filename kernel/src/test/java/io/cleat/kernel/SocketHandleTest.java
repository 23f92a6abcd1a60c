package io.cleat.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SocketHandleTest {
    @TempDir
    Path temporary;

    private Path own = Path.of("/");
    private Path other = Path.of("/");

    @BeforeEach
    void make() throws Exception {
        own = Files.createDirectory(temporary.resolve("own"));
        other = Files.createDirectory(temporary.resolve("other"));
    }

    private static ServerSocketChannel listen(Path socket) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(socket));
        server.configureBlocking(false);
        return server;
    }

    private SocketHandle open() throws IOException {
        return SocketHandle.open(new Place(temporary, "own/s"));
    }

    private void refused(String why) {
        IOException refused = assertThrows(IOException.class, this::open);
        assertTrue(String.valueOf(refused.getMessage()).contains(why), refused.toString());
    }

    @Test
    void linkThatIsPutInItsPlaceAfterTheCheck_isNotConnectedTo() throws Exception {
        try (ServerSocketChannel good = listen(own.resolve("s"));
                ServerSocketChannel bad = listen(other.resolve("s"));
                SocketHandle handle = open()) {
            Files.move(own.resolve("s"), own.resolve("moved"));
            Files.createSymbolicLink(own.resolve("s"), other.resolve("s"));
            try (SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(handle.path()))) {
                assertTrue(client.isConnected());
                assertEquals(null, bad.accept());
                try (SocketChannel accepted = good.accept()) {
                    assertTrue(accepted.isConnected());
                }
            }
        }
    }

    @Test
    void linksFilesAndNothing_areRefused() throws Exception {
        assertThrows(NoSuchFileException.class, this::open);
        try (ServerSocketChannel bad = listen(other.resolve("s"))) {
            Files.createSymbolicLink(own.resolve("s"), other.resolve("s"));
            refused("a link");
            Files.delete(own.resolve("s"));
            Files.delete(own);
            Files.createSymbolicLink(own, other);
            refused("a link");
            assertEquals(null, bad.accept());
        }
        Files.delete(own);
        Files.createDirectory(own);
        Files.writeString(own.resolve("s"), "x");
        refused("no socket");
    }

    @Test
    void socketOfAnotherUser_isRefused() throws Exception {
        Root.required("giving a socket away");
        try (ServerSocketChannel given = listen(own.resolve("s"))) {
            Files.setAttribute(own.resolve("s"), "unix:uid", 12345);
            refused("belongs to user 12345");
            assertEquals(null, given.accept());
            // The directory is its plugin's, and then the socket is too.
            Files.setAttribute(own, "unix:uid", 12345);
            open().close();
            Files.setAttribute(own.resolve("s"), "unix:uid", 0);
            refused("belongs to user 0, expected user 12345");
            assertEquals(null, given.accept());
        }
    }

    @Test
    void mountsOnTheWay_areRefused() throws Exception {
        Root.required("mounting");
        Path real = temporary.toRealPath();
        try (ServerSocketChannel bad = listen(other.resolve("s"))) {
            Mounts.linux().bind(real.resolve("other"), real.resolve("own"));
            try {
                refused("on which something is mounted");
            } finally {
                Mounts.linux().unmount(real.resolve("own"));
            }
            Files.createFile(own.resolve("s"));
            Mounts.linux().bind(real.resolve("other/s"), real.resolve("own/s"));
            try {
                refused("on which something is mounted");
            } finally {
                Mounts.linux().unmount(real.resolve("own/s"));
            }
            assertEquals(null, bad.accept());
        }
    }
}
