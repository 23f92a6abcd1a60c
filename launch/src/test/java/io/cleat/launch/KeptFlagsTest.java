package io.cleat.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.alloc.KeptFiles;
import io.cleat.cli.Failure;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeptFlagsTest {
    private static KeptFiles read(String... args) throws Failure {
        return KeptFlags.read(AgentRole.PROGRAM.read(List.of(args)));
    }

    @Test
    void eachHasItsFlag() throws Failure {
        assertEquals(KeptFiles.USUAL, read());
        assertEquals(
                new KeptFiles(7, 90, 95),
                read("-gc-max-allocs=7", "-gc-disk-usage-threshold=90", "-gc-inode-usage-threshold=95"));
    }

    @Test
    void whatIsNoNumberOfThemIsRefusedWithWhatWasGivenAndWhatIsExpected() {
        for (String given : List.of("-1", "101", "many", "80%", "9999999999")) {
            Failure failure = assertThrows(Failure.class, () -> read("-gc-disk-usage-threshold=" + given));
            assertTrue(failure.reason().contains(given), failure::reason);
            assertTrue(failure.reason().contains("from 0 to 100"), failure::reason);
        }
    }
}
