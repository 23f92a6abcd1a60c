package io.cleat.demo;

import io.cleat.api.AllocationStub;
import io.cleat.api.CsiVolume;
import io.cleat.api.Job;
import io.cleat.base.Time;
import io.cleat.jobspec.hcl.Variables;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What all steps share.
 *
 * @param driver what plugin and workloads run under; empty until that is known
 * @param image what they are made of under {@code docker}; empty under other drivers
 */
record DemoContext(
        Workplace workplace,
        AgentProcess agent,
        Cluster cluster,
        String driver,
        Optional<OurImage> image,
        Narrator tell,
        Polling polling,
        Time time) {
    /** The file in the counter's volume. */
    static final String NUMBERS = "numbers";

    DemoContext under(String chosen) {
        return new DemoContext(workplace, agent, cluster, chosen, image, tell, polling, time);
    }

    /** The job of an example, under the driver that all run under. */
    Job job(String example, Variables variables) {
        Job job = Specs.job(example, variables.withFlag("driver", driver));
        return image.map(of -> of.in(job)).orElse(job);
    }

    /** Has the plugin make the volume of an example. */
    CsiVolume make(String example, Variables variables) throws CheckFailed {
        CsiVolume wanted = Specs.volume(example, variables);
        cluster.create(wanted);
        String id = wanted.ID();
        CsiVolume volume = cluster.volume(id);
        CheckFailed.unless(
                volume.Schedulable() && !volume.ExternalID().isEmpty(),
                "volume " + id,
                "schedulable, with the plugin's id",
                "schedulable " + volume.Schedulable() + ", id \"" + volume.ExternalID() + "\"");
        return volume;
    }

    /** Submits the job of an example, and waits for its only allocation to run. */
    Workload run(String job, String task, Variables variables) throws CheckFailed, InterruptedException {
        cluster.register(job(job, variables));
        return running(job, task);
    }

    /** The only allocation of a job, once it runs. */
    Workload running(String job, String task) throws CheckFailed, InterruptedException {
        return Workload.look(allocation(job), task);
    }

    /** The id of the only allocation of a job, once it runs. */
    String allocation(String job) throws CheckFailed, InterruptedException {
        AllocationStub allocation = polling.until("job " + job + " runs", () -> cluster.running(job, 1))
                .getFirst();
        return allocation.ID();
    }

    /** Fails unless a task's process is isolated as its driver promises. */
    void isolated(OurProcess process) throws CheckFailed {
        Set<String> own = process.ownNamespaces();
        Set<String> expected = driver.equals("raw_exec") ? Set.of() : new TreeSet<>(OurProcess.NAMESPACES);
        CheckFailed.unless(
                own.equals(expected),
                "the namespaces that process " + process.identity().pid() + " has for itself",
                driver + ": " + expected,
                own);
        tell.verified(
                driver,
                own.isEmpty()
                        ? "it sees the machine as it is"
                        : "it has namespaces of its own: " + String.join(", ", own));
    }

    CommandOutput command(String... words) throws CheckFailed {
        return CommandOutput.of(cluster.address(), time, words);
    }
}
