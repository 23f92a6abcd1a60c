package io.cleat.server.decide;

import io.cleat.model.JobId;
import io.cleat.state.Change;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import io.cleat.state.JobRow;
import io.cleat.state.Trigger;
import io.cleat.state.VolumeKey;
import java.util.List;
import java.util.Set;

/** Evaluations that follow from what happens. */
final class Evaluations {
    private Evaluations() {}

    /**
     * Has the job evaluated. One that is due anyway serves, but counts as changed: a plan that was
     * made for it before did not see what happens now.
     */
    static void evaluate(Work work, JobRow job, Trigger trigger, String nodeId, NewIds ids) {
        EvaluationRow due =
                work.state().evaluationsOfJob(job.id()).stream()
                        .filter(e -> e.status() == EvaluationStatus.PENDING)
                        .filter(e -> e.waitUntil() == null)
                        .findFirst()
                        .orElseGet(
                                () ->
                                        EvaluationRow.pending(
                                                ids.next(),
                                                job,
                                                job.spec().priority(),
                                                trigger,
                                                nodeId,
                                                work.now()));
        work.add(new Change.EvaluationPut(due));
    }

    /** Makes the evaluations pending that wait for one of these volumes, oldest first. */
    static void wakeVolumes(Work work, Set<VolumeKey> keys) {
        for (EvaluationRow blocked : work.state().evaluations(EvaluationStatus.BLOCKED)) {
            boolean waits =
                    blocked.blockedOn().stream()
                            .flatMap(id -> work.state().volume(id).stream())
                            .anyMatch(volume -> keys.contains(volume.key()));
            if (waits) {
                wake(work, blocked);
            }
        }
    }

    /** Makes the evaluations pending that anything that got free may help, oldest first. */
    static void wakeForRoom(Work work) {
        work.state().evaluations(EvaluationStatus.BLOCKED).stream()
                .filter(EvaluationRow::blockedOnAny)
                .forEach(blocked -> wake(work, blocked));
    }

    /** Makes all blocked evaluations pending, oldest first: a node or a plugin has changed. */
    static void wakeAll(Work work) {
        work.state().evaluations(EvaluationStatus.BLOCKED).forEach(blocked -> wake(work, blocked));
    }

    private static void wake(Work work, EvaluationRow blocked) {
        work.add(
                new Change.EvaluationPut(
                        blocked.edit()
                                .status(EvaluationStatus.PENDING, "", work.now())
                                .blockedOn(List.of(), false, null)
                                .done()));
    }

    /** Cancels the job's evaluations that wait for room or a volume. */
    static void cancelBlocked(Work work, JobId job, String exceptId, String why) {
        for (EvaluationRow row : work.state().evaluationsOfJob(job)) {
            if (row.status() == EvaluationStatus.BLOCKED && !row.id().equals(exceptId)) {
                cancel(work, row, why);
            }
        }
    }

    /** Cancels all of the job's evaluations that wait for something, be it a time. */
    static void cancelWaiting(Work work, JobId job, String why) {
        cancelBlocked(work, job, "", why);
        for (EvaluationRow row : work.state().evaluationsOfJob(job)) {
            if (row.status() == EvaluationStatus.PENDING && row.waitUntil() != null) {
                cancel(work, row, why);
            }
        }
    }

    private static void cancel(Work work, EvaluationRow row, String why) {
        work.add(
                new Change.EvaluationPut(
                        row.edit()
                                .status(EvaluationStatus.CANCELED, why, work.now())
                                .blockedOn(List.of(), false, null)
                                .done()));
    }
}
