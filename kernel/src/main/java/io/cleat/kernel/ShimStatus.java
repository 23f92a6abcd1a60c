package io.cleat.kernel;

import io.cleat.base.KernelTrouble;
import java.time.Duration;
import java.util.Optional;

/**
 * How a running shim says its task is.
 *
 * @param childPid the main process
 * @param processes how many processes the task has, as far as they can be counted
 * @param stopLeft time until everything is killed; empty if no stop was asked for
 * @param droppedBytes bytes of output that were not kept so far
 */
public record ShimStatus(Phase phase, long childPid, int processes, Optional<Duration> stopLeft, long droppedBytes) {
    /** Where a task is on its way. */
    public enum Phase {
        RUNNING,
        /** A stop was asked for. */
        STOPPING,
        /** The time of the stop is over: all of it is being killed. */
        KILLING,
        /** The main process ended; what it left behind is being killed. */
        ENDING
    }

    static ShimStatus of(ShimText status) throws KernelTrouble {
        long left = status.number("stop_left_ms", 0, -1, Long.MAX_VALUE);
        Phase phase = switch (status.word("state")) {
            case "stopping" -> Phase.STOPPING;
            case "killing" -> Phase.KILLING;
            case "ending" -> Phase.ENDING;
            default -> Phase.RUNNING;
        };
        return new ShimStatus(
                phase,
                status.number("child", 0, 0, Integer.MAX_VALUE),
                (int) status.number("processes", 0, 0, Integer.MAX_VALUE),
                left < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(left)),
                status.number("dropped", 0, 0, Long.MAX_VALUE));
    }
}
