package io.cleat.state;

import io.cleat.model.JobId;
import io.cleat.model.VolumeId;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Which host volumes the groups of one image's jobs keep. */
public final class StickyClaims {
    private final Table<String, StickyClaimRow> table;

    StickyClaims(Table<String, StickyClaimRow> table) {
        this.table = table;
    }

    public Optional<StickyClaimRow> find(String id) {
        return Optional.ofNullable(table.get(id));
    }

    /** By id, from the first that is not less. */
    public Collection<StickyClaimRow> from(String id) {
        return table.from(id);
    }

    /** By id. */
    public List<StickyClaimRow> ofVolume(VolumeId volume) {
        return table.find(Tables.STICKY_CLAIMS_BY_VOLUME, volume);
    }

    /** By id. */
    public List<StickyClaimRow> ofJob(JobId job) {
        return table.find(Tables.STICKY_CLAIMS_BY_JOB, job);
    }

    /**
     * Those by which allocations of one name use volumes of one name, the newest last: that which was used last is the
     * one to come back to.
     */
    public List<StickyClaimRow> of(JobId job, String group, String allocName, String volumeName) {
        return ofJob(job).stream()
                .filter(row -> row.group().equals(group)
                        && row.allocName().equals(allocName)
                        && row.volumeName().equals(volumeName))
                .sorted(Comparator.comparingLong(StickyClaimRow::modifyVersion).thenComparing(StickyClaimRow::id))
                .toList();
    }
}
