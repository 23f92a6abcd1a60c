package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.EvaluationRow;
import io.cleat.state.JobRow;
import io.cleat.state.Trigger;
import java.util.Optional;

/**
 * Stops an allocation and has its job evaluated, which places another one.
 *
 * @param noShutdownDelay whether its tasks stop without their shutdown delay
 * @param seed a fresh id: that of the evaluation
 */
public record StopAllocation(String allocId, boolean noShutdownDelay, String seed)
        implements Command<StopAllocation.Reply> {
    /** @param evalId of the evaluation; empty if the job is gone */
    public record Reply(String evalId) {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Optional<AllocationRow> found = newest.allocation(allocId);
        if (found.isEmpty()) {
            return Work.refuse(new Refusal.NotFound("alloc not found"));
        }
        Work work = new Work(newest, context);
        AllocationRow allocation = found.get();
        if (!allocation.isTerminal()) {
            AllocationRow marked = allocation.noShutdownDelay(noShutdownDelay);
            Allocations.stop(work, marked, "alloc was stopped on request", false);
        }
        Optional<JobRow> job = newest.job(allocation.job());
        if (job.isEmpty()) {
            return work.accept(new Reply(""));
        }
        // An evaluation of its own, though one may be due: the caller follows it by its id.
        work.add(new Change.EvaluationPut(EvaluationRow.pending(
                seed, job.get(), job.get().spec().priority(), Trigger.ALLOC_STOP, "", work.now())));
        return work.accept(new Reply(seed));
    }
}
