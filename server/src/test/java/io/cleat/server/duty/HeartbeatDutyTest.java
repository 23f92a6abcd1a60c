package io.cleat.server.duty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Refusal;
import io.cleat.server.commit.Answer;
import io.cleat.server.decide.NodeUnheard;
import io.cleat.server.session.Liveness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Silent nodes. Situation -> answer. */
final class HeartbeatDutyTest {
    private final FakeLiveness liveness = new FakeLiveness();

    private static final class FakeLiveness implements Liveness {
        List<String> overdue = List.of();
        Duration next = Duration.ofSeconds(7);
        final List<String> forgotten = new ArrayList<>();

        @Override
        public List<String> overdue() {
            return overdue;
        }

        @Override
        public Duration untilNextOverdue() {
            return next;
        }

        @Override
        public void forget(String nodeId) {
            forgotten.add(nodeId);
        }
    }

    private ScriptedDeciding turn(Answer<NodeUnheard.Reply> answer) throws Exception {
        ScriptedDeciding deciding = new ScriptedDeciding(command -> answer);
        assertEquals(
                Duration.ofSeconds(7),
                new HeartbeatDuty(deciding, liveness).turn(),
                "it looks again when the next node may be overdue");
        return deciding;
    }

    private static Answer<NodeUnheard.Reply> yes() {
        return new Answer.Accepted<>(new NodeUnheard.Reply(), 5);
    }

    @Test
    void allAreHeard_nothingIsDecided() throws Exception {
        assertTrue(turn(yes()).asked.isEmpty());
    }

    @Test
    void eachOverdueNode_isDecidedDownWithTheReason_andForgotten() throws Exception {
        liveness.overdue = List.of("n1", "n2");
        ScriptedDeciding deciding = turn(yes());
        assertEquals(
                List.of(
                        new NodeUnheard("n1", "not heard for 20 s", "seed-0"),
                        new NodeUnheard("n2", "not heard for 20 s", "seed-1")),
                deciding.asked);
        assertEquals(List.of("n1", "n2"), liveness.forgotten);
    }

    @Test
    void whatIsRefused_isNotForgotten_soItStaysOverdue() throws Exception {
        liveness.overdue = List.of("n1");
        turn(new Answer.Rejected<>(new Refusal.NoLeader("elsewhere"), 5));
        assertTrue(liveness.forgotten.isEmpty());
    }

    @Test
    void whatIsRefused_isNotAskedForWithoutAPause() throws Exception {
        liveness.overdue = List.of("n1");
        liveness.next = Duration.ZERO;
        ScriptedDeciding deciding =
                new ScriptedDeciding(command -> new Answer.Rejected<>(new Refusal.NoLeader("elsewhere"), 5));
        assertEquals(Duration.ofSeconds(1), new HeartbeatDuty(deciding, liveness).turn());
    }
}
