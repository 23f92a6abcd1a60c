package io.cleat.driver.shim;

import io.cleat.base.KernelTrouble;
import io.cleat.base.Time;
import io.cleat.driver.TaskStats;
import io.cleat.kernel.Cgroups;
import io.cleat.kernel.ProcessIdentity;
import io.cleat.kernel.Processes;
import io.cleat.kernel.ShimState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a task under a shim uses: as its control group says, else its session. */
final class ShimUsage {
    private final Processes processes;
    private final Time time;

    ShimUsage(Processes processes, Time time) {
        this.processes = processes;
        this.time = time;
    }

    TaskStats of(Cgroups.Group group, Optional<ShimState> state) throws KernelTrouble {
        Cgroups.Stats counted = group.stats();
        List<Long> pids = ofTask(group.processes(), state);
        long user = 0;
        long system = 0;
        long memory = 0;
        // To find the processes of a session, all that the machine has are looked at.
        boolean isCounted = counted.isWhole() && !pids.isEmpty();
        if (!isCounted && state.isPresent() && processes.isAlive(state.get().child())) {
            List<ProcessIdentity> session =
                    processes.session(state.get().child().pid());
            for (ProcessIdentity member : session) {
                Optional<Processes.Usage> usage = processes.usage(member);
                user += usage.map(Processes.Usage::cpuUserNanos).orElse(0L);
                system += usage.map(Processes.Usage::cpuSystemNanos).orElse(0L);
                memory += usage.map(Processes.Usage::memoryBytes).orElse(0L);
            }
            pids = pids.isEmpty() ? session.stream().map(ProcessIdentity::pid).toList() : pids;
        }
        return new TaskStats(
                time.now(),
                counted.cpuUserNanos().orElse(user),
                counted.cpuSystemNanos().orElse(system),
                counted.memoryBytes().orElse(memory),
                counted.memoryMaxBytes().orElse(0),
                pids);
    }

    /** Without those that keep the task's output: they are in its group and its shim's session. */
    private List<Long> ofTask(List<Long> pids, Optional<ShimState> state) throws KernelTrouble {
        List<Long> found = new ArrayList<>();
        for (long pid : pids) {
            if (state.isEmpty()
                    || !processes.shareSession(pid, state.get().shim().pid())) {
                found.add(pid);
            }
        }
        return found;
    }
}
