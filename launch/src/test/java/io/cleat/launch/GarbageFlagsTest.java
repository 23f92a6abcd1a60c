package io.cleat.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.cli.Failure;
import io.cleat.server.decide.CollectGarbage;
import io.cleat.server.duty.Garbage;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class GarbageFlagsTest {
    private static Garbage read(String... args) throws Failure {
        return GarbageFlags.read(AgentRole.PROGRAM.read(List.of(args)));
    }

    @Test
    void whatIsNotGivenIsAsUsual() throws Failure {
        assertEquals(Garbage.USUAL, read());
    }

    @Test
    void eachLimitHasItsFlag() throws Failure {
        CollectGarbage limits = new CollectGarbage(
                Duration.ofMinutes(2),
                Duration.ofMinutes(3),
                Duration.ofMinutes(4),
                CollectGarbage.REGULARLY.requests(),
                50);
        assertEquals(
                new Garbage(Duration.ofMinutes(1), limits),
                read(
                        "-gc-interval=1m",
                        "-eval-gc-threshold=2m",
                        "-job-gc-threshold=3m",
                        "-node-gc-threshold=4m",
                        "-gc-max-ended=50"));
    }

    @Test
    void whatIsNoLimitIsRefusedWithWhatWasGivenAndWhatIsExpected() {
        for (String given : List.of("0", "-1", "many", "9999999999")) {
            Failure failure = assertThrows(Failure.class, () -> read("-gc-max-ended=" + given));
            assertTrue(failure.reason().contains(given), failure::reason);
        }
        for (String given : List.of("0s", "10ms")) {
            Failure failure = assertThrows(Failure.class, () -> read("-gc-interval=" + given));
            assertTrue(failure.reason().contains(given), failure::reason);
        }
    }
}
