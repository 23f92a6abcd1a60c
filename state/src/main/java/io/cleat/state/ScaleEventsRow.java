package io.cleat.state;

import io.cleat.base.Since;
import java.util.ArrayList;
import java.util.List;

/**
 * The last events of a group's scaling. They are kept as long as their job has the group.
 *
 * @param events oldest first; at most {@link #KEPT}
 */
@Since(Change.SCALING_LEVEL)
public record ScaleEventsRow(ScaleEventsId id, List<ScaleEvent> events, long createVersion, long modifyVersion)
        implements Row<ScaleEventsRow> {
    /** How many events of a group are kept. */
    public static final int KEPT = 20;

    public ScaleEventsRow {
        events = List.copyOf(events);
    }

    ScaleEventsRow with(ScaleEvent event) {
        List<ScaleEvent> all = new ArrayList<>(events);
        all.add(event);
        return new ScaleEventsRow(
                id, all.subList(Math.max(0, all.size() - KEPT), all.size()), createVersion, modifyVersion);
    }

    @Override
    public ScaleEventsRow stamped(long newCreate, long newModify) {
        return new ScaleEventsRow(id, events, newCreate, newModify);
    }
}
