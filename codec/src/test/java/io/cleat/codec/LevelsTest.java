package io.cleat.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Since;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A format that has grown twice, written for the program before. */
final class LevelsTest {
    enum FirstWord {
        YES
    }

    /** As the first program had it. */
    sealed interface FirstFact {
        record Said(String what, FirstWord word) implements FirstFact {}
    }

    enum Word {
        YES,
        @Since(3)
        MAYBE
    }

    /** As it is now. */
    sealed interface Fact {
        record Said(
                String what,
                Word word,
                @Since(2) List<String> more,
                @Since(3) @Nullable Integer count,
                @Since(3) boolean loud,
                @Since(3) Optional<String> by)
                implements Fact {}

        @Since(2)
        record Unsaid(String what) implements Fact {}
    }

    private static final RecordCodec<FirstFact> FIRST = RecordCodec.stored("fact", 1, FirstFact.class);
    private static final RecordCodec<Fact> NOW = RecordCodec.stored("fact", 3, Fact.class);

    private static Fact said(Word word, List<String> more, @Nullable Integer count, boolean loud) {
        return new Fact.Said("x", word, more, count, loud, Optional.empty());
    }

    private static void needs(int level, Fact fact) throws Exception {
        for (int below = 1; below < level; below++) {
            int at = below;
            Refused refused = assertThrows(Refused.class, () -> NOW.encode(fact, at));
            Refusal.Conflict conflict = assertInstanceOf(Refusal.Conflict.class, refused.refusal());
            assertTrue(conflict.message().contains("feature level " + level), conflict.message());
        }
        assertEquals(fact, NOW.decode(NOW.encode(fact, level)));
    }

    @Test
    void whatTheFirstProgramKnewIsWrittenAsItWroteIt() throws Exception {
        byte[] bytes = NOW.encode(said(Word.YES, List.of(), null, false), 1);
        assertArrayEquals(FIRST.encode(new FirstFact.Said("x", FirstWord.YES)), bytes);
        assertEquals(new FirstFact.Said("x", FirstWord.YES), FIRST.decode(bytes));
    }

    @Test
    void whatIsNewerNeedsItsLevel() throws Exception {
        needs(1, said(Word.YES, List.of(), null, false));
        needs(2, said(Word.YES, List.of("y"), null, false));
        needs(2, new Fact.Unsaid("x"));
        needs(3, said(Word.YES, List.of(), 0, false));
        needs(3, said(Word.YES, List.of(), null, true));
        needs(3, said(Word.MAYBE, List.of(), null, false));
        needs(3, new Fact.Said("x", Word.YES, List.of(), null, false, Optional.of("somebody")));
    }

    /** What is said of that kind of record between programs, whose formats have versions alone. */
    record Told(
            Fact fact,
            @Since(wire = 5) String how,
            @Since(wire = 6) boolean twice) {}

    private static final RecordCodec<Told> SENT = RecordCodec.sent("told", 6, Told.class);

    @Test
    void whatTheOtherEndDoesNotKnowIsLeftOut() throws Exception {
        Told told = new Told(said(Word.YES, List.of("y"), 2, true), "loud", true);
        assertEquals(told, SENT.decode(SENT.encodeFor(told, 6, 1)));
        assertEquals(told, SENT.decode(SENT.encodeFor(told, 7, 1)));
        assertEquals(
                new Told(said(Word.YES, List.of("y"), null, false), "loud", false),
                SENT.decode(SENT.encodeFor(told, 5, 2)));
        Refused refused =
                assertThrows(Refused.class, () -> SENT.encodeFor(new Told(new Fact.Unsaid("x"), "loud", false), 5, 1));
        assertInstanceOf(Refusal.Conflict.class, refused.refusal());
    }

    record Older(String how) {}

    @Test
    void whatANewerProgramSaysBesideIsPassedOver() throws Exception {
        RecordCodec<Older> older = RecordCodec.sent("told", 6, Older.class);
        Told told = new Told(said(Word.YES, List.of(), null, false), "loud", true);
        assertEquals(new Older("loud"), older.decode(SENT.encode(told)));
    }

    @Test
    void aLevelBeyondTheFormatsOwnIsItsNewestVersion() throws Exception {
        Fact fact = said(Word.MAYBE, List.of("y"), 2, true);
        assertArrayEquals(NOW.encode(fact), NOW.encode(fact, 9));
    }
}
