package io.cleat.server.duty;

import io.cleat.base.Deadline;
import io.cleat.base.LogTrouble;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.model.HostVolumeNames;
import io.cleat.server.session.NodeSessions;
import io.cleat.state.HostVolumeRow;
import io.cleat.wire.ControllerCall;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks nodes over their sessions, each question on a thread of its own. */
final class HostVolumeCalls implements HostVolumeDuty.Asking {
    private static final Logger LOG = LoggerFactory.getLogger(HostVolumeCalls.class);

    /** A plugin may take a minute to make a volume, and one more to undo that. */
    private static final Duration WITHIN = Duration.ofSeconds(150);

    private final NodeSessions sessions;
    private final Threads threads;
    private final Time time;

    HostVolumeCalls(NodeSessions sessions, Threads threads, Time time) {
        this.sessions = sessions;
        this.threads = threads;
        this.time = time;
    }

    @Override
    public void ask(HostVolumeRow row, ControllerCall call, Heard heard, Runnable over) {
        threads.contained(
                "host-volume/" + row.spec().id(),
                () -> {
                    try {
                        heard.is(sessions.ask(
                                row.spec().nodeId(), HostVolumeNames.PLUGIN, "", call, Deadline.in(time, WITHIN)));
                    } catch (LogTrouble lost) {
                        LOG.warn(
                                "what became of host volume {} is not decided: {}",
                                row.spec().id(),
                                lost.reason());
                    } finally {
                        over.run();
                    }
                },
                Threads.OnFault.NOTHING_MORE);
    }
}
