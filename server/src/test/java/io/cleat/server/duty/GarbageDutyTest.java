package io.cleat.server.duty;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.base.Refusal;
import io.cleat.server.commit.Answer;
import io.cleat.server.decide.CollectGarbage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.List;
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
        assertEquals(
                Collections.nCopies(answers.size(), OFTEN.limits()),
                deciding.asked,
                "by its limits, each time");
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
                rounds(
                        List.of(
                                round(CollectGarbage.MOST, true),
                                round(CollectGarbage.MOST, true),
                                round(4, false))));
    }

    @Test
    void refused_itWaitsForItsNextTime() throws Exception {
        assertEquals(
                1, rounds(List.of(new Answer.Rejected<>(new Refusal.NoLeader("elsewhere"), 1))));
    }
}
