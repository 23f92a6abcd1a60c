package io.cleat.driver.shim;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Time;
import io.cleat.kernel.Cgroups;
import io.cleat.kernel.ProcessIdentity;
import io.cleat.kernel.Processes;
import io.cleat.kernel.ShimState;
import java.time.Duration;
import java.util.Optional;

/**
 * What a task left running whose shim was killed: nobody keeps its output or will ever know its exit code, and a later
 * start must not meet it, so it is ended.
 */
final class Remains {
    private static final Duration PAUSE = Duration.ofMillis(10);

    private final Processes processes;
    private final Time time;

    Remains(Processes processes, Time time) {
        this.processes = processes;
        this.time = time;
    }

    /** Returns once nothing of the task runs any more. */
    void end(Cgroups.Group group, Optional<ShimState> state, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        group.killAll(deadline);
        if (state.isEmpty()) {
            return;
        }
        ProcessIdentity child = state.get().child();
        // Without a control group the session is what is left to go by. Its id can be trusted only
        // while the main process, which leads it, is there.
        while (processes.isAlive(child)) {
            for (ProcessIdentity member : processes.session(child.pid())) {
                if (!member.equals(child)) {
                    processes.signal(member, Processes.SIGKILL);
                }
            }
            processes.signal(child, Processes.SIGKILL);
            if (deadline.isExpired()) {
                throw new KernelTrouble(child + " was killed and has not ended", Effect.UNKNOWN, Retry.SAME_CALL);
            }
            time.sleep(PAUSE);
        }
    }
}
