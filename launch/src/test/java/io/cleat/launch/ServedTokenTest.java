package io.cleat.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.LocalToken;
import io.cleat.api.ServerAddress;
import io.cleat.base.Secret;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServedTokenTest {
    private static final int PORT = 4646;

    @TempDir
    Path directory;

    private Path agents() {
        return directory.resolve("agents");
    }

    private Optional<Secret> found(String host, int port) {
        return LocalToken.find(agents(), new ServerAddress.Tcp(host, port));
    }

    private static String mode(Path file) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void itsOwnersCommandsFindIt_othersDoNot_andWithTheAgentItGoes() throws Exception {
        try (DataDirectory data = DataDirectory.take(directory.resolve("data"))) {
            try (ServedToken served = ServedToken.make(data, agents(), PORT)) {
                Secret token = served.token().secret();
                assertEquals("rw-------", mode(served.file()));
                assertEquals("rwx------", mode(agents()));
                assertEquals(Optional.of(token), found("127.0.0.1", PORT));
                assertEquals(Optional.of(token), found("localhost", PORT));
                assertEquals(Optional.empty(), found("127.0.0.1", PORT + 1));
                assertEquals(Optional.empty(), found("10.0.0.1", PORT), "another machine's is not ours");
            }
            assertEquals(Optional.empty(), found("127.0.0.1", PORT));
            assertFalse(Files.exists(data.file(LocalToken.FILE)));
            assertFalse(Files.exists(LocalToken.link(agents(), PORT), LinkOption.NOFOLLOW_LINKS));
        }
    }

    @Test
    void afterACrashTheNextAgentHasAnother() throws Exception {
        try (DataDirectory data = DataDirectory.take(directory.resolve("data"))) {
            ServedToken crashed = ServedToken.make(data, agents(), PORT);
            try (ServedToken next = ServedToken.make(data, agents(), PORT)) {
                assertNotEquals(crashed.token().secret(), next.token().secret());
                assertEquals(Optional.of(next.token().secret()), found("[::1]", PORT));
            }
        }
    }

    @Test
    void theLinkOfAKilledAgentWhoseDataIsGoneIsRemoved() throws Exception {
        Files.createDirectory(agents());
        Path dead = LocalToken.link(agents(), PORT + 1);
        Files.createSymbolicLink(dead, directory.resolve("gone"));
        Path live = LocalToken.link(agents(), PORT + 2);
        Files.createSymbolicLink(live, Files.createDirectory(directory.resolve("other")));
        try (DataDirectory data = DataDirectory.take(directory.resolve("data"));
                ServedToken _ = ServedToken.make(data, agents(), PORT)) {
            assertFalse(Files.exists(dead, LinkOption.NOFOLLOW_LINKS));
            assertTrue(Files.exists(live, LinkOption.NOFOLLOW_LINKS));
        }
    }

    @Test
    void withoutAPlaceForTheLinkTheFileIsThereAllTheSame() throws Exception {
        Files.writeString(agents(), "a file");
        try (DataDirectory data = DataDirectory.take(directory.resolve("data"));
                ServedToken served = ServedToken.make(data, agents(), PORT)) {
            assertEquals(
                    served.token().secret().reveal(),
                    Files.readString(served.file()).strip());
        }
    }
}
