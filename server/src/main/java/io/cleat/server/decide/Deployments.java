package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.model.JobId;
import io.cleat.schedule.Plan;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.DeploymentRow;
import io.cleat.state.DeploymentStatus;
import io.cleat.state.EvaluationRow;
import io.cleat.state.JobRow;
import io.cleat.state.JobVersionRow;
import io.cleat.state.Trigger;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What happens to deployments, and what follows from it. */
final class Deployments {
    private Deployments() {}

    /** Makes the deployment of a plan, or changes the size of the one that goes on. */
    static void make(Work work, Plan plan, JobRow job) {
        String id = plan.deploymentId();
        if (id == null || plan.deploymentGroups().isEmpty()) {
            return;
        }
        Optional<DeploymentRow> there = work.state().deployments().get(id);
        if (there.isPresent()) {
            resize(work, there.get(), plan);
            return;
        }
        DeploymentRow row = new DeploymentRow(
                id,
                job.id(),
                job.number(),
                job.jobModifyVersion(),
                DeploymentStatus.RUNNING,
                "",
                plan.deploymentGroups(),
                work.now(),
                work.now(),
                0,
                0);
        work.add(new Change.DeploymentPut(row.withStatus(row.status(), words(row), work.now())));
    }

    private static void resize(Work work, DeploymentRow row, Plan plan) {
        DeploymentRow sized = row;
        for (Map.Entry<String, DeploymentRow.Group> each :
                plan.deploymentGroups().entrySet()) {
            sized = sized.withGroup(each.getKey(), group -> each.getValue(), work.now());
        }
        work.add(new Change.DeploymentPut(sized));
    }

    /** Something of a group was placed: from now on it is to get on. */
    static void placed(Work work, String deploymentId, String group) {
        work.state()
                .deployments()
                .get(deploymentId)
                .filter(row -> isUnbegun(row.groups().get(group)))
                .ifPresent(row -> progressed(work, row, group));
    }

    private static boolean isUnbegun(DeploymentRow.@Nullable Group group) {
        return group != null && group.progressDeadline().isPositive() && group.requireProgressBy() == null;
    }

    private static void progressed(Work work, DeploymentRow row, String group) {
        work.add(new Change.DeploymentPut(row.withGroup(group, g -> g.progressed(work.now()), work.now())));
    }

    /**
     * It became known whether an allocation is healthy.
     *
     * @return the deployment whose next allocations may follow now
     */
    static Optional<DeploymentRow> healthKnown(Work work, AllocationRow allocation, boolean healthy) {
        Optional<DeploymentRow> row = work.state()
                .deployments()
                .get(allocation.deploymentId())
                .filter(d -> d.status().isActive());
        if (healthy) {
            row.ifPresent(d -> progressed(work, d, allocation.group()));
        }
        return row;
    }

    /** Has the job evaluated, unless it is gone or unwanted. */
    static void evaluate(Work work, DeploymentRow row, NewIds ids) {
        work.state()
                .job(row.job())
                .filter(job -> !job.stop())
                .ifPresent(job -> Evaluations.evaluate(work, job, Trigger.DEPLOYMENT_WATCHER, "", ids));
    }

    /** Ends what a job's deployments still do. */
    static void cancel(Work work, JobId job, String why) {
        for (DeploymentRow row : work.state().deployments().ofJob(job)) {
            if (row.status().isActive()) {
                end(work, row, DeploymentStatus.CANCELLED, why);
            }
        }
    }

    static void end(Work work, DeploymentRow row, DeploymentStatus status, String why) {
        work.add(new Change.DeploymentPut(row.withStatus(status, why, work.now())));
    }

    static void promote(Work work, DeploymentRow row, Predicate<String> groups) {
        DeploymentRow promoted = row;
        for (String group : row.groups().keySet()) {
            if (groups.test(group)) {
                promoted = promoted.withGroup(group, g -> g.isUnpromoted() ? g.asPromoted(work.now()) : g, work.now());
            }
        }
        work.add(new Change.DeploymentPut(promoted.withStatus(promoted.status(), words(promoted), work.now())));
    }

    private static String words(DeploymentRow row) {
        return row.groups().values().stream().anyMatch(DeploymentRow.Group::isUnpromoted)
                ? "Deployment is running but requires manual promotion"
                : "Deployment is running";
    }

    /** Why something cannot be done with a deployment now. */
    static Optional<Refusal> refusal(Optional<DeploymentRow> found, String what) {
        if (found.isEmpty()) {
            return Optional.of(new Refusal.NotFound("deployment not found"));
        }
        DeploymentRow row = found.get();
        return row.status().isActive()
                ? Optional.empty()
                : Optional.of(new Refusal.Conflict("can't "
                        + what
                        + " terminal deployment: "
                        + row.id()
                        + " is "
                        + row.status().wire()
                        + " ("
                        + row.statusDescription()
                        + ")"));
    }

    /**
     * Has the job evaluated, by an evaluation of its own: the caller follows it by its id.
     *
     * @return its id; empty if the job is gone or unwanted
     */
    static String follow(Work work, DeploymentRow row, String evalId) {
        Optional<JobRow> job = work.state().job(row.job()).filter(found -> !found.stop());
        if (job.isEmpty()) {
            return "";
        }
        work.add(new Change.EvaluationPut(EvaluationRow.pending(
                        evalId, job.get(), job.get().spec().priority(), Trigger.DEPLOYMENT_WATCHER, "", work.now())
                .deploymentId(row.id())));
        return evalId;
    }

    /**
     * Fails a deployment; where its job says so, the last good version comes back.
     *
     * @return the number of the version that came back; empty if none did
     */
    static Optional<Long> fail(Work work, DeploymentRow row, String why) {
        boolean reverts = row.groups().values().stream().anyMatch(DeploymentRow.Group::autoRevert);
        Optional<JobRow> job = work.state()
                .job(row.job())
                .filter(found -> !found.stop())
                .filter(found -> found.current().equals(row.jobVersion()));
        if (!reverts || job.isEmpty()) {
            end(work, row, DeploymentStatus.FAILED, why);
            return Optional.empty();
        }
        Optional<JobVersionRow> good = work.state().versionsOf(job.get()).stream()
                .filter(JobVersionRow::stable)
                .filter(jobVersion -> !jobVersion.id().equals(row.jobVersion()))
                .reduce((older, newer) -> newer);
        if (good.isEmpty()) {
            end(work, row, DeploymentStatus.FAILED, why + " - no stable job version to auto revert to");
            return Optional.empty();
        }
        long number = good.get().number();
        if (good.get().spec().equals(job.get().spec())) {
            end(
                    work,
                    row,
                    DeploymentStatus.FAILED,
                    why
                            + " - not rolling back to stable job version "
                            + number
                            + " as current job has same specification");
            return Optional.empty();
        }
        end(work, row, DeploymentStatus.FAILED, why + " - rolling back to job version " + number);
        restore(work, job.get(), good.get());
        return Optional.of(number);
    }

    /** Stores a version of the job again, as its newest. */
    static void restore(Work work, JobRow job, JobVersionRow jobVersion) {
        work.add(new Change.JobPut(
                new JobRow(jobVersion.spec(), job.number() + 1, false, work.now(), 0, 0, 0), jobVersion.source()));
        Evaluations.cancelWaiting(work, job.id(), "made obsolete by an older version of the job");
    }
}
