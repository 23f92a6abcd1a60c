package io.cleat.server.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.ByteBudget;
import io.cleat.base.SystemTime;
import io.cleat.wire.ControllerCall;
import io.cleat.wire.ToNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What waits for nodes that read slowly or not at all. */
final class OutgoingTest {
    private static final int MIB = 1 << 20;

    private final ByteBudget budget = new ByteBudget(2 * Outgoing.BYTES, new SystemTime());
    private final Outgoing outgoing = new Outgoing(budget);

    /** An order of so many bytes, and a few. */
    private static ToNode order(int bytes) {
        return new ToNode.Order(
                "operation", 1, "plugin", "alloc", new ControllerCall.ListVolumes("t".repeat(bytes), 0));
    }

    private static ToNode small(long number) {
        return new ToNode.HeartbeatSeen(number);
    }

    @Test
    void oneMessageMoreThanMayWaitClosesTheLink() {
        for (int i = 0; i < Outgoing.BOUND; i++) {
            assertTrue(outgoing.say(small(i)), "message " + i);
        }
        assertFalse(outgoing.say(small(-1)));
        assertTrue(outgoing.isClosed());
        assertEquals(0, budget.taken());
    }

    @Test
    void oneMebibyteMoreThanMayWaitClosesTheLink() throws InterruptedException {
        for (int i = 0; i < 7; i++) {
            assertTrue(outgoing.say(order(MIB)), "order " + i);
        }
        assertFalse(outgoing.say(order(MIB)));
        assertTrue(outgoing.isClosed());
        assertEquals(new Outgoing.Turn(false, Set.of(), false, List.of()), outgoing.take());
        assertEquals(0, budget.taken());
    }

    @Test
    void whatIsBeingSentCountsUntilTheNextTurn() throws InterruptedException {
        for (int i = 0; i < 4; i++) {
            outgoing.say(order(MIB));
        }
        assertEquals(4, outgoing.take().messages().size());
        for (int i = 0; i < 3; i++) {
            assertTrue(outgoing.say(order(MIB)), "order " + i);
        }
        assertEquals(3, outgoing.take().messages().size());
        for (int i = 0; i < 4; i++) {
            assertTrue(outgoing.say(order(MIB)), "order " + i);
        }
        assertFalse(outgoing.say(order(MIB)));
    }

    @Test
    void allLinksShareABudgetOfWhichSmallThingsTakeNothing() throws InterruptedException {
        Outgoing second = new Outgoing(budget);
        Outgoing third = new Outgoing(budget);
        for (int i = 0; i < 7; i++) {
            assertTrue(outgoing.say(order(MIB)) && second.say(order(MIB)), "order " + i);
        }
        long full = budget.taken();
        assertTrue(third.say(small(1)));
        assertEquals(full, budget.taken());
        assertTrue(third.say(order(MIB)));
        assertFalse(third.say(order(MIB)));
        assertTrue(third.isClosed());
        assertEquals(full, budget.taken());
        outgoing.take();
        assertEquals(full, budget.taken());
        outgoing.markAll();
        outgoing.take();
        assertEquals(full / 2, budget.taken());
        second.close();
        assertEquals(0, budget.taken());
    }

    @Test
    void marksAreTakenOnce_andMoreThanABoundAreOneOfAll() throws InterruptedException {
        assertEquals(new Outgoing.Turn(true, Set.of(), false, List.of()), outgoing.take());
        outgoing.mark(List.of("a", "b"));
        outgoing.mark(List.of("b", "c"));
        assertEquals(new Outgoing.Turn(false, Set.of("a", "b", "c"), false, List.of()), outgoing.take());
        Set<String> most = new HashSet<>();
        for (int i = 0; i < Outgoing.MARKS; i++) {
            most.add("alloc-" + i);
        }
        outgoing.mark(most);
        assertEquals(new Outgoing.Turn(false, most, false, List.of()), outgoing.take());
        outgoing.mark(most);
        outgoing.mark(List.of("one more"));
        outgoing.mark(List.of("and one"));
        assertEquals(new Outgoing.Turn(true, Set.of(), false, List.of()), outgoing.take());
    }
}
