package io.cleat.state;

import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The claims of one image. */
public final class ClaimRows {
    private final Table<ClaimId, ClaimRow> table;

    ClaimRows(Table<ClaimId, ClaimRow> table) {
        this.table = table;
    }

    public Optional<ClaimRow> get(ClaimId id) {
        return Optional.ofNullable(table.get(id));
    }

    public Collection<ClaimRow> all() {
        return table.all();
    }

    /** All claims of a provider's volume, whatever row they name, oldest first. */
    public List<ClaimRow> of(VolumeKey key) {
        return oldestFirst(table.find(Tables.CLAIMS_BY_KEY, key));
    }

    /** The claims that name this volume row, oldest first. */
    public List<ClaimRow> ofVolume(VolumeId id) {
        return oldestFirst(table.find(Tables.CLAIMS_BY_VOLUME, id));
    }

    public List<ClaimRow> onNode(String nodeId) {
        return table.find(Tables.CLAIMS_BY_NODE, nodeId);
    }

    /** The claims in a state, oldest first. */
    public List<ClaimRow> in(ClaimState state) {
        return oldestFirst(table.find(Tables.CLAIMS_BY_STATE, state));
    }

    /** By alias. */
    public List<ClaimRow> ofAllocation(String allocId) {
        return table.from(new ClaimId(allocId, "")).stream()
                .takeWhile(claim -> claim.allocId().equals(allocId))
                .toList();
    }

    /** What a provider's volume is used as now: the modes of its oldest grant. */
    public Optional<VolumeModes> currentModes(VolumeKey key) {
        List<ClaimRow> claims = of(key);
        // Most volumes have none, and a list of volumes asks for each.
        return claims.isEmpty()
                ? Optional.empty()
                : claims.stream()
                        .filter(ClaimRow::holds)
                        .min(Comparator.comparingLong(ClaimRow::epoch))
                        .map(ClaimRow::modes);
    }

    private static List<ClaimRow> oldestFirst(List<ClaimRow> claims) {
        // Most volumes have none or one, and a list of volumes asks for each.
        if (claims.size() < 2) {
            return claims;
        }
        return claims.stream()
                .sorted(Comparator.comparingLong(ClaimRow::createVersion).thenComparing(ClaimRow::id))
                .toList();
    }
}
