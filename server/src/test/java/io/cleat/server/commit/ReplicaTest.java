package io.cleat.server.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.cleat.base.DiskTrouble;
import io.cleat.base.InvariantBroken;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Case by case: the entry that comes, and what it changes. */
final class ReplicaTest {
    private final Journal.Machine machine = new Journal.Machine(1);
    private final Replica<Journal, String> replica = new Replica<>(machine);
    private long index;

    private void apply(Entry entry) throws DiskTrouble {
        replica.apply(index++, EntryCodec.encode(entry));
    }

    private static Entry changes(String reign, long number, long before, String... texts) {
        return new Entry.ChangeSet(
                reign,
                number,
                before,
                Instant.EPOCH,
                List.of(texts).stream()
                        .map(text -> text.getBytes(StandardCharsets.UTF_8))
                        .map(bytes -> new Entry.Decided(0, bytes))
                        .toList());
    }

    private List<String> texts() {
        return replica.applied().image().texts();
    }

    @Test
    void changesBeforeAnyReignChangeNothing() throws DiskTrouble {
        apply(changes("a", 0, 0, "one"));
        assertEquals(List.of(), texts());
    }

    @Test
    void changesOfTheOpenReignInOrderAreApplied() throws DiskTrouble {
        apply(new Entry.ReignOpened("a"));
        apply(changes("a", 0, 0, "one", "two"));
        apply(changes("a", 1, 2, "three"));
        assertEquals(List.of("one", "two", "three"), texts());
        assertEquals(3, replica.applied().version());
    }

    @Test
    void decisionsOfOneEntryAreToldOneByOneAfterTheImageIsPublished() throws DiskTrouble {
        List<String> told = new ArrayList<>();
        replica.listenToDecisions(new DecisionListener<>() {
            @Override
            public void applied(AppliedDecision<Journal, String> decision) {
                told.add(decision.version()
                        + ": "
                        + decision.before().texts()
                        + decision.changes()
                        + decision.after().texts()
                        + " of "
                        + texts());
            }

            @Override
            public void installed(Applied<Journal> after) {
                told.add("installed " + after.version());
            }
        });
        apply(new Entry.ReignOpened("a"));
        apply(changes("a", 0, 0, "one", "two"));
        apply(changes("a", 5, 2, "three"));
        assertEquals(List.of("1: [][one][one] of [one, two]", "2: [one][two][one, two] of [one, two]"), told);
    }

    /** What an entry leads to if this member decided it on the image that is applied now. */
    private Journal foresee(Entry entry, String... texts) {
        List<AppliedDecision<Journal, String>> decisions = new ArrayList<>();
        Journal image = replica.applied().image();
        for (String text : texts) {
            Stamp stamp = new Stamp(image.lines().size() + 1, Instant.EPOCH);
            Journal after = machine.apply(image, List.of(text), stamp);
            decisions.add(new AppliedDecision<>(image, List.of(text), after, stamp.version(), text.length()));
            image = after;
        }
        replica.foreseen().add((Entry.ChangeSet) entry, decisions);
        return image;
    }

    @Test
    void whatWasDecidedHereOnTheAppliedImageIsNotMadeAgain() throws DiskTrouble {
        apply(new Entry.ReignOpened("a"));
        Entry first = changes("a", 0, 0, "one", "two");
        Journal decided = foresee(first, "one", "two");
        apply(first);
        assertSame(decided, replica.applied().image());
        assertEquals(2, replica.applied().version());
        Entry second = changes("a", 1, 2, "three");
        Journal next = foresee(second, "three");
        apply(second);
        assertSame(next, replica.applied().image());
        assertEquals(List.of("one", "two", "three"), texts());
    }

    @Test
    void whatWasDecidedOnAnotherImageIsMadeAgain() throws DiskTrouble {
        apply(new Entry.ReignOpened("a"));
        Entry second = changes("a", 1, 1, "two");
        Journal decided = foresee(second, "two");
        apply(changes("a", 0, 0, "one"));
        apply(second);
        assertNotSame(decided, replica.applied().image());
        assertEquals(List.of("one", "two"), texts());
    }

    @Test
    void anEntryOfOtherBytesIsTakenAsItIs_andWhatWasForeseenIsForgotten() throws DiskTrouble {
        apply(new Entry.ReignOpened("a"));
        Journal decided = foresee(changes("a", 0, 0, "mine"), "mine");
        apply(changes("a", 0, 0, "theirs"));
        assertEquals(List.of("theirs"), texts());
        assertEquals(List.of("mine"), decided.texts());
        assertEquals(
                List.of(),
                replica.foreseen().take((Entry.ChangeSet) changes("a", 0, 0, "mine"), new Journal(List.of())));
    }

    /** As of a level that is raised in between, or of a reign that was lost with its entries. */
    @Test
    void anEntryThatWasNotForeseenLeavesWhatComesAfterIt_andDropsWhatIsOfAnotherReign() throws DiskTrouble {
        apply(new Entry.ReignOpened("a"));
        Entry second = changes("a", 1, 0, "two");
        Journal decided = foresee(second, "two");
        apply(changes("a", 0, 0));
        apply(second);
        assertSame(decided, replica.applied().image());
        Entry lost = changes("a", 2, 1, "lost");
        Journal never = foresee(lost, "lost");
        apply(new Entry.ReignOpened("b"));
        apply(changes("b", 0, 1, "other"));
        assertEquals(List.of("two", "other"), texts());
        assertEquals(List.of(), replica.foreseen().take((Entry.ChangeSet) lost, never));
    }

    @Test
    void changesAfterAGapChangeNothing() throws DiskTrouble {
        apply(new Entry.ReignOpened("a"));
        apply(changes("a", 0, 0, "one"));
        apply(changes("a", 2, 2, "three"));
        apply(changes("a", 0, 0, "one"));
        assertEquals(List.of("one"), texts());
    }

    @Test
    void changesOfAnEarlierReignChangeNothing() throws DiskTrouble {
        apply(new Entry.ReignOpened("a"));
        apply(changes("a", 0, 0, "one"));
        apply(new Entry.ReignOpened("b"));
        apply(changes("a", 1, 1, "late"));
        apply(changes("b", 0, 1, "two"));
        assertEquals(List.of("one", "two"), texts());
    }

    @Test
    void entryThatFitsButWasDecidedOnAnotherImageIsAFault() throws DiskTrouble {
        apply(new Entry.ReignOpened("a"));
        assertThrows(InvariantBroken.class, () -> apply(changes("a", 0, 5, "one")));
    }

    @Test
    void sumOfAnotherImageIsAFault() throws DiskTrouble {
        apply(new Entry.ReignOpened("a"));
        apply(changes("a", 0, 0, "one"));
        long own = machine.digest(replica.applied().image(), 1).orElseThrow();
        apply(new Entry.SumTaken("a", 1, 1, own));
        apply(changes("a", 2, 1, "two"));
        assertEquals(List.of("one", "two"), texts());
        assertThrows(InvariantBroken.class, () -> apply(new Entry.SumTaken("a", 3, 2, own)));
    }

    /** It is of the bytes that the program wrote which took it; this one writes others. */
    @Test
    void digestOfAnOlderProgramIsPassedOver() throws DiskTrouble {
        apply(new Entry.ReignOpened("a"));
        apply(new Entry.DigestTaken("a", 0, 0, 17));
        apply(changes("a", 1, 0, "one"));
        assertEquals(List.of("one"), texts());
    }

    @Test
    void levelThatThisProgramDoesNotReadStopsIt() throws DiskTrouble {
        apply(new Entry.ReignOpened("a"));
        assertThrows(
                DiskTrouble.class,
                () -> apply(new Entry.ChangeSet("a", 0, 0, Instant.EPOCH, List.of(new Entry.Decided(2, new byte[0])))));
        assertEquals(0, replica.applied().version());
    }
}
