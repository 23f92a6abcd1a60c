package io.cleat.clusterapi.evaluations;

import io.cleat.api.DesiredUpdates;
import io.cleat.api.PlanAnnotations;
import io.cleat.state.PlannedCounts;
import java.util.Map;
import java.util.TreeMap;

/** What plans do, or would do. Nothing is pushed out, and no node counts as disconnected. */
public final class PlannedView {
    private PlannedView() {}

    public static PlanAnnotations of(Map<String, PlannedCounts> byGroup) {
        Map<String, DesiredUpdates> updates = new TreeMap<>();
        byGroup.forEach((group, counts) -> updates.put(group, of(counts)));
        return new PlanAnnotations(updates.isEmpty() ? null : updates, null);
    }

    private static DesiredUpdates of(PlannedCounts counts) {
        return new DesiredUpdates(
                counts.canary(),
                counts.destructiveUpdate(),
                0,
                counts.ignore(),
                counts.inPlaceUpdate(),
                counts.migrate(),
                counts.place(),
                0,
                0,
                0,
                counts.reschedule(),
                counts.stop());
    }
}
