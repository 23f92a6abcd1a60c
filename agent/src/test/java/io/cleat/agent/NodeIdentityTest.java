package io.cleat.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Ids;
import io.cleat.testkit.History;
import io.cleat.testkit.OtherVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NodeIdentityTest {
    private static final History HISTORY = new History("agent");
    private static final String ID = "6f2b1c1e-0d0c-4a53-9a2b-1f0c7a3d5e11";
    private static final String SECRET = "0e9d8c7b-aaaa-4bbb-8ccc-ddddeeeeffff";

    @TempDir
    Path directory;

    @Test
    void theIdentityOfVersion1IsRead() throws IOException, DiskTrouble {
        Path written = directory.resolve("written");
        NodeIdentity.at(written, List.of(), ids());
        byte[] sample = HISTORY.sample("node-1", Files.readAllBytes(written));
        Path file = directory.resolve("node");
        Files.write(file, sample);
        NodeIdentity identity = NodeIdentity.at(file, List.of(), Ids.random());
        assertEquals(ID, identity.id());
        assertEquals(SECRET, identity.secret().reveal());
    }

    @Test
    void anIdentityStaysAndOnlyItsOwnerReadsIt() throws IOException, DiskTrouble {
        Path file = directory.resolve("node");
        NodeIdentity made = NodeIdentity.at(file, List.of(), Ids.random());
        assertEquals(made, NodeIdentity.at(file, List.of(), Ids.random()));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        assertFalse(made.toString().contains(made.secret().reveal()));
    }

    /** It was taken for one that is not there, and the node was another one. */
    @Test
    void anIdentityThatTheDiskDoesNotGive_isRefusedAndNotReplaced() throws IOException {
        Path file = directory.resolve("node");
        Files.createSymbolicLink(file, file);
        DiskTrouble refused = assertThrows(DiskTrouble.class, () -> NodeIdentity.at(file, List.of(), Ids.random()));
        assertTrue(refused.reason().contains(file.toString()), refused.reason());
        assertTrue(Files.isSymbolicLink(file));
    }

    @Test
    void aNewerIdentityIsRefusedWithItsNumber() throws IOException, DiskTrouble {
        Path file = directory.resolve("node");
        NodeIdentity.at(file, List.of(), Ids.random());
        Files.write(file, OtherVersion.of(Files.readAllBytes(file), 0, 2));
        DiskTrouble refused = assertThrows(DiskTrouble.class, () -> NodeIdentity.at(file, List.of(), Ids.random()));
        assertTrue(refused.reason().contains("version 2"), refused.reason());
    }

    @Test
    void anIdentityLostWithTasksOrVolumesThereIsNotReplacedByANewOne() throws Exception {
        Path file = directory.resolve("node");
        Path journal = directory.resolve("volumes.journal");
        NodeIdentity.at(file, List.of(journal), Ids.random());
        Files.writeString(journal, "");
        Files.delete(file);
        DiskTrouble refused =
                assertThrows(DiskTrouble.class, () -> NodeIdentity.at(file, List.of(journal), Ids.random()));
        assertTrue(refused.reason().contains(journal.toString()), refused.reason());
        assertFalse(Files.exists(file));
    }

    private static Ids ids() {
        String[] left = {ID, SECRET};
        int[] next = {0};
        return () -> left[next[0]++];
    }
}
