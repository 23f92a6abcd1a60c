package io.cleat.server.decide;

import io.cleat.model.JobId;
import io.cleat.state.AttachmentId;
import io.cleat.state.Change;
import io.cleat.state.Remainder;
import io.cleat.state.RemainderRow;
import io.cleat.state.VolumeKey;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What decisions leave to be done in parts. */
final class Remainders {
    private Remainders() {}

    /** The rest follows, from the beginning of what concerns this decision. */
    static void leave(Work work, Remainder what) {
        put(work, what, work.version());
    }

    /** No more than this is left. */
    static void put(Work work, Remainder what, long since) {
        RemainderRow row = new RemainderRow(what, since, 0, 0);
        boolean isThere = work.state()
                .remainder(what.id())
                .filter(old -> old.what().equals(what) && old.since() == since)
                .isPresent();
        if (!isThere) {
            work.add(new Change.RemainderPut(row));
        }
    }

    /**
     * Does as much of it as there is room for.
     *
     * @return what is left then; empty if nothing is
     */
    static Optional<Remainder> part(Work work, RemainderRow row, NewIds ids) {
        long since = row.since();
        return switch (row.what()) {
            case Remainder.WakeAll all -> wake(work, all, since);
            case Remainder.WakeForRoom room -> wake(work, room, since);
            case Remainder.WakeForVolume volume -> wake(work, volume, since);
            case Remainder.HandOn(VolumeKey key) -> rest(Claims.handOnSome(work, key), row.what());
            case Remainder.NodeUp(String nodeId, JobId after) -> Nodes.systemJobs(work, nodeId, after, ids);
            case Remainder.NodeDown(String nodeId, String after) -> Nodes.seeTo(work, nodeId, after, ids);
            case Remainder.NodeBooted(String nodeId) -> rest(Nodes.booted(work, nodeId, since), row.what());
            case Remainder.MachineReplaced(String nodeId) ->
                rest(Attachments.leaveFormerMachine(work, nodeId, since), row.what());
            case Remainder.CancelWaiting(JobId job, String why) ->
                rest(Evaluations.cancelSome(work, job, why, since), row.what());
            case Remainder.Hurry(JobId job) -> rest(Allocations.hurry(work, job, since), row.what());
            case Remainder.Reschedule(JobId job) -> rest(Allocations.restart(work, job, since, ids), row.what());
            case Remainder.FailAttaching(AttachmentId id, String words) ->
                rest(Attachments.failUsers(work, id, words, since, ids), row.what());
        };
    }

    private static Optional<Remainder> wake(Work work, Remainder what, long since) {
        return rest(Wakes.some(work, Wakes.waiting(work, what), since), what);
    }

    private static Optional<Remainder> rest(boolean isDone, @Nullable Remainder what) {
        return isDone ? Optional.empty() : Optional.ofNullable(what);
    }
}
