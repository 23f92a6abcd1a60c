package io.cleat.state;

import io.cleat.base.Since;
import io.cleat.model.JobId;
import java.util.Comparator;

/** Of which group of a job events of its scaling are. */
@Since(Change.SCALING_LEVEL)
public record ScaleEventsId(JobId job, String group) implements Comparable<ScaleEventsId> {
    private static final Comparator<ScaleEventsId> ORDER =
            Comparator.comparing(ScaleEventsId::job).thenComparing(ScaleEventsId::group);

    @Override
    public int compareTo(ScaleEventsId other) {
        return ORDER.compare(this, other);
    }
}
