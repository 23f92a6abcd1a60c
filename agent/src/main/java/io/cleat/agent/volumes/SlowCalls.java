package io.cleat.agent.volumes;

import io.cleat.base.Threads;
import io.cleat.model.VolumeEvent;
import java.time.Duration;

/** Tells of node calls that take long, once of each: who waits for a plugin knows for which call. */
public final class SlowCalls {
    private static final Duration PAUSE = Duration.ofSeconds(2);

    private final VolumeParts parts;

    public SlowCalls(VolumeParts parts) {
        this.parts = parts;
    }

    /** Looks again and again from now on. */
    public Thread start(Threads threads) {
        return threads.contained(
                "volumes/slow-calls",
                () -> {
                    for (; ; ) {
                        look();
                        parts.time().sleep(PAUSE);
                    }
                },
                Threads.OnFault.NOTHING_MORE);
    }

    void look() {
        for (CallsUnderWay.UnderWay call : parts.calls().tell()) {
            parts.news()
                    .volumeEvent(
                            call.volume(),
                            new VolumeEvent(
                                    parts.time().now(),
                                    parts.nodeId(),
                                    call.name(),
                                    "Pending",
                                    Duration.between(call.since(), parts.time().now()),
                                    "plugin \"" + call.pluginId() + "\" has not answered yet; it is waited for"));
        }
    }
}
