package io.cleat.localplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.grpc.Status;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyLocksTest {
    private final FakeTime time = new FakeTime();

    @TempDir
    Path directory;

    @Test
    void whoWaitsTooLongIsToldWhatIsHeld() throws Exception {
        KeyLocks locks = new KeyLocks(directory.resolve("lock"), time);
        Deadline deadline = Deadline.in(time, Duration.ofSeconds(1));
        try (KeyLocks.Held _ = locks.hold("v1", deadline)) {
            CallRefused refused = assertThrows(CallRefused.class, () -> locks.hold("v1", deadline));
            assertEquals(Status.Code.ABORTED, refused.code());
            assertTrue(refused.sentence().contains("'v1'"), refused::sentence);
            assertTrue(time.nanos() >= Duration.ofSeconds(1).toNanos());
        }
    }

    @Test
    void keysDoNotWaitForEachOtherAndAreGivenBack() throws Exception {
        KeyLocks locks = new KeyLocks(directory.resolve("lock"), time);
        try (KeyLocks.Held one = locks.tryHold("v1").orElseThrow();
                KeyLocks.Held other = locks.tryHold("v2").orElseThrow()) {
            assertNotEquals(one, other);
            assertTrue(locks.tryHold("v1").isEmpty());
        }
        locks.tryHold("v1").orElseThrow().close();
    }
}
