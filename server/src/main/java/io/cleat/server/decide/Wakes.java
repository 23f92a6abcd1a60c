package io.cleat.server.decide;

import io.cleat.state.Change;
import io.cleat.state.Claimable;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import io.cleat.state.Remainder;
import io.cleat.state.VolumeKey;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Makes blocked evaluations pending: the first of them, those that have waited longest, in the entry that frees what
 * they wait for; the others in further parts.
 */
final class Wakes {
    /** How many at most are woken by one entry. */
    static final int MOST = 500;

    /** What an evaluation's id takes in a change. */
    static final int BYTES = 48;

    private Wakes() {}

    /** Those that wait for one of these volumes. */
    static void volumes(Work work, Set<VolumeKey> keys) {
        keys.forEach(key -> wake(work, new Remainder.WakeForVolume(key)));
    }

    /** Those that anything may help that gets free. */
    static void forRoom(Work work) {
        wake(work, new Remainder.WakeForRoom());
    }

    /** All: a node or a plugin has changed. */
    static void all(Work work) {
        wake(work, new Remainder.WakeAll());
    }

    private static void wake(Work work, Remainder what) {
        // What this decision itself has blocked has seen what gets free in it.
        if (!work.before().evaluations().areSomeBlocked()) {
            return;
        }
        boolean isBehind = work.state().remainder(what.id()).isPresent();
        if (isBehind || !some(work, waiting(work, what), work.version())) {
            Remainders.leave(work, what);
        }
    }

    /**
     * Wakes as many as there is room for.
     *
     * @param since those that were blocked by then have seen what got free
     * @return whether these were all
     */
    static boolean some(Work work, Stream<EvaluationRow> waiting, long since) {
        int most = Math.min(MOST, work.roomFor(BYTES));
        List<String> ids = waiting.filter(row -> row.modifyVersion() < since)
                .map(EvaluationRow::id)
                .distinct()
                .limit(most + 1L)
                .toList();
        List<String> now = ids.subList(0, Math.min(most, ids.size()));
        if (!now.isEmpty()) {
            work.add(new Change.EvaluationsMoved(now, EvaluationStatus.PENDING, ""));
        }
        return now.size() == ids.size();
    }

    /** Who waits for it, those first that have waited longest. */
    static Stream<EvaluationRow> waiting(Work work, Remainder what) {
        return switch (what) {
            case Remainder.WakeForVolume(VolumeKey key) ->
                Stream.concat(
                        Stream.concat(
                                        work.state().volumesWithKey(key).stream(),
                                        work.state().hostVolumes().find(key).stream())
                                .map(Claimable::id)
                                .flatMap(id -> work.state().evaluations().blockedOn(id)),
                        work.state().evaluations().blockedOnManyVolumes());
            case Remainder.WakeForRoom _ -> work.state().evaluations().blockedOnRoom();
            default -> work.state().evaluations().blocked();
        };
    }
}
