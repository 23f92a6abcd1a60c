package io.cleat.demo;

import io.cleat.base.Deadline;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Time;
import io.cleat.kernel.Cgroups;
import io.cleat.kernel.LoopDevices;
import io.cleat.kernel.Mount;
import io.cleat.kernel.Mounts;
import io.cleat.kernel.Processes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Takes away what a run that failed or was interrupted has left: only what is found by the run's own directory, and
 * only what the kernel lets go. Goes on though a part fails.
 */
final class Cleanup {
    private static final Duration END = Duration.ofSeconds(15);
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final Workplace workplace;
    private final AgentProcess agent;
    private final Optional<OurImage> image;
    private final Traces traces;
    private final Time time;
    private final List<String> problems = new ArrayList<>();

    /** @param image what is in a container engine; empty for nothing */
    Cleanup(Workplace workplace, AgentProcess agent, Optional<OurImage> image, Traces traces, Time time) {
        this.workplace = workplace;
        this.agent = agent;
        this.image = image;
        this.traces = traces;
        this.time = time;
    }

    @FunctionalInterface
    private interface Part {
        void run() throws CheckFailed, KernelTrouble, InterruptedException;
    }

    /** Returns what could not be taken away, in words; empty when nothing is left. */
    List<String> run() throws InterruptedException {
        part(() -> traces.addGroupsOf(OurProcess.naming(workplace.root().toString())));
        part(() -> traces.addGroupsOf(OurProcess.below(agent.pid())));
        part(() -> agent.end(END));
        part(this::containers);
        part(this::processes);
        part(this::mounts);
        part(this::loops);
        part(this::cgroups);
        part(workplace::remove);
        return problems;
    }

    private void part(Part part) throws InterruptedException {
        try {
            part.run();
        } catch (CheckFailed failed) {
            problems.add(String.valueOf(failed.getMessage()));
        } catch (KernelTrouble trouble) {
            problems.add(trouble.reason());
        }
    }

    /** Before their processes: an engine would wonder. */
    private void containers() throws CheckFailed {
        if (image.isPresent()) {
            image.get().remove();
        }
    }

    private void processes() throws CheckFailed, InterruptedException {
        Deadline deadline = Deadline.in(time, LIMIT);
        List<OurProcess> left = traces.processes(workplace.root());
        while (!left.isEmpty() && !deadline.isExpired()) {
            for (OurProcess process : left) {
                AgentProcess.signal(process.identity(), Processes.SIGKILL);
            }
            time.sleep(PAUSE);
            left = traces.processes(workplace.root());
        }
        for (OurProcess process : left) {
            problems.add("still runs: " + process.brief());
        }
    }

    private void mounts() throws CheckFailed, KernelTrouble, InterruptedException {
        Deadline deadline = Deadline.in(time, LIMIT);
        List<Mount> left = OurMounts.below(workplace.root());
        while (!left.isEmpty()) {
            Optional<KernelTrouble> busy = unmount(left);
            if (busy.isPresent() && deadline.isExpired()) {
                throw busy.get();
            }
            time.sleep(PAUSE);
            left = OurMounts.below(workplace.root());
        }
    }

    /** Tries each; what others lie on goes in a later round. Returns the last refusal. */
    private static Optional<KernelTrouble> unmount(List<Mount> mounts) {
        Optional<KernelTrouble> busy = Optional.empty();
        for (Mount mount : mounts.reversed()) {
            try {
                Mounts.linux().unmount(Path.of(mount.target()));
            } catch (KernelTrouble refused) {
                busy = Optional.of(refused);
            }
        }
        return busy;
    }

    private void loops() throws CheckFailed, KernelTrouble, InterruptedException {
        Path pool = workplace.data().resolve("pool");
        for (String file : OurMounts.loops().values()) {
            if (file.startsWith(workplace.root() + "/")) {
                LoopDevices.linux(time).detach(Path.of(file));
            } else if (Files.exists(pool.resolve(file.substring(1)))) {
                // Of a container that has ended: what is left of its path begins in the pool.
                LoopDevices.linux(time).detach(pool.resolve(file.substring(1)));
            }
        }
    }

    private void cgroups() throws KernelTrouble, InterruptedException {
        for (String parent : traces.cgroups()) {
            Cgroups groups = Cgroups.linux(parent, time);
            for (String name : groups.names()) {
                groups.group(name).remove(Deadline.in(time, LIMIT));
            }
            if (!groups.removeParent()) {
                problems.add("the control group " + parent + " is still there");
            }
        }
    }
}
