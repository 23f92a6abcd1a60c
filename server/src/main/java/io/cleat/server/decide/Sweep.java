package io.cleat.server.decide;

import io.cleat.model.DesiredStatus;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.DeploymentRow;
import io.cleat.state.EvaluationRow;
import io.cleat.state.JobRow;
import io.cleat.state.JobStatus;
import io.cleat.state.NodeRow;
import io.cleat.state.NodeStatus;
import io.cleat.state.OperationRow;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/** One round of {@link CollectGarbage}. Used by one thread, once. */
final class Sweep {
    private final Work work;
    private final CollectGarbage limits;
    private int removed;

    Sweep(Work work, CollectGarbage limits) {
        this.work = work;
        this.limits = limits;
    }

    /** What is over goes when it is too old, or more than is kept. */
    private <R> void over(
            Collection<R> rows, Predicate<R> isOver, Function<R, Instant> since, Duration age, Consumer<R> go) {
        Instant old = work.now().minus(age);
        Instant last = beyond(rows, isOver, since).filter(old::isBefore).orElse(old);
        each(rows, row -> {
            if (isOver.test(row) && !since.apply(row).isAfter(last)) {
                go.accept(row);
            }
        });
    }

    /** When the newest of those was over that are more than is kept; empty if none are. */
    private <R, T extends Comparable<T>> Optional<T> beyond(
            Collection<R> rows, Predicate<R> isOver, Function<R, T> since) {
        List<T> over = rows.size() <= limits.kept()
                ? List.of()
                : rows.stream().filter(isOver).map(since).sorted().toList();
        int more = over.size() - limits.kept();
        return more > 0 ? Optional.of(over.get(more - 1)) : Optional.empty();
    }

    int run() {
        Instant now = work.now();
        each(work.before().requests().all(), row -> {
            if (isOld(row.decidedAt(), limits.requests(), now)) {
                remove(new Change.RequestExpired(row.id()));
            }
        });
        over(
                work.before().operations().all(),
                OperationRow::isDone,
                OperationRow::since,
                limits.requests(),
                row -> remove(new Change.OperationRemoved(row.id())));
        long tooMany =
                beyond(work.before().jobs(), this::isDead, this::overSince).orElse(-1L);
        each(work.before().jobs(), job -> job(job, tooMany, now));
        over(
                work.before().allocations(),
                this::isOver,
                row -> row.stamps().modifiedAt(),
                limits.evaluations(),
                this::allocation);
        over(
                work.before().evaluations().all(),
                row -> row.status().isTerminal(),
                row -> row.stamps().modifiedAt(),
                limits.evaluations(),
                this::evaluation);
        each(work.before().deployments().all(), row -> {
            if (isOld(row.modifiedAt(), limits.evaluations(), now)) {
                deployment(row);
            }
        });
        each(work.before().nodes(), row -> {
            if (row.status() == NodeStatus.DOWN && isOld(row.statusSince(), limits.nodes(), now)) {
                node(row);
            }
        });
        tombstones();
        return removed;
    }

    /** Looks at rows until as many go as may go at once. */
    private <R> void each(Collection<R> rows, Consumer<R> look) {
        for (R row : rows) {
            if (removed >= CollectGarbage.MOST) {
                return;
            }
            look.accept(row);
        }
    }

    private void remove(Change change) {
        if (removed < CollectGarbage.MOST) {
            work.add(change);
            removed++;
        }
    }

    private static boolean isOld(Instant since, Duration age, Instant now) {
        return !since.plus(age).isAfter(now);
    }

    /** Whether nothing of the job runs or is to: it was stopped, or is a batch job that is done. */
    private boolean isDead(JobRow job) {
        return (job.stop() || isPlacedBatch(job)) && work.state().jobStatus(job) == JobStatus.DEAD;
    }

    private boolean isPlacedBatch(JobRow job) {
        return job.spec().type().ends()
                && !work.state().allocationsOfJob(job.id()).isEmpty();
    }

    /** The version with which it ended: no row holds the time at which a job was stopped. */
    private long overSince(JobRow job) {
        return work.state().allocationsOfJob(job.id()).stream()
                .mapToLong(AllocationRow::modifyVersion)
                .reduce(job.modifyVersion(), Math::max);
    }

    /** A dead job goes with its last allocations and evaluations. */
    private void job(JobRow job, long tooMany, Instant now) {
        List<AllocationRow> allocations = work.state().allocationsOfJob(job.id());
        boolean isOld = overSince(job) <= tooMany
                || (isOld(job.submittedAt(), limits.jobs(), now)
                        // The stop of one that was never placed is in them alone.
                        && work.state().evaluations().ofJob(job.id()).stream()
                                .allMatch(row -> isOld(row.stamps().modifiedAt(), limits.jobs(), now))
                        && allocations.stream()
                                .allMatch(row -> isOld(row.stamps().modifiedAt(), limits.jobs(), now)));
        boolean isFree = allocations.stream()
                .allMatch(row -> row.isEnded()
                        && work.state().claims().ofAllocation(row.id()).isEmpty());
        boolean isDue = work.state().evaluations().ofJob(job.id()).stream()
                .anyMatch(row -> !row.status().isTerminal());
        if (isOld && isFree && !isDue && isDead(job)) {
            // The job first: should the round end here, what is left is seen to be nobody's.
            remove(new Change.JobRemoved(job.id()));
            work.state().deployments().ofJob(job.id()).forEach(row -> remove(new Change.DeploymentRemoved(row.id())));
            allocations.forEach(row -> remove(new Change.AllocationRemoved(row.id())));
            work.state().evaluations().ofJob(job.id()).forEach(row -> remove(new Change.EvaluationRemoved(row.id())));
        }
    }

    /** Whether nothing looks back at the allocation: it is replaced, unwanted, or its job gone. */
    private boolean isOver(AllocationRow row) {
        Optional<JobRow> job = work.state().job(row.job());
        return row.isEnded()
                && (job.isEmpty()
                        || job.get().stop()
                        || row.desired() == DesiredStatus.STOP
                        || !row.lineage().next().isEmpty());
    }

    private void allocation(AllocationRow row) {
        if (work.state().allocation(row.id()).isPresent()
                && work.state().claims().ofAllocation(row.id()).isEmpty()) {
            remove(new Change.AllocationRemoved(row.id()));
        }
    }

    private void evaluation(EvaluationRow row) {
        if (work.state().evaluations().get(row.id()).isPresent()
                && work.state().allocationsOfEvaluation(row.id()).isEmpty()) {
            remove(new Change.EvaluationRemoved(row.id()));
        }
    }

    /** A deployment that is over goes once no allocation looks back at it. */
    private void deployment(DeploymentRow row) {
        if (work.state().deployments().get(row.id()).isPresent()
                && !row.status().isActive()
                && work.state().allocationsOfDeployment(row).isEmpty()) {
            remove(new Change.DeploymentRemoved(row.id()));
        }
    }

    private void node(NodeRow row) {
        if (!work.state().openAllocationsOnNode(row.id()).isEmpty()) {
            return;
        }
        remove(Nodes.removal(work.state(), row.id()));
    }

    private void tombstones() {
        each(work.before().nodeTombstones(), row -> {
            if (!Nodes.isNamed(work.state(), row.id())) {
                remove(new Change.NodeTombstoneRemoved(row.id()));
            }
        });
        each(work.before().volumeTombstones(), row -> {
            boolean isFree = work.state().claims().of(row.key()).isEmpty()
                    && work.state().attachments().of(row.key()).isEmpty()
                    && Operations.inFlight(work.state(), row.volume().id()).isEmpty();
            if (isFree) {
                remove(new Change.VolumeTombstoneRemoved(row.key()));
            }
        });
    }
}
