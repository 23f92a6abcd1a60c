package io.cleat.agent.volumes;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class MountingCallsTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final VolumeKey A = new VolumeKey("p", "a");
    private static final VolumeKey B = new VolumeKey("p", "b");
    private static final VolumeKey ELSEWHERE = new VolumeKey("q", "c");

    private final MountingCalls calls = new MountingCalls();

    @Test
    void callThatIsAlone_isToBlame() throws InterruptedException {
        try (MountingCalls.Call elsewhere = calls.begin(ELSEWHERE);
                MountingCalls.Call own = calls.begin(A)) {
            assertTrue(own.isToBlame());
            assertFalse(own.isSuspected());
            assertTrue(elsewhere.isToBlame());
        }
    }

    @Test
    void callThatOverlappedOneWhichHasEnded_isNotToBlame() throws InterruptedException {
        MountingCalls.Call first = calls.begin(A);
        try (MountingCalls.Call own = calls.begin(B)) {
            first.close();
            assertFalse(own.isToBlame());
            assertTrue(own.isSuspected());
        }
    }

    @Test
    void nextCallOfEachSuspect_isAlone() throws InterruptedException {
        suspectBoth();
        MountingCalls.Call own = calls.begin(A);
        AtomicBoolean isIn = new AtomicBoolean();
        Thread other = beginning(B, isIn);
        awaitsTurn(other);
        assertFalse(isIn.get());
        assertTrue(own.isToBlame());
        own.close();
        assertTrue(other.join(SOON));
        assertTrue(isIn.get());
    }

    @Test
    void whoWasFoundInnocent_isNotAloneAgain() throws InterruptedException {
        suspectBoth();
        calls.begin(A).close();
        calls.begin(B).close();
        try (MountingCalls.Call first = calls.begin(A);
                MountingCalls.Call second = calls.begin(B)) {
            assertFalse(first.isToBlame());
            assertFalse(second.isToBlame());
        }
    }

    /** Its mount went with one over the directory of both, and it was believed to mount nothing. */
    @Test
    void callBegunWhileASurplusWasTakenAway_isASuspectToo() throws InterruptedException {
        try (MountingCalls.Call own = calls.begin(A)) {
            assertTrue(own.isToBlame());
            try (MountingCalls.Call later = calls.begin(B)) {
                own.suspectOthers();
                assertTrue(later.isSuspected());
                assertFalse(own.isSuspected());
            }
        }
    }

    /** Else a plugin that is always busy would never let a suspect have its call. */
    @Test
    void whoIsToBeAlone_goesBeforeThoseThatComeLater() throws InterruptedException {
        suspectBoth();
        calls.begin(B).close();
        MountingCalls.Call busy = calls.begin(B);
        AtomicBoolean isIn = new AtomicBoolean();
        Thread suspect = beginning(A, isIn);
        awaitsTurn(suspect);
        AtomicBoolean isLaterIn = new AtomicBoolean();
        Thread later = beginning(new VolumeKey("p", "later"), isLaterIn);
        awaitsTurn(later);
        assertFalse(isLaterIn.get());
        busy.close();
        assertTrue(suspect.join(SOON));
        assertTrue(later.join(SOON));
        assertTrue(isIn.get() && isLaterIn.get());
    }

    private void suspectBoth() throws InterruptedException {
        try (MountingCalls.Call first = calls.begin(A);
                MountingCalls.Call second = calls.begin(B)) {
            assertFalse(first.isToBlame());
            assertTrue(second.isSuspected());
        }
    }

    private Thread beginning(VolumeKey key, AtomicBoolean isIn) {
        return Thread.ofVirtual().start(() -> {
            try {
                MountingCalls.Call own = calls.begin(key);
                isIn.set(true);
                own.close();
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static void awaitsTurn(Thread thread) {
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }
}
