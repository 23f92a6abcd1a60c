package io.cleat.schedule;

import io.cleat.model.JobSpec;
import io.cleat.model.Task;
import io.cleat.model.TaskGroup;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClusterState;
import io.cleat.state.JobRow;
import io.cleat.state.JobVersionId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** How much of a job has changed for one allocation. */
enum VersionChange {
    /** It runs by the newest version. */
    NONE,
    /** Its tasks, volumes and disk are as they were: it goes on as it is. */
    IN_PLACE,
    /** Something that a running task cannot take: it is replaced. */
    DESTRUCTIVE;

    /**
     * The changes of one group's allocations, each version compared once however many run by it. Used by one thread,
     * for one plan.
     */
    static final class Changes {
        private final ClusterState state;
        private final JobRow job;
        private final TaskGroup wanted;
        private final Map<JobVersionId, VersionChange> known = new HashMap<>();

        Changes(ClusterState state, JobRow job, TaskGroup wanted) {
            this.state = state;
            this.job = job;
            this.wanted = wanted;
            known.put(job.current(), NONE);
        }

        VersionChange of(AllocationRow allocation) {
            return known.computeIfAbsent(
                    allocation.jobVersion(),
                    version -> state.jobVersion(version)
                            .map(jobVersion -> between(jobVersion.spec(), job.spec(), wanted))
                            .orElse(DESTRUCTIVE));
        }
    }

    /** What a group's tasks make of the change from one version to another. */
    static VersionChange between(JobSpec before, JobSpec after, TaskGroup wanted) {
        Optional<TaskGroup> was = before.group(wanted.name());
        boolean same = was.isPresent()
                && was.get().tasks().stream()
                        .map(VersionChange::running)
                        .toList()
                        .equals(wanted.tasks().stream()
                                .map(VersionChange::running)
                                .toList())
                && was.get().volumes().equals(wanted.volumes())
                && Objects.equals(was.get().network(), wanted.network())
                && was.get().disk().equals(wanted.disk())
                && was.get().meta().equals(wanted.meta())
                && before.meta().equals(after.meta());
        return same ? IN_PLACE : DESTRUCTIVE;
    }

    /** The parts of a task that its process was started with; how it is ended and restarted may change. */
    private static Object running(Task task) {
        return List.of(
                task.name(),
                task.driver(),
                task.user(),
                task.config(),
                task.env(),
                task.meta(),
                task.resources(),
                task.logs(),
                task.volumeMounts(),
                Optional.ofNullable(task.csiPlugin()),
                Optional.ofNullable(task.lifecycle()),
                task.templates(),
                task.artifacts(),
                Optional.ofNullable(task.payloadFile()));
    }
}
