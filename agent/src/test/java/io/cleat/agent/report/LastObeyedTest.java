package io.cleat.agent.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DiskTrouble;
import io.cleat.testkit.History;
import io.cleat.testkit.HostileFormat;
import io.cleat.wire.ToServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LastObeyedTest {
    private static final History HISTORY = new History("agent");
    private static final String CLUSTER = "6f2b1c1e-0d0c-4a53-9a2b-1f0c7a3d5e11";

    private static final String REIGN = "0c8e7a0e-1111-4222-8333-444455556666";

    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void name() {
        file = directory.resolve("obeyed");
    }

    /** An older program noted no lineage: then nothing is compared by it. */
    @Test
    void whatWasWrittenAsVersion1IsRead() throws Exception {
        Files.write(file, HISTORY.sample("obey-1", new byte[0]));
        assertEquals(
                new ToServer.Obeyed(CLUSTER, 12_345, 7, ""), LastObeyed.at(file).past());
    }

    @Test
    void whatWasWrittenAsVersion2IsRead() throws Exception {
        LastObeyed written = LastObeyed.at(file);
        written.join(CLUSTER, 7);
        written.obey(12_345, REIGN);
        Files.write(file, HISTORY.sample("obey-2", Files.readAllBytes(file)));
        assertEquals(
                new ToServer.Obeyed(CLUSTER, 12_345, 7, REIGN),
                LastObeyed.at(file).past());
    }

    @Test
    void theLineageIsThatOfTheVersion_notOfTheServerThatIsMet() throws Exception {
        LastObeyed obeyed = LastObeyed.at(file);
        obeyed.join(CLUSTER, 7);
        obeyed.obey(10, REIGN);
        obeyed.join(CLUSTER, 11);
        obeyed.obey(10, "another");
        assertEquals(
                new ToServer.Obeyed(CLUSTER, 10, 11, REIGN), LastObeyed.at(file).past());
    }

    @Test
    void whoBeginsAnewObeysALowerVersion_alsoAfterARestart() throws Exception {
        LastObeyed obeyed = LastObeyed.at(file);
        obeyed.join(CLUSTER, 7);
        obeyed.obey(10, REIGN);
        obeyed.beginAnew(3);
        assertEquals(new ToServer.Obeyed(CLUSTER, 0, 3, ""), LastObeyed.at(file).past());
        assertTrue(obeyed.obey(4, "another"));
    }

    @Test
    void hostileRecordsAndBytesAreTroubleOrReadBack() throws Exception {
        HostileFormat.assertReadsBack(LastObeyed.FORMAT, LastObeyed.Stored.class, 300);
        HostileFormat.assertDamageIsTrouble(LastObeyed.FORMAT, LastObeyed.Stored.class, 1000);
    }

    @Test
    void aFileThatCannotBeReadIsTrouble_andNoLeaveToObeyAnybody() throws Exception {
        Files.writeString(file, "torn");
        assertThrows(DiskTrouble.class, () -> LastObeyed.at(file));
    }

    /** It was taken for one that is not there, and the node obeyed whom it reached first. */
    @Test
    void aFileThatTheDiskDoesNotGiveIsTrouble_andNoLeaveToObeyAnybody() throws Exception {
        Files.createSymbolicLink(file, file);
        assertThrows(DiskTrouble.class, () -> LastObeyed.at(file));
    }

    @Test
    void theFirstServerIsJoined_anotherClusterIsNot() throws Exception {
        LastObeyed obeyed = LastObeyed.at(file);
        assertNull(obeyed.past());
        assertEquals(Optional.empty(), obeyed.join(CLUSTER, 1));
        String why = LastObeyed.at(file).join("other", 9).orElseThrow();
        assertTrue(why.contains(CLUSTER) && why.contains("other"), why);
        assertEquals(new ToServer.Obeyed(CLUSTER, 0, 1, ""), LastObeyed.at(file).past());
    }

    /** A full disk: to obey may be what makes room. */
    @Test
    void aDiskThatTakesNothingKeepsNobodyFromObeying() throws Exception {
        LastObeyed obeyed = LastObeyed.at(directory.resolve("absent/obeyed"));
        assertEquals(Optional.empty(), obeyed.join(CLUSTER, 1));
        assertTrue(obeyed.obey(2, REIGN));
        assertFalse(obeyed.obey(1, REIGN));
    }

    @Test
    void aLowerVersionIsNotObeyed_alsoAfterARestart() throws Exception {
        LastObeyed obeyed = LastObeyed.at(file);
        obeyed.join(CLUSTER, 3);
        assertTrue(obeyed.obey(10, REIGN));
        assertTrue(obeyed.obey(10, REIGN));
        LastObeyed restarted = LastObeyed.at(file);
        restarted.join(CLUSTER, 2);
        assertFalse(restarted.obey(9, REIGN));
        assertTrue(restarted.obey(11, REIGN));
        assertEquals(
                new ToServer.Obeyed(CLUSTER, 11, 3, REIGN), LastObeyed.at(file).past());
    }
}
