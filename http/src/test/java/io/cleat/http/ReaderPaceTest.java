package io.cleat.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.testkit.FakeTime;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Clients that take an answer at a speed of their own, in a time that goes as told. */
class ReaderPaceTest {
    private final AtomicInteger cuts = new AtomicInteger();
    private final FakeTime time = new FakeTime();
    private final ReaderPace pace = new ReaderPace(time, cuts::incrementAndGet);

    /** A client that takes each byte in so long, and all before the end of a window in parts. */
    private OutputStream client(Duration perPiece) {
        return pace.over(new OutputStream() {
            @Override
            public void write(int b) {
                time.advance(perPiece);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) {
                time.advance(perPiece);
            }
        });
    }

    @Test
    void whoTakesLessThanTheFloorIsCut() throws Exception {
        OutputStream client = client(Duration.ofSeconds(10));
        for (int i = 0; i < 6; i++) {
            client.write(new byte[(int) ReaderPace.FLOOR * 9]);
        }
        assertFalse(pace.isFastEnough());
        assertEquals(1, cuts.get());
    }

    @Test
    void whoTakesTheFloorIsNotCut() throws Exception {
        OutputStream client = client(Duration.ofSeconds(10));
        for (int i = 0; i < 60; i++) {
            client.write(new byte[(int) ReaderPace.FLOOR * 10]);
            if (i % 6 == 5) {
                assertTrue(pace.isFastEnough(), "write " + i);
            }
        }
        assertEquals(0, cuts.get());
    }

    @Test
    void whoTakesNothingOfOneWriteIsCutInIt() throws Exception {
        OutputStream client = pace.over(new OutputStream() {
            @Override
            public void write(int b) {
                time.advance(ReaderPace.WINDOW);
                assertFalse(pace.isFastEnough());
            }
        });
        client.write(new byte[1]);
        assertEquals(1, cuts.get());
    }

    @Test
    void aStreamInWhichLittleHappensIsNotSlow() throws Exception {
        OutputStream client = client(Duration.ofMillis(1));
        for (int i = 0; i < 10; i++) {
            client.write(new byte[1]);
            client.flush();
            time.advance(ReaderPace.WINDOW);
            assertTrue(pace.isFastEnough());
        }
    }

    @Test
    void aWriteBeforeTheWindowCountsFromItsBeginning() throws Exception {
        OutputStream client = pace.over(new OutputStream() {
            @Override
            public void write(int b) {
                time.advance(ReaderPace.WINDOW.dividedBy(3));
                assertTrue(pace.isFastEnough());
                time.advance(ReaderPace.WINDOW.dividedBy(3));
            }
        });
        client.write(new byte[1]);
        assertTrue(pace.isFastEnough());
    }

    @Test
    void whoWatchesEndsWithTheCutOrTheAnswer() throws Exception {
        OutputStream client = pace.over(new OutputStream() {
            @Override
            public void write(int b) {
                watchToItsEnd();
            }
        });
        client.write(new byte[1]);
        assertEquals(1, cuts.get());
        pace.close();
        watchToItsEnd();
        assertEquals(1, cuts.get());
    }

    private void watchToItsEnd() {
        try {
            pace.watch();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    @Test
    void largeWritesComeWholeAndInOrder() throws Exception {
        byte[] bytes = new byte[3 * ReaderPace.PIECE + 5];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i / 7);
        }
        ByteArrayOutputStream there = new ByteArrayOutputStream();
        try (OutputStream client = pace.over(there)) {
            client.write(bytes, 1, bytes.length - 1);
            client.write(bytes[0]);
        }
        byte[] moved = new byte[bytes.length];
        System.arraycopy(bytes, 1, moved, 0, bytes.length - 1);
        moved[bytes.length - 1] = bytes[0];
        assertArrayEquals(moved, there.toByteArray());
    }
}
