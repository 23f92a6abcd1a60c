package io.cleat.server.duty;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.base.Refusal;
import io.cleat.server.commit.Answer;
import io.cleat.server.decide.CollectGarbage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Rounds of collecting. Situation -> answer. */
final class GarbageDutyTest {
    private static final Garbage OFTEN = new Garbage(Duration.ofSeconds(7), CollectGarbage.NOW);

    private static Answer<CollectGarbage.Reply> round(int removed, boolean more) {
        return new Answer.Accepted<>(new CollectGarbage.Reply(removed, more), 1);
    }

    /** The rounds that one turn takes. */
    private static int rounds(List<Answer<CollectGarbage.Reply>> answers) throws Exception {
        ArrayDeque<Answer<CollectGarbage.Reply>> script = new ArrayDeque<>(answers);
        ScriptedDeciding deciding = new ScriptedDeciding(command -> script.remove());
        assertEquals(OFTEN.interval(), new GarbageDuty(deciding, OFTEN).turn());
        assertEquals(Collections.nCopies(answers.size(), OFTEN.limits()), deciding.asked, "by its limits, each time");
        return deciding.asked.size();
    }

    @Test
    void nothingToCollect_oneRound() throws Exception {
        assertEquals(1, rounds(List.of(round(0, false))));
    }

    @Test
    void moreIsLeft_anotherRoundAtOnce() throws Exception {
        assertEquals(
                3,
                rounds(List.of(round(CollectGarbage.MOST, true), round(CollectGarbage.MOST, true), round(4, false))));
    }

    @Test
    void refused_itWaitsForItsNextTime() throws Exception {
        assertEquals(1, rounds(List.of(new Answer.Rejected<>(new Refusal.NoLeader("elsewhere"), 1))));
    }

    /** It went on refusing all new work for an hour, until what was over was old enough. */
    @Test
    void whileMemoryIsShort_lessAndLessStays() throws Exception {
        AtomicBoolean isShort = new AtomicBoolean();
        Garbage usual = Garbage.USUAL.with(isShort::get);
        ScriptedDeciding deciding = new ScriptedDeciding(command -> round(0, false));
        GarbageDuty duty = new GarbageDuty(deciding, usual);
        assertEquals(GarbageDuty.LOOK_EVERY, duty.turn());
        isShort.set(true);
        duty.turn();
        duty.turn();
        isShort.set(false);
        duty.turn();
        isShort.set(true);
        duty.turn();
        CollectGarbage limits = usual.limits();
        assertEquals(
                List.of(limits, limits.keeping(1_000), limits.keeping(500), limits.keeping(1_000)), deciding.asked);
    }

    @Test
    void betweenTwoLooksAtMemory_nothingIsCollectedBeforeItsTime() throws Exception {
        ScriptedDeciding deciding = new ScriptedDeciding(command -> round(0, false));
        GarbageDuty duty = new GarbageDuty(deciding, Garbage.USUAL);
        Duration waited = Duration.ZERO;
        while (waited.compareTo(Garbage.USUAL.interval()) < 0) {
            waited = waited.plus(duty.turn());
        }
        assertEquals(1, deciding.asked.size());
        duty.turn();
        assertEquals(2, deciding.asked.size());
    }
}
