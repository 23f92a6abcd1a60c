package io.cleat.server.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** When a member may decide: from the opening of its reign to the first sign of another. */
class OwnReignTest {
    private static final Applied<String> NOTHING = Applied.nothing("");

    private final OwnReign own = new OwnReign();

    @Test
    void aMemberThatLeadsOpensAReign_andRulesOnceThatIsApplied() {
        assertFalse(own.isWanted());
        assertTrue(own.leading(3));
        assertTrue(own.isWanted());
        own.opening("a");
        assertFalse(own.isWanted());
        assertFalse(own.isRuling("a"));
        assertEquals("a", own.begin(true));
        assertTrue(own.isRuling("a"));
        assertFalse(own.isWanted());
        assertFalse(own.isFollowed(NOTHING.opened("a")));
        assertTrue(own.isFollowed(NOTHING.opened("a").opened("b")));
    }

    @Test
    void anOpeningThatFailedIsMadeAgain() {
        own.leading(1);
        own.opening("a");
        own.openingFailed();
        assertFalse(own.isOpening("a"));
        assertTrue(own.isWanted());
    }

    @Test
    void whatIsHeardLateOfAnOlderTermIsNothing() {
        assertTrue(own.following(5));
        assertFalse(own.leading(5));
        assertFalse(own.isWanted());
        assertTrue(own.leading(6));
        assertFalse(own.following(4));
        assertTrue(own.isWanted());
    }

    @Test
    void aMemberThatLeadsNoMoreOpensNothing_andItsReignIsToEnd() {
        own.leading(1);
        own.opening("a");
        assertTrue(own.following(2));
        assertFalse(own.isOpening("a"));
        own.end();
        assertNull(own.ruling());
    }

    @Test
    void aReignThatWasOpenedAndFollowedByAnotherIsForgotten() {
        own.leading(1);
        own.opening("a");
        assertFalse(own.forgetOpened(NOTHING));
        assertFalse(own.forgetOpened(NOTHING.opened("a")));
        assertTrue(own.forgetOpened(NOTHING.opened("a").opened("b")));
        assertFalse(own.isOpening("a"));
        assertTrue(own.isWanted());
    }

    @Test
    void nothingBeginsWhereNothingMayBeDecided() {
        own.leading(1);
        own.opening("a");
        assertNull(own.begin(false));
        assertTrue(own.isWanted());
    }
}
