package io.cleat.state;

import io.cleat.model.WireNamed;
import java.util.List;

/** How a job is; derived from its allocations and evaluations, never stored. */
public enum JobStatus implements WireNamed {
    PENDING("pending"),
    RUNNING("running"),
    DEAD("dead");

    private final String wire;

    JobStatus(String wire) {
        this.wire = wire;
    }

    static JobStatus of(ClusterState state, JobRow job) {
        if (job.spec().launchesChildren()) {
            return job.stop() ? DEAD : RUNNING;
        }
        if (state.allocationsOfJob(job.id()).stream().anyMatch(a -> !a.isTerminal())) {
            return RUNNING;
        }
        if (job.stop()) {
            return DEAD;
        }
        List<EvaluationRow> evaluations = state.evaluations().ofJob(job.id());
        List<EvaluationRow> open =
                evaluations.stream().filter(row -> !row.status().isTerminal()).toList();
        if (evaluations.isEmpty() || open.stream().anyMatch(row -> row.status() != EvaluationStatus.BLOCKED)) {
            return PENDING;
        }
        boolean isBlocked = !open.isEmpty();
        return switch (job.spec().type()) {
            case SYSTEM -> RUNNING;
            case SERVICE -> isBlocked ? RUNNING : DEAD;
            case BATCH, SYSBATCH -> isBlocked ? PENDING : DEAD;
        };
    }

    @Override
    public String wire() {
        return wire;
    }
}
