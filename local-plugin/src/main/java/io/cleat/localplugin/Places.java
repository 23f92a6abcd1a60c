package io.cleat.localplugin;

import io.cleat.csi.v1.Topology;
import io.cleat.csi.v1.TopologyRequirement;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * From where volumes can be reached: from the nodes that serve their pool. The pool's own id is what they have in
 * common, be it one node or, with a shared directory, several; a node's further segments are those it was started with.
 */
final class Places {
    static final String POOL = IdentityCalls.NAME + "/pool";

    private final String pool;
    private final SortedMap<String, String> own;

    Places(Pool pool, Map<String, String> further) {
        this.pool = pool.id();
        this.own = new TreeMap<>(further);
        this.own.put(POOL, this.pool);
    }

    /** Where this process's node is. */
    Topology here() {
        return Topology.newBuilder().putAllSegments(own).build();
    }

    /** From where a volume or a snapshot of the pool can be reached. */
    Topology ofPool() {
        return Topology.newBuilder().putSegments(POOL, pool).build();
    }

    /** Refuses what must be reached from elsewhere (CSI, CreateVolume: RESOURCE_EXHAUSTED). */
    void require(TopologyRequirement requirement) throws CallRefused {
        if (requirement.getRequisiteCount() > 0
                && requirement.getRequisiteList().stream().noneMatch(this::isHere)) {
            throw CallRefused.full("this pool is reached from "
                    + own
                    + ", and accessibility_requirements wants one of "
                    + requirement.getRequisiteList().stream()
                            .map(place -> new TreeMap<>(place.getSegmentsMap()))
                            .toList());
        }
    }

    /** Whether this pool is at {@code place}, as far as that says. */
    boolean isHere(Topology place) {
        return own.entrySet().containsAll(place.getSegmentsMap().entrySet());
    }
}
