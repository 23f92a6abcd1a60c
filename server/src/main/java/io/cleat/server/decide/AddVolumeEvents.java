package io.cleat.server.decide;

import io.cleat.model.VolumeEvent;
import io.cleat.model.VolumeId;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import java.util.List;

/** Calls that were made for a volume. */
public record AddVolumeEvents(VolumeId volume, List<VolumeEvent> events) implements Command<AddVolumeEvents.Reply> {
    public AddVolumeEvents {
        events = List.copyOf(events);
    }

    /** Taken in, or the volume is gone. */
    public record Reply() {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Work work = new Work(newest, context);
        if (!events.isEmpty() && newest.volume(volume).isPresent()) {
            work.add(new Change.VolumeEventsAdded(volume, events));
        }
        return work.accept(new Reply());
    }

    @Override
    public boolean bringsMore() {
        return true;
    }
}
