package io.cleat.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.testkit.FakeTime;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class NarratorTest {
    private final StringWriter text = new StringWriter();
    private final FakeTime time = new FakeTime();

    /** Time that goes on only when told to. */
    private Narrator narrator(boolean colours, boolean isTerminal) {
        return new Narrator(new PrintWriter(text), new Narrator.Look(colours, isTerminal), time);
    }

    @Test
    void aStoryIsPlainAndAligned() {
        Narrator narrator = narrator(false, false);
        narrator.step("It begins");
        time.advance(Duration.ofMillis(1250));
        narrator.verified("API", "http://127.0.0.1:1");
        time.advance(Duration.ofSeconds(10));
        narrator.verified("one process", "pid 7");
        narrator.quote("cleat job status", List.of("ID = web"));
        narrator.success();
        assertEquals("""

                1. It begins
                   ✓   1.25 s  API                  http://127.0.0.1:1
                   ✓  11.25 s  one process          pid 7
                     $ cleat job status
                     │ ID = web
                   step 1: 2 verified, 11.25 s

                ✓ 1 steps, 2 things verified from outside, 11.3 s
                """, text.toString());
    }

    @Test
    void aLongLineIsBrokenAtSpaces() {
        String line = "  * " + "word ".repeat(30).strip();
        List<String> parts = Narrator.wrapped(line);
        assertEquals(2, parts.size());
        assertTrue(parts.getLast().startsWith("      word"), parts.getLast());
        assertEquals(line.strip(), (parts.getFirst() + " " + parts.getLast().strip()).strip());
        assertEquals(List.of("x".repeat(300)), Narrator.wrapped("x".repeat(300)));
    }

    @Test
    void aFailureSaysWhatWasExpectedAndSeen() {
        Narrator narrator = narrator(false, false);
        narrator.step("It begins");
        narrator.failed(new CheckFailed("the plugin", "healthy", "it does not answer"));
        narrator.failure("failed");
        assertTrue(text.toString().contains("""
                                   ✗ the plugin
                                     expected  healthy
                                     seen      it does not answer
                                """), text.toString());
        assertTrue(text.toString().contains("the demo failed in step 1"), text.toString());
    }

    @Test
    void aWaitIsWrittenOverOnATerminal() {
        Narrator narrator = narrator(false, true);
        narrator.waiting("the node is ready", Duration.ofMillis(900), "down");
        assertEquals("", text.toString());
        narrator.waiting("the node is ready", Duration.ofSeconds(3), "down");
        narrator.verified("node", "ready");
        assertTrue(text.toString().startsWith("\r\u001b[K   … the node is ready (3 s): down\r"));
    }

    @Test
    void aLongWaitIsSaidNowAndThenElsewhere() {
        Narrator narrator = narrator(false, false);
        for (int second = 0; second <= 25; second++) {
            narrator.waiting("the node is ready", Duration.ofSeconds(second), "down");
        }
        assertEquals(2, text.toString().lines().count(), text.toString());
        assertFalse(text.toString().contains("\u001b"), text.toString());
    }

    @Test
    void patienceEndsWithWhatTheLastLookSaw() {
        Polling polling = new Polling(narrator(false, false), () -> {}, time);
        CheckFailed failed = assertThrows(
                CheckFailed.class,
                () -> polling.until("it is up", () -> {
                    throw new CheckFailed("it", "up", "down");
                }));
        assertEquals("it is up", failed.what());
        assertEquals("down", failed.seen());
        assertTrue(failed.expected().contains("within 60 s"), failed.expected());
    }

    @Test
    void patienceLooksAgain() throws Exception {
        Polling polling = new Polling(narrator(false, false), () -> {}, time);
        long at = polling.until("a second has passed", () -> {
            CheckFailed.unless(time.nanos() >= 1_000_000_000, "it", "late", "early");
            return time.nanos();
        });
        assertTrue(at >= 1_000_000_000 && at < 2_000_000_000, String.valueOf(at));
    }
}
