package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.JobType;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import io.cleat.state.TableName;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Deleting evaluations on request. Situation -> answer. */
final class DeleteEvaluationsTest {
    private final Cluster cluster = new Cluster();

    private List<EvaluationRow> of(String job) {
        return cluster.state().evaluations().ofJob(Cluster.jobId(job));
    }

    private String evaluate(String job) {
        return cluster.accept(new EvaluateJob(Cluster.jobId(job), false, cluster.id()))
                .evalId();
    }

    private static DeleteEvaluations named(String... ids) {
        return new DeleteEvaluations(List.of(ids), false);
    }

    /** A job that runs, an evaluation that placed it, and one that found nothing to do. */
    private String idle() {
        cluster.node("n1");
        cluster.run(Cluster.job("a", JobType.SERVICE, 1));
        String idle = evaluate("a");
        cluster.schedule();
        return idle;
    }

    @Test
    void oneThatHasEndedAndPlacedNothing_goes() {
        String idle = idle();
        assertEquals(new DeleteEvaluations.Reply(1, 0), cluster.accept(named(idle)));
        assertTrue(cluster.state().evaluations().get(idle).isEmpty());
    }

    @Test
    void oneOfWhichAnAllocationIsKnown_isRefused_andNothingGoes() {
        String idle = idle();
        String placed = cluster.allocation("a").lineage().evalId();
        String words = cluster.refuse(named(idle, placed));
        assertEquals(
                "evaluation "
                        + placed
                        + " placed allocation "
                        + cluster.allocation("a").id()
                        + ", which is still known: it can go once that has gone",
                words);
    }

    @Test
    void oneThatIsNotThere_isRefused_andPassedOverAmongThoseThatFit() {
        String idle = idle();
        assertEquals("eval not found: \"x\"", cluster.refuse(named(idle, "x")));
        String placed = cluster.allocation("a").lineage().evalId();
        assertEquals(
                new DeleteEvaluations.Reply(1, 1),
                cluster.accept(new DeleteEvaluations(List.of("x", idle, placed), true)));
        assertTrue(cluster.state().evaluations().get(placed).isPresent());
    }

    @Test
    void theLastThatIsDue_stays_andAnotherOfItsJobGoes() {
        idle();
        String first = evaluate("a");
        String words = cluster.refuse(named(first));
        assertEquals(
                "evaluation "
                        + first
                        + " is pending, and has yet to be run for job \"a\": it can go once another"
                        + " one of the job is open, or this one has ended",
                words);
        String second = evaluate("a");
        assertTrue(cluster.refuse(named(first, second)).contains(second), "the last is needed");
        cluster.accept(named(first));
        cluster.schedule();
        assertEquals(
                EvaluationStatus.COMPLETE,
                cluster.state().evaluations().get(second).orElseThrow().status());
    }

    @Test
    void oneThatWaitsForRoom_stays_untilItsJobIsStoppedOrLookedAtAgain() {
        cluster.run(Cluster.job("a", JobType.SERVICE, 1));
        EvaluationRow blocked = cluster.onlyBlocked();
        assertTrue(cluster.refuse(named(blocked.id())).contains("places what job \"a\" lacks"), "it is the only one");
        evaluate("a");
        cluster.accept(named(blocked.id()));
        cluster.schedule();
        assertEquals(
                1, cluster.state().evaluations().in(EvaluationStatus.BLOCKED).size());
    }

    @Test
    void oneThatWaitsForRoom_ofAJobThatIsGone_goes() {
        cluster.run(Cluster.job("a", JobType.SERVICE, 1));
        ClusterState gone = cluster.state()
                .apply(
                        List.of(new Change.JobRemoved(Cluster.jobId("a"))),
                        cluster.state().version() + 1,
                        cluster.now());
        DecideContext context = new DecideContext(
                gone.version() + 1, cluster.now(), Optional.empty(), cluster.level, DecideContext.PART);
        String blocked = cluster.onlyBlocked().id();
        assertEquals(
                new Decision.Accept<>(
                        List.of(new Change.EvaluationRemoved(blocked)), new DeleteEvaluations.Reply(1, 0)),
                named(blocked).decide(gone, context));
    }

    @Test
    void tooManyAtOnce_areRefused_andAsManyAsMayBeFit() {
        cluster.node("n1");
        cluster.run(Cluster.job("a", JobType.SERVICE, 1));
        for (int i = 0; i < DeleteEvaluations.MOST; i++) {
            evaluate("a");
            cluster.schedule();
        }
        List<String> all = of("a").stream().map(EvaluationRow::id).toList();
        assertEquals(DeleteEvaluations.MOST + 1, all.size());
        assertEquals(
                "501 evaluations are named, and at most 500 are deleted at once: name fewer, or give a filter",
                cluster.refuse(new DeleteEvaluations(all, false)));
        List<String> idle = all.stream()
                .filter(id -> !id.equals(cluster.allocation("a").lineage().evalId()))
                .toList();
        cluster.accept(new DeleteEvaluations(idle, false));
        assertEquals(1, cluster.state().count(TableName.EVALUATIONS));
    }

    @Test
    void manyReasons_areSaidInPart() {
        String words = cluster.refuse(new DeleteEvaluations(Collections.nCopies(12, "x"), false));
        assertTrue(words.endsWith("and 2 more"), words);
    }
}
