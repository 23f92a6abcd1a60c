package io.cleat.launch.demo;

import io.cleat.api.AllocationStub;
import io.cleat.api.CsiVolume;
import io.cleat.base.Time;
import io.cleat.jobspec.hcl.Variables;

/** What all steps share. */
record Scene(
        Workplace workplace,
        AgentProcess agent,
        Cluster cluster,
        Narrator tell,
        Patience patience,
        Time time) {
    /** The file in the counter's volume. */
    static final String NUMBERS = "numbers";

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
    Workload run(String job, String task, Variables variables)
            throws CheckFailed, InterruptedException {
        cluster.register(Specs.job(job, variables));
        return running(job, task);
    }

    /** The only allocation of a job, once it runs. */
    Workload running(String job, String task) throws CheckFailed, InterruptedException {
        return running(job, task, Workload.DATA);
    }

    /** As {@link #running(String, String)}, with a volume of another alias. */
    Workload running(String job, String task, String alias)
            throws CheckFailed, InterruptedException {
        AllocationStub allocation =
                patience.until("job " + job + " runs", () -> cluster.running(job, 1)).getFirst();
        return Workload.look(allocation.ID(), task, alias);
    }

    CommandOutput command(String... words) throws CheckFailed {
        return CommandOutput.of(cluster.address(), time, words);
    }
}
