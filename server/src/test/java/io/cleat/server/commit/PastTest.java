package io.cleat.server.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What somebody has seen, held against what is applied. */
final class PastTest {
    private static final Instant AT = Instant.EPOCH;

    /** Reigns {@code a} from 1, {@code b} from 11 and {@code c} from 21, now at 25. */
    private static Applied<String> history() {
        Applied<String> applied = Applied.nothing("").opened("a");
        applied = upTo(applied, 10).opened("b");
        applied = upTo(applied, 20).opened("c");
        return upTo(applied, 25);
    }

    private static Applied<String> upTo(Applied<String> from, long version) {
        Applied<String> now = from;
        while (now.version() < version) {
            now = now.decided("", new Stamp(now.version() + 1, AT));
        }
        return now;
    }

    @Test
    void whatWasDecidedHereIsTheSamePast() {
        assertEquals(Past.SAME, history().past(10, "a"));
        assertEquals(Past.SAME, history().past(20, "b"));
        assertEquals(Past.SAME, history().past(25, "c"));
        assertEquals(Past.SAME, history().past(0, ""));
    }

    /** The image is as the reign before left it. */
    @Test
    void aReignThatHasDecidedNothingYet_hasTheImageBeforeIt() {
        assertEquals(Past.SAME, history().past(10, "b"));
        assertEquals(Past.SAME, history().opened("d").past(25, "d"));
    }

    @Test
    void moreThanIsAppliedIsAhead() {
        assertEquals(Past.AHEAD, history().past(26, "c"));
        assertEquals(Past.AHEAD, history().past(26, ""));
        assertEquals(Past.AHEAD, history().past(26, "x"));
    }

    /** Restored from a copy of version 10, it went on by another reign, and is past the node. */
    @Test
    void aReignThatHasDecidedMoreThanHere_isAnotherPast() {
        assertEquals(Past.DIVERGED, history().past(11, "a"));
        assertEquals(Past.DIVERGED, history().past(21, "b"));
    }

    /** The reign began after the copy was made. */
    @Test
    void aReignThatIsNotKnownHere_isAnotherPast() {
        assertEquals(Past.DIVERGED, history().past(15, "x"));
        assertEquals(Past.DIVERGED, history().past(1, "x"));
    }

    @Test
    void withoutAReignOnlyVersionsAreCompared() {
        assertEquals(Past.SAME, history().past(25, ""));
    }

    /** Nothing is known of reigns that long ago: they are not taken for others. */
    @Test
    void aReignThatIsForgotten_isNotCompared() {
        Applied<String> applied = history();
        for (int i = 0; i < Applied.REMEMBERED; i++) {
            applied = upTo(applied.opened("later " + i), applied.version() + 1);
        }
        assertEquals(Applied.REMEMBERED, applied.reigns().size());
        assertEquals(Past.SAME, applied.past(25, "c"));
        assertEquals(Past.DIVERGED, applied.past(26, "c"));
    }

    /** An older program's snapshot does not say where its reigns began. */
    @Test
    void aReignOfAnOlderSnapshot_isNotCompared() {
        Applied<String> old = new Applied<>("", 20, AT, 1, List.of(new Reign("a", 0, 10), new Reign("b", 0, 10)));
        assertEquals(Past.SAME, old.past(15, "a"));
        assertEquals(Past.SAME, old.past(15, "x"));
        Applied<String> now = upTo(old.opened("c"), 25);
        assertEquals(Past.DIVERGED, now.past(21, "b"));
        assertEquals(Past.DIVERGED, now.past(21, "x"));
        assertEquals(Past.SAME, now.past(20, "x"));
    }
}
