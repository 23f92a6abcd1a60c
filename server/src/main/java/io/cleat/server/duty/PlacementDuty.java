package io.cleat.server.duty;

import io.cleat.base.FaultHandler;
import io.cleat.base.Ids;
import io.cleat.base.InWork;
import io.cleat.base.LogTrouble;
import io.cleat.base.Refusal;
import io.cleat.base.Watched;
import io.cleat.schedule.Plan;
import io.cleat.schedule.Scheduler;
import io.cleat.server.commit.Answer;
import io.cleat.server.decide.CommitPlan;
import io.cleat.server.decide.FailEvaluation;
import io.cleat.state.ClusterState;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import io.cleat.state.TableName;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the evaluations that are due, by priority, then age. Each plan is made here, off the decider, and then decided;
 * one that does not fit any more is made again from the newest image. While an operator has paused it, they wait.
 */
final class PlacementDuty implements Duty {
    private static final Logger LOG = LoggerFactory.getLogger(PlacementDuty.class);
    private static final Duration IDLE = Duration.ofHours(1);

    /** How long an evaluation rests whose plan was refused though nothing had changed. */
    private static final Duration REST = Duration.ofSeconds(1);

    /**
     * How many rows one plan changes, about: with what is kept of a search, as many as fit into one decision where rows
     * are of a usual size.
     */
    private static final int STEPS = 64;

    private static final String QUARANTINED =
            "quarantined: the server ended twice in a row while this was planned; see why in what"
                    + " it said when it ended";

    private final Deciding deciding;
    private final Ids ids;
    private final FaultHandler faults;
    private final InWork inWork;
    private volatile Optional<Watched.Head> planning = Optional.empty();

    PlacementDuty(Deciding deciding, Ids ids, FaultHandler faults, InWork inWork) {
        this.inWork = inWork;
        this.faults = faults;
        this.deciding = deciding;
        this.ids = ids;
    }

    /** What is being planned, for a watchdog. */
    Optional<Watched.Head> planning() {
        return planning;
    }

    @Override
    public String name() {
        return "placement";
    }

    @Override
    public Set<TableName> tables() {
        return Set.of(TableName.EVALUATIONS, TableName.SCHEDULING);
    }

    @Override
    public Duration turn() throws LogTrouble, InterruptedException {
        Set<String> resting = new HashSet<>();
        Map<String, Integer> parts = new HashMap<>();
        while (true) {
            ClusterState state = deciding.newest();
            if (state.scheduling().paused()) {
                return IDLE;
            }
            Instant now = deciding.now();
            Optional<EvaluationRow> next = state.scans().evaluations(EvaluationStatus.PENDING).stream()
                    .filter(row -> isDue(row, now) && !resting.contains(row.id()))
                    .min(turn(parts));
            if (next.isEmpty()) {
                return resting.isEmpty() ? untilNext(state, now) : REST;
            }
            parts.merge(next.get().id(), 1, Integer::sum);
            if (!place(state, next.get(), now)) {
                resting.add(next.get().id());
            }
        }
    }

    /**
     * By priority; then those that had fewer parts of theirs done, so that a large job lets others pass; then by age.
     */
    private static Comparator<EvaluationRow> turn(Map<String, Integer> parts) {
        return Comparator.comparingInt((EvaluationRow row) -> -row.asked().priority())
                .thenComparingInt(row -> parts.getOrDefault(row.id(), 0))
                .thenComparingLong(EvaluationRow::createVersion)
                .thenComparing(EvaluationRow::id);
    }

    /** False if trying again at once would come to the same. */
    private boolean place(ClusterState state, EvaluationRow evaluation, Instant now)
            throws LogTrouble, InterruptedException {
        String work = "evaluation " + evaluation.id();
        if (inWork.isQuarantined(work)) {
            LOG.warn("{} fails, {}", work, QUARANTINED);
            return fail(evaluation, QUARANTINED);
        }
        Plan plan;
        planning = Optional.of(new Watched.Head(new Object(), work + " is being planned"));
        inWork.begin(work);
        try {
            plan = new Scheduler(state, ids, now).part(evaluation, STEPS);
        } catch (RuntimeException | Error fault) {
            faults.contain("planning " + work, fault);
            inWork.end(work);
            return fail(evaluation, "it could not be planned: " + fault);
        } finally {
            planning = Optional.empty();
        }
        // Not where a fault goes on that ends the process: then it is still in work.
        inWork.end(work);
        Answer<CommitPlan.Reply> answer = deciding.commit(new CommitPlan(plan, deciding.seed()));
        return switch (answer) {
            case Answer.Accepted<CommitPlan.Reply> _ -> true;
            case Answer.Rejected<CommitPlan.Reply>(Refusal.Fault fault, var _) -> fail(evaluation, fault.message());
            // A plan that cannot be logged: made again it would be the same.
            case Answer.Rejected<CommitPlan.Reply>(Refusal.Invalid unfit, var _) -> {
                LOG.warn("evaluation {} fails: {}", evaluation.id(), unfit.message());
                yield fail(evaluation, "its plan was refused: " + unfit.message());
            }
            case Answer.Rejected<CommitPlan.Reply> rejected -> {
                LOG.debug(
                        "the plan of evaluation {} is made again: {}",
                        evaluation.id(),
                        rejected.refusal().message());
                yield rejected.version() > state.version();
            }
        };
    }

    /** The others go on; what this one wanted is looked at again when its job is evaluated anew. */
    private boolean fail(EvaluationRow evaluation, String why) throws LogTrouble, InterruptedException {
        return deciding.commit(new FailEvaluation(evaluation.id(), why)) instanceof Answer.Accepted<?>;
    }

    private static boolean isDue(EvaluationRow row, Instant now) {
        return row.waitUntil() == null || !row.waitUntil().isAfter(now);
    }

    private static Duration untilNext(ClusterState state, Instant now) {
        Duration least = IDLE;
        List<EvaluationRow> pending = state.evaluations().in(EvaluationStatus.PENDING);
        for (EvaluationRow row : pending) {
            Instant at = row.waitUntil();
            if (at != null) {
                Duration left = Duration.between(now, at);
                least = left.compareTo(least) < 0 ? left : least;
            }
        }
        return least.isNegative() ? Duration.ZERO : least;
    }
}
