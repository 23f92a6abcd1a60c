package io.cleat.state;

import io.cleat.model.JobId;
import io.cleat.model.VolumeId;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The evaluations of one image. */
public final class EvaluationRows {
    private final Table<String, EvaluationRow> table;

    EvaluationRows(Table<String, EvaluationRow> table) {
        this.table = table;
    }

    public Optional<EvaluationRow> get(String id) {
        return Optional.ofNullable(table.get(id));
    }

    public Collection<EvaluationRow> all() {
        return table.all();
    }

    public Collection<EvaluationRow> from(String id) {
        return table.from(id);
    }

    public List<EvaluationRow> ofJob(JobId id) {
        return table.find(Tables.EVALUATIONS_BY_JOB, id);
    }

    /** The evaluations in a state, oldest first. */
    public List<EvaluationRow> in(EvaluationStatus status) {
        return table.find(Tables.EVALUATIONS_BY_STATUS, status).stream()
                .sorted(Comparator.comparingLong(EvaluationRow::createVersion).thenComparing(EvaluationRow::id))
                .toList();
    }

    /** All blocked evaluations, those first that have waited longest. */
    public Stream<EvaluationRow> blocked() {
        return awaiting(Awaited.ANYTHING);
    }

    /** Whether any is blocked. */
    public boolean areSomeBlocked() {
        return table.has(Tables.EVALUATIONS_BY_STATUS, EvaluationStatus.BLOCKED);
    }

    /** Those that anything may help that gets free, likewise. */
    public Stream<EvaluationRow> blockedOnRoom() {
        return awaiting(Awaited.ROOM);
    }

    /** Those that name this volume, likewise. */
    public Stream<EvaluationRow> blockedOn(VolumeId id) {
        return awaiting(Awaited.volume(id));
    }

    /** Those that wait for more volumes than they name, likewise. */
    public Stream<EvaluationRow> blockedOnManyVolumes() {
        return awaiting(Awaited.ANY_VOLUME);
    }

    private Stream<EvaluationRow> awaiting(String what) {
        return table.between(Tables.EVALUATIONS_BY_AWAITED, new Awaited(what, 0), new Awaited(what, Long.MAX_VALUE));
    }
}
