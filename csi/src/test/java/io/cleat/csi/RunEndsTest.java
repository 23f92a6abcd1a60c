package io.cleat.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.SystemTime;
import io.cleat.base.Time;
import io.cleat.csi.v1.NodeGrpc;
import io.cleat.csi.v1.NodeStageVolumeRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which calls end a plugin, and which of them are made again. */
class RunEndsTest {
    private final Time time = new SystemTime();
    private final RunEnds ends = new RunEnds(time, Duration.ofSeconds(10));

    private static Ending stage(String volume) {
        return new Ending(
                "hp",
                Call.change(
                        "node",
                        NodeGrpc.getNodeStageVolumeMethod(),
                        NodeStageVolumeRequest.getDefaultInstance(),
                        Call.volume(volume),
                        List.of(),
                        reply -> reply),
                0,
                false);
    }

    private Deadline within(Duration duration) {
        return Deadline.in(time, duration);
    }

    private RunEnds.Made begin(String volume) throws Exception {
        return ends.begin(stage(volume), within(Duration.ofSeconds(10)));
    }

    private RunEnds.Verdict endsDuring(String volume, RunEnds.Reason reason) throws Exception {
        try (RunEnds.Made made = begin(volume)) {
            ends.ended(reason);
            return made.broke();
        }
    }

    private List<RunEnds.During> during() throws Exception {
        return ends.during(within(Duration.ofSeconds(10)));
    }

    private static RunEnds.During named(String volume, boolean withheld) {
        return new RunEnds.During("NodeStageVolume of volume \"" + volume + "\"", withheld);
    }

    @Test
    void aCallDuringWhichThePluginEndsTwice_isWithheld_andSaidOnce() throws Exception {
        assertEquals(RunEnds.Verdict.ENDED, endsDuring("v", RunEnds.Reason.BY_ITSELF));
        assertEquals(List.of(named("v", false)), during());
        assertEquals(RunEnds.Verdict.WITHHELD, endsDuring("v", RunEnds.Reason.BY_ITSELF));
        assertEquals(List.of(named("v", true)), during());
        for (int i = 0; i < 2; i++) {
            CsiTrouble withheld = assertThrows(CsiTrouble.class, () -> begin("v"));
            assertTrue(assertInstanceOf(CsiPluginEnded.class, withheld).isWithheld());
            assertTrue(withheld.reason().contains("ended 2 times during it"), withheld.reason());
        }
        begin("w").close();
    }

    @Test
    void anAnswer_clearsTheCall() throws Exception {
        endsDuring("v", RunEnds.Reason.BY_ITSELF);
        try (RunEnds.Made made = begin("v")) {
            made.answered();
        }
        assertEquals(RunEnds.Verdict.ENDED, endsDuring("v", RunEnds.Reason.BY_ITSELF));
    }

    @Test
    void anEndThatSomebodyAskedFor_accusesNoCall_andMakesAllAnew() throws Exception {
        endsDuring("v", RunEnds.Reason.BY_ITSELF);
        endsDuring("v", RunEnds.Reason.BY_ITSELF);
        assertEquals(RunEnds.Verdict.GOES_ON, endsDuring("w", RunEnds.Reason.ASKED));
        assertEquals(List.of(), during());
        assertEquals(RunEnds.Verdict.ENDED, endsDuring("v", RunEnds.Reason.BY_ITSELF));
    }

    @Test
    void anEndForIllHealth_accusesNoCall_andForgetsNone() throws Exception {
        endsDuring("v", RunEnds.Reason.BY_ITSELF);
        assertEquals(RunEnds.Verdict.GOES_ON, endsDuring("v", RunEnds.Reason.UNHEALTHY));
        assertEquals(RunEnds.Verdict.WITHHELD, endsDuring("v", RunEnds.Reason.BY_ITSELF));
    }

    @Test
    void ofSeveralInFlightAllAreSuspects_andAreMadeAgainAlone() throws Exception {
        try (RunEnds.Made first = begin("v");
                RunEnds.Made second = begin("w")) {
            ends.ended(RunEnds.Reason.BY_ITSELF);
            assertEquals(RunEnds.Verdict.ENDED, first.broke());
            assertEquals(RunEnds.Verdict.ENDED, second.broke());
        }
        assertEquals(List.of(named("v", false), named("w", false)), during());
        try (RunEnds.Made alone = begin("v")) {
            Deadline soon = within(Duration.ofMillis(20));
            CsiTrouble crowded = assertThrows(CsiTrouble.class, () -> ends.begin(stage("x"), soon));
            assertFalse(crowded instanceof CsiPluginEnded, crowded.reason());
            alone.answered();
        }
        begin("x").close();
    }

    @Test
    void aSuspectWaitsUntilNoOtherIsInFlight() throws Exception {
        endsDuring("v", RunEnds.Reason.BY_ITSELF);
        try (RunEnds.Made _ = begin("w")) {
            Deadline soon = within(Duration.ofMillis(20));
            assertThrows(CsiTrouble.class, () -> ends.begin(stage("v"), soon));
        }
        begin("v").close();
    }

    @Test
    void ofAPluginOfWhoseEndsNobodyTells_aBrokenConnectionAccusesNothing() throws Exception {
        RunEnds untold = RunEnds.untold(time);
        try (RunEnds.Made made = untold.begin(stage("v"), within(Duration.ofSeconds(1)))) {
            assertEquals(RunEnds.Verdict.GOES_ON, made.broke());
        }
    }

    @Test
    void whoeverAsksDuringWhichCallsItEnded_waitsUntilTheyHaveHeard() throws Exception {
        try (RunEnds.Made made = begin("v")) {
            ends.ended(RunEnds.Reason.BY_ITSELF);
            assertEquals(List.of(), ends.during(within(Duration.ofMillis(20))));
            made.broke();
            assertEquals(List.of(named("v", false)), ends.during(within(Duration.ZERO)));
        }
    }

    /** Another thread that asks, once it waits. */
    private FutureTask<List<RunEnds.During>> asking() {
        FutureTask<List<RunEnds.During>> asking = new FutureTask<>(() -> ends.during(within(Duration.ofHours(1))));
        Thread thread = Thread.ofPlatform().start(asking);
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        return asking;
    }

    @Test
    @Timeout(20)
    void whoeverAsks_isAnsweredOnceAllHaveHeard() throws Exception {
        FutureTask<List<RunEnds.During>> asking;
        try (RunEnds.Made first = begin("v")) {
            try (RunEnds.Made second = begin("w")) {
                ends.ended(RunEnds.Reason.BY_ITSELF);
                asking = asking();
                first.broke();
                second.broke();
            }
            assertFalse(asking.isDone());
        }
        assertEquals(List.of(named("v", false), named("w", false)), asking.get());
    }

    @Test
    @Timeout(20)
    void aCallOfTheNextRun_isNotWaitedFor() throws Exception {
        endsDuring("v", RunEnds.Reason.BY_ITSELF);
        try (RunEnds.Made _ = begin("w")) {
            assertEquals(List.of(named("v", false)), ends.during(within(Duration.ofHours(1))));
        }
    }

    @Test
    void ofManySuspects_theOldestIsForgotten() throws Exception {
        for (int i = 0; i <= RunEnds.MOST_SUSPECTS; i++) {
            endsDuring("v" + i, RunEnds.Reason.BY_ITSELF);
        }
        assertEquals(RunEnds.Verdict.ENDED, endsDuring("v0", RunEnds.Reason.BY_ITSELF));
        assertEquals(RunEnds.Verdict.WITHHELD, endsDuring("v2", RunEnds.Reason.BY_ITSELF));
    }
}
