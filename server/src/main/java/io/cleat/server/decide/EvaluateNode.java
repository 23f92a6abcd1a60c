package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.model.JobId;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.JobRow;
import io.cleat.state.NodeRow;
import io.cleat.state.Trigger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Has the jobs that are on a node, and each wanted system job, evaluated though nothing has changed: as many as fit
 * into one decision.
 *
 * @param after the last job that an earlier part had evaluated; null for the first part
 * @param seed a fresh id
 */
public record EvaluateNode(String nodeId, @Nullable JobId after, String seed) implements Command<EvaluateNode.Reply> {
    /**
     * @param evalIds of the evaluations, in the order of their jobs
     * @param nodeVersion the version that changed the node last
     * @param last the job after which the next part begins; null if this was the last part
     */
    public record Reply(
            List<String> evalIds,
            long nodeVersion,
            @Nullable JobId last) {
        public Reply {
            evalIds = List.copyOf(evalIds);
        }
    }

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Optional<NodeRow> node = newest.node(nodeId);
        if (node.isEmpty()) {
            return Work.refuse(new Refusal.NotFound("node not found"));
        }
        Work work = new Work(newest, context);
        NewIds ids = new NewIds(seed);
        List<String> evalIds = new ArrayList<>();
        JobId last = after;
        for (JobId id : jobs(newest)) {
            Optional<JobRow> job =
                    newest.job(id).filter(row -> ChildJobs.notEvaluated(row).isEmpty());
            if (job.isPresent()) {
                if (!work.hasRoom()) {
                    return work.accept(new Reply(evalIds, node.get().modifyVersion(), last));
                }
                evalIds.add(Evaluations.evaluate(work, job.get(), Trigger.NODE_UPDATE, nodeId, ids));
                last = id;
            }
        }
        return work.accept(new Reply(evalIds, node.get().modifyVersion(), null));
    }

    private SortedSet<JobId> jobs(ClusterState state) {
        SortedSet<JobId> jobs = new TreeSet<>();
        JobId from = after == null ? new JobId("", "") : after;
        for (AllocationRow allocation : state.allocationsOnNode(nodeId)) {
            jobs.add(allocation.job());
        }
        for (JobRow job : state.wantedOnEachNode(from)) {
            jobs.add(job.id());
        }
        jobs.removeIf(id -> after != null && id.compareTo(after) <= 0);
        return jobs;
    }

    @Override
    public boolean bringsMore() {
        return true;
    }
}
