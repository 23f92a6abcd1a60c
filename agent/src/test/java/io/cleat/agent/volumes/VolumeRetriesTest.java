package io.cleat.agent.volumes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.TestTime;
import io.cleat.model.BlockedBy;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** How long it is waited, how long it was tried, and what is told of it. */
class VolumeRetriesTest extends OnGround {
    private final StepBlocked again = StepBlocked.again("stage", "Internal", "again");
    private final StepBlocked noPlugin = StepBlocked.plugin("stage", Ground.PLUGIN, "gone");
    private final StepBlocked others = StepBlocked.volume("stage", "allocation a2", "others");

    private final TestTime time = new TestTime();
    private final VolumeRetries retries;

    VolumeRetriesTest() throws Exception {
        ground.time = time;
        retries = new VolumeRetries(ground.parts(JournalPoint.Listener.NONE), new VolumeKey(Ground.PLUGIN, "ext-1"));
    }

    /** Else a mount is given up that nobody could have made, or is tried for ever. */
    @Test
    void triesAndThePausesAfterThemAreCounted_andNoOtherWait() throws Exception {
        tryOnce(noPlugin, 1_000);
        tryOnce(others, 1_000);
        assertTriedFor(0);
        tryOnce(again, 3);
        assertTriedFor(3);
        tryOnce(again, 4);
        assertTriedFor(7);
        time.advance(Duration.ofSeconds(5));
        ground.plugins.vanish(Ground.PLUGIN);
        retries.await(again, Duration.ofMinutes(1));
        assertTriedFor(12);
    }

    /** The others of a volume waited out 40 s each, with an error that was over. */
    @Test
    void whoWaitsGoesOnOnceAnotherHasStagedTheVolume() throws Exception {
        VolumeRecord staged = JournalTest.record("v1");
        VolumeRetries other = new VolumeRetries(ground.parts(JournalPoint.Listener.NONE), staged.key());
        other.beforeTry();
        Thread waiting = ground.threads.vitalWork("test/wait", () -> other.await(again, Duration.ofHours(1)));
        ground.journal.keep(staged);
        ground.plugins.stir();
        join(waiting);

        // Of one that was staged before there is nothing new.
        other.beforeTry();
        Thread second = ground.threads.vitalWork("test/second", () -> other.await(again, Duration.ofHours(1)));
        ground.plugins.stir();
        assertFalse(second.join(Duration.ofMillis(50)));
        time.advance(Duration.ofHours(2));
        ground.plugins.stir();
        join(second);
    }

    private void tryOnce(StepBlocked end, long seconds) {
        retries.beforeTry();
        time.advance(Duration.ofSeconds(seconds));
        retries.count(end);
    }

    private void assertTriedFor(long seconds) {
        assertTrue(retries.hasTriedFor(Duration.ofSeconds(seconds)));
        assertFalse(retries.hasTriedFor(Duration.ofSeconds(seconds).plusNanos(1)));
    }

    @Test
    void pausesGrow_untilThePluginWasAway() {
        Duration first = retries.after(again);
        retries.after(again);
        assertEquals(Duration.ofSeconds(30), retries.after(others));
        Duration third = retries.after(again);
        assertEquals(Duration.ofSeconds(30), retries.after(noPlugin));
        Duration anew = retries.after(again);
        // From 10 ms doubled each time, of which chance takes at most a half.
        assertTrue(first.toMillis() <= 10, first.toString());
        assertTrue(third.toMillis() >= 20, third.toString());
        assertTrue(third.toMillis() <= 40, third.toString());
        assertTrue(anew.toMillis() <= 10, anew.toString());
    }

    @Test
    void sameWait_isToldWithTheMomentWhenItBegan() {
        Instant begin = time.now();
        BlockedBy told = retries.blockedBy(again, Duration.ofSeconds(9));
        assertEquals(begin, told.since());
        assertEquals(begin.plusSeconds(9), told.nextTry());
        time.advance(Duration.ofSeconds(2));
        BlockedBy later = retries.blockedBy(again, Duration.ofSeconds(9));
        assertEquals(begin, later.since());
        assertEquals(begin.plusSeconds(11), later.nextTry());
        BlockedBy other = retries.blockedBy(others, Duration.ofSeconds(9));
        assertEquals(begin.plusSeconds(2), other.since());
        assertNull(other.nextTry(), "nobody knows when");
        BlockedBy turn = retries.blockedBy("mounting for allocation a3");
        assertEquals("mounting for allocation a3", turn.holder());
        assertNull(turn.nextTry());
    }

    /** Else it is slept through, and 30 s are lost. */
    @Test
    void pluginThatCame_endsTheWaitForIt() throws Exception {
        NodePlugin plugin = ground.plugins.current(Ground.PLUGIN).orElseThrow();
        ground.plugins.vanish(Ground.PLUGIN);
        retries.beforeTry();
        ground.plugins.appear(Ground.PLUGIN, plugin);
        retries.await(noPlugin, Duration.ofDays(1));
        assertEquals(Instant.ofEpochSecond(1_800_000_000L), time.now());
    }

    /** Else it is tried again and again, as fast as the machine can. */
    @Test
    void whoWaitsForAPlugin_waitsUntilThereIsAnother() throws Exception {
        NodePlugin plugin = ground.plugins.current(Ground.PLUGIN).orElseThrow();
        ground.plugins.vanish(Ground.PLUGIN);
        retries.beforeTry();
        Thread waiting = waitFor(noPlugin);
        ground.plugins.stir();
        assertFalse(waiting.join(Duration.ofMillis(50)));
        ground.plugins.appear(Ground.PLUGIN, plugin);
        join(waiting);
    }

    @Test
    void whoWaitsForOthersOfTheVolume_waitsUntilTheJournalHasSomethingNew() throws Exception {
        retries.beforeTry();
        Thread waiting = waitFor(others);
        assertFalse(waiting.join(Duration.ofMillis(50)));
        ground.journal.keep(JournalTest.record("v1"));
        join(waiting);
    }

    private Thread waitFor(StepBlocked what) {
        return ground.threads.vitalWork("test/wait", () -> retries.await(what, Duration.ofHours(1)));
    }
}
