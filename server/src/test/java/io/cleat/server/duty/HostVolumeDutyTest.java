package io.cleat.server.duty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Effect;
import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.HostVolumeNames;
import io.cleat.model.HostVolumeSpec;
import io.cleat.model.VolumeModes;
import io.cleat.server.FactsDraft;
import io.cleat.server.decide.Cluster;
import io.cleat.server.decide.DeleteHostVolume;
import io.cleat.server.decide.PutHostVolume;
import io.cleat.state.Change;
import io.cleat.state.HostVolumeOrder;
import io.cleat.state.HostVolumeRow;
import io.cleat.wire.ControllerCall;
import io.cleat.wire.ControllerReply;
import io.cleat.wire.OrderOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nodes that have not answered about a host volume, and are asked again. */
final class HostVolumeDutyTest {
    private record Question(ControllerCall call, HostVolumeDuty.Asking.Heard heard, Runnable over) {
        void answer(Optional<OrderOutcome> outcome) throws Exception {
            heard.is(outcome);
            over.run();
        }
    }

    private final Cluster cluster = new Cluster();
    private final ScriptedDeciding deciding = ScriptedDeciding.of(cluster);
    private final List<Question> questions = new ArrayList<>();
    private final HostVolumeDuty duty = new HostVolumeDuty(
            deciding, (row, call, heard, over) -> questions.add(new Question(call, heard, over)), (where, fault) -> {
                throw new AssertionError(where, fault);
            });

    @BeforeEach
    void aVolumeThatWasAskedFor() {
        cluster.level = Change.STICKY_LEVEL;
        cluster.register(FactsDraft.of(cluster.facts("n1", "boot-1"))
                .attributes(Map.of(HostVolumeNames.pluginAttribute("mkdir"), "0.0.1"))
                .done());
        cluster.accept(new PutHostVolume(spec("v1", "disk"), false, ""));
    }

    private static HostVolumeSpec spec(String id, String name) {
        return new HostVolumeSpec(
                id,
                "default",
                name,
                "mkdir",
                "n1",
                "",
                List.of(),
                List.of(new VolumeModes(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM)),
                0,
                0,
                Map.of());
    }

    private HostVolumeRow row() {
        return cluster.state().hostVolumes().find(HostVolumeRow.key("v1")).orElseThrow();
    }

    private HostVolumeOrder order() {
        HostVolumeOrder order = row().order();
        assertNotNull(order);
        return order;
    }

    private Duration turn() {
        deciding.at(cluster.now());
        return duty.turn();
    }

    private Question asked() {
        turn();
        assertEquals(1, questions.size());
        return questions.removeFirst();
    }

    @Test
    void whoAskedFirstHasItsTime_andThenTheNodeIsAskedAgain() throws Exception {
        assertEquals(Duration.ofSeconds(30), turn());
        assertEquals(List.of(), questions);
        cluster.pass(Duration.ofMinutes(6));
        Question question = asked();
        assertEquals(new ControllerCall.MakeHostVolume(row().spec(), ""), question.call());
        turn();
        assertEquals(List.of(), questions, "once at a time");
        question.answer(Optional.of(new OrderOutcome.Done(new ControllerReply.HostVolumeMade("/data/v1", 9))));
        assertEquals("/data/v1", row().hostPath());
        assertNull(row().order());
        assertEquals(Duration.ofHours(1), turn());
    }

    @Test
    void oneThatNeverAnswers_isAskedEverMoreSeldom_andAtMostTenTimes() throws Exception {
        int count = 0;
        Duration passed = Duration.ZERO;
        while (order().blockedBy().nextTry() != null) {
            cluster.pass(Duration.ofSeconds(15));
            passed = passed.plusSeconds(15);
            turn();
            if (!questions.isEmpty()) {
                questions.removeFirst().answer(Optional.empty());
                count++;
            }
        }
        assertEquals(10, count);
        assertTrue(passed.compareTo(Duration.ofMinutes(40)) > 0, passed.toString());
        assertEquals(10, order().tries());
        assertEquals(
                "it has not answered; it is not asked again: cleat volume delete -type=host v1",
                order().blockedBy().hint());
        assertEquals(HostVolumeRow.State.PENDING, row().state(cluster.state()));
        cluster.pass(Duration.ofDays(1));
        assertEquals(Duration.ofHours(1), turn());
        assertEquals(List.of(), questions);
    }

    @Test
    void aNodeThatIsNotHeard_isAskedOnceItIsBack() throws Exception {
        cluster.down("n1");
        cluster.pass(Duration.ofHours(2));
        assertEquals(Duration.ofHours(1), turn());
        assertEquals(List.of(), questions);
        cluster.register(FactsDraft.of(cluster.facts("n1", "boot-1"))
                .attributes(Map.of(HostVolumeNames.pluginAttribute("mkdir"), "0.0.1"))
                .done());
        asked();
    }

    /** Who asked has gone: a volume that vanished would tell nobody why. */
    @Test
    void whatCannotBeMade_isToldByTheVolume() throws Exception {
        cluster.pass(Duration.ofMinutes(6));
        asked().answer(Optional.of(new OrderOutcome.Failed(Effect.NONE, "Internal", "no space")));
        assertEquals(
                "no space; it is not asked again: cleat volume delete -type=host v1",
                order().blockedBy().hint());
        assertNull(order().blockedBy().nextTry());
        cluster.accept(new DeleteHostVolume(row().id(), false));
        assertEquals("delete", order().blockedBy().step());
    }

    @Test
    void aDeletionIsAskedForAgainToo() throws Exception {
        cluster.accept(new DeleteHostVolume(row().id(), false));
        cluster.pass(Duration.ofMinutes(6));
        Question question = asked();
        assertInstanceOf(ControllerCall.DeleteHostVolume.class, question.call());
        question.answer(Optional.of(new OrderOutcome.Failed(Effect.UNKNOWN, "Internal", "device is busy")));
        assertEquals(1, order().tries());
        assertTrue(order().blockedBy().hint().startsWith("device is busy; it is asked again"));
        cluster.pass(Duration.ofMinutes(1));
        asked().answer(Optional.of(new OrderOutcome.Done(new ControllerReply.HostVolumeDeleted())));
        assertEquals(List.of(), List.copyOf(cluster.state().hostVolumes().from(HostVolumeRow.FIRST)));
    }

    @Test
    void onlySoManyAreAskedForAtOnce() {
        for (int i = 0; i < HostVolumeDuty.MOST + 5; i++) {
            cluster.accept(new PutHostVolume(spec("m" + i, "more-" + i), false, ""));
        }
        cluster.pass(Duration.ofMinutes(6));
        assertEquals(Duration.ofSeconds(30), turn());
        assertEquals(HostVolumeDuty.MOST, questions.size());
        questions.removeFirst().over().run();
        turn();
        assertEquals(HostVolumeDuty.MOST, questions.size());
    }
}
