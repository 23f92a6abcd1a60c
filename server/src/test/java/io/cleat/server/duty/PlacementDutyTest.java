package io.cleat.server.duty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.FaultHandler;
import io.cleat.base.Ids;
import io.cleat.base.InWork;
import io.cleat.base.Refusal;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.server.commit.Answer;
import io.cleat.server.commit.Decision;
import io.cleat.server.decide.Cluster;
import io.cleat.server.decide.Command;
import io.cleat.server.decide.CommitPlan;
import io.cleat.server.decide.ConfigureScheduling;
import io.cleat.server.decide.RegisterJob;
import io.cleat.state.Change;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import io.cleat.state.SchedulingRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What becomes of evaluations whose plan cannot come true. Situation -> answer. */
final class PlacementDutyTest {
    private static final String BAD = "bad";
    private static final String GOOD = "good";
    private static final FaultHandler NO_FAULTS = (where, fault) -> {
        throw new AssertionError(where, fault);
    };

    private final Cluster cluster = new Cluster();
    private Refusal refusal = new Refusal.Invalid("this changes 2000000 bytes at once: do it in parts");
    private final ScriptedDeciding deciding = new ScriptedDeciding(cluster::state, this::answer);

    /** Refuses the plan of {@link #BAD} as the decider refuses what cannot be logged. */
    private Answer<?> answer(Command<?> command) {
        if (command instanceof CommitPlan(var plan, var _)
                && cluster.state()
                        .evaluations()
                        .get(plan.evalId())
                        .orElseThrow()
                        .job()
                        .equals(Cluster.jobId(BAD))) {
            return new Answer.Rejected<>(refusal, cluster.state().version());
        }
        return answered(command);
    }

    private <R> Answer<R> answered(Command<R> command) {
        return switch (cluster.decide(command)) {
            case Decision.Accept<Change, R> accept ->
                new Answer.Accepted<>(accept.reply(), cluster.state().version());
            case Decision.Reject<Change, R> reject ->
                new Answer.Rejected<>(reject.refusal(), cluster.state().version());
        };
    }

    private void submitBoth() {
        cluster.node("n1");
        for (String job : List.of(BAD, GOOD)) {
            JobSpec spec = Cluster.job(job, JobType.SERVICE, 1);
            cluster.accept(new RegisterJob(spec, null, null, 0, cluster.id()));
        }
    }

    private EvaluationRow evaluation(String job) {
        return cluster.state().evaluations().ofJob(Cluster.jobId(job)).getFirst();
    }

    private final Set<String> quarantined = new HashSet<>();
    private final List<String> noted = new ArrayList<>();
    private final InWork inWork = new InWork() {
        @Override
        public void begin(String what) {
            noted.add("begin " + what);
        }

        @Override
        public void end(String what) {
            noted.add("end " + what);
        }

        @Override
        public boolean isQuarantined(String what) {
            return quarantined.contains(what);
        }

        @Override
        public int mostAtOnce() {
            return Integer.MAX_VALUE;
        }
    };

    private Duration turn() throws Exception {
        return new PlacementDuty(deciding, Ids.random(), NO_FAULTS, inWork).turn();
    }

    @Test
    void whileItIsPaused_evaluationsWait_andAreRunAfterwards() throws Exception {
        submitBoth();
        pause(true);
        assertEquals(Duration.ofHours(1), turn());
        assertEquals(EvaluationStatus.PENDING, evaluation(GOOD).status());
        pause(false);
        turn();
        assertEquals(EvaluationStatus.COMPLETE, evaluation(GOOD).status());
    }

    private void pause(boolean paused) {
        cluster.accept(
                new ConfigureScheduling(new SchedulingRow(SchedulingRow.Algorithm.BINPACK, false, paused, 0, 0), null));
    }

    @Test
    void aPlanThatCannotBeLogged_failsItsEvaluationWithTheReason_andIsNotMadeForEver() throws Exception {
        submitBoth();
        Duration rest = turn();
        assertEquals(EvaluationStatus.FAILED, evaluation(BAD).status());
        assertTrue(
                evaluation(BAD).statusDescription().contains("2000000 bytes at once"),
                evaluation(BAD).statusDescription());
        assertEquals(EvaluationStatus.COMPLETE, evaluation(GOOD).status());
        assertEquals(Duration.ofHours(1), rest, "nothing is left to try again");
    }

    /** A plan that is made in parts keeps nobody waiting for its end. */
    @Test
    void aLargeJob_letsOthersPassBetweenItsParts() throws Exception {
        for (int i = 0; i < 20; i++) {
            cluster.node("n" + i);
        }
        for (var each : Map.of("large", 300, GOOD, 1).entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .toList()) {
            JobSpec spec = Cluster.job(each.getKey(), JobType.SERVICE, each.getValue());
            cluster.accept(new RegisterJob(spec, null, null, 0, cluster.id()));
        }
        turn();
        List<String> jobs = deciding.asked.stream()
                .map(CommitPlan.class::cast)
                .map(asked -> asked.plan().evalId())
                .map(id -> cluster.state()
                        .evaluations()
                        .get(id)
                        .orElseThrow()
                        .job()
                        .id())
                .toList();
        assertEquals(List.of("large", GOOD, "large", "large", "large", "large"), jobs);
        assertEquals(EvaluationStatus.COMPLETE, evaluation("large").status());
        assertEquals(
                300, cluster.state().allocationsOfJob(Cluster.jobId("large")).size());
    }

    @Test
    void aPlanThatDoesNotFitAnyMore_leavesItsEvaluationPending() throws Exception {
        submitBoth();
        refusal = new Refusal.Conflict("the job has changed since it was planned");
        assertEquals(Duration.ofSeconds(1), turn());
        assertEquals(EvaluationStatus.PENDING, evaluation(BAD).status());
        assertEquals(EvaluationStatus.COMPLETE, evaluation(GOOD).status());
    }

    @Test
    void aQuarantinedEvaluation_failsUnplanned_andTheOthersArePlanned() throws Exception {
        submitBoth();
        quarantined.add("evaluation " + evaluation(BAD).id());
        assertEquals(Duration.ofHours(1), turn());
        assertEquals(EvaluationStatus.FAILED, evaluation(BAD).status());
        String words = evaluation(BAD).statusDescription();
        assertTrue(words.contains("quarantined: the server ended twice"), words);
        assertTrue(words.contains("correct the job, or evaluate it again"), words);
        assertEquals(EvaluationStatus.COMPLETE, evaluation(GOOD).status());
        String good = "evaluation " + evaluation(GOOD).id();
        assertEquals(List.of("begin " + good, "end " + good), noted);
    }

    @Test
    void anEvaluationWhosePlanningEndsTheProcess_isStillInWork() {
        submitBoth();
        Ids ids = () -> {
            throw new InternalError("planted");
        };
        assertThrows(InternalError.class, () -> new PlacementDuty(deciding, ids, NO_FAULTS, inWork).turn());
        assertEquals(List.of("begin evaluation " + evaluation(BAD).id()), noted);
    }

    @Test
    void anEvaluationWhosePlanningMeetsAFaultOfItsOwn_isInWorkNoMore() throws Exception {
        submitBoth();
        Ids ids = () -> {
            throw new IllegalStateException("planted");
        };
        new PlacementDuty(deciding, ids, (where, fault) -> {}, inWork).turn();
        assertEquals(EvaluationStatus.FAILED, evaluation(BAD).status());
        assertEquals("end evaluation " + evaluation(GOOD).id(), noted.getLast());
    }
}
