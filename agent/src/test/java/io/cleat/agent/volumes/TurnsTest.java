package io.cleat.agent.volumes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class TurnsTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final VolumeKey A = new VolumeKey("p", "a");
    private static final VolumeKey B = new VolumeKey("p", "b");

    private final Turns turns = new Turns();
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final List<String> served = new CopyOnWriteArrayList<>();

    @Test
    void turnsAreInTheOrderOfAsking_andWhoWaitsIsToldWhoIsAtIt() throws Exception {
        Turns.Turn first = turns.enter(A, "first", told::add);
        Thread second = entering("second");
        assertEquals("first", nextTold());
        Thread third = entering("third");
        assertEquals("first", nextTold());
        assertEquals(List.of(), served);
        first.close();
        assertTrue(second.join(SOON));
        assertTrue(third.join(SOON));
        assertEquals(List.of("second", "third"), served);
    }

    @Test
    void whoStopsWaiting_isInNobodysWay() throws Exception {
        Turns.Turn first = turns.enter(A, "first", told::add);
        Thread second = entering("second");
        assertEquals("first", nextTold());
        Thread third = entering("third");
        assertEquals("first", nextTold());
        second.interrupt();
        assertTrue(second.join(SOON));
        first.close();
        assertTrue(third.join(SOON));
        assertEquals(List.of("third"), served);
    }

    @Test
    void anotherVolume_waitsForNothing() throws Exception {
        try (Turns.Turn _ = turns.enter(A, "first", told::add);
                Turns.Turn _ = turns.enter(B, "second", told::add)) {
            assertEquals(0, told.size());
        }
    }

    private Thread entering(String what) {
        return Thread.ofVirtual().start(() -> {
            try (Turns.Turn _ = turns.enter(A, what, told::add)) {
                served.add(what);
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private String nextTold() throws InterruptedException {
        return Objects.requireNonNull(told.poll(SOON.toSeconds(), TimeUnit.SECONDS), "nobody was told of a wait");
    }
}
