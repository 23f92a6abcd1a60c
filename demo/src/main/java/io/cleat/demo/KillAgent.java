package io.cleat.demo;

import io.cleat.kernel.Mount;
import io.cleat.kernel.ProcessIdentity;
import java.util.List;

/** Step 5: the agent is killed; the workload does not notice. */
final class KillAgent {
    private static final int COUNTS = 4;

    private final DemoContext context;
    private final StartPlugin.Seen plugin;
    private final UseVolumes.Working working;

    /**
     * The time without an agent.
     *
     * @param from the number that was the last when the agent died
     * @param to a number that was written while it was dead
     */
    record Outage(long from, long to) {}

    KillAgent(DemoContext context, StartPlugin.Seen plugin, UseVolumes.Working working) {
        this.context = context;
        this.plugin = plugin;
        this.working = working;
    }

    Outage play() throws CheckFailed, InterruptedException {
        context.tell().step("The agent is killed with SIGKILL; the workloads go on");
        ProcessIdentity agent = context.agent().kill();
        context.polling().until("the agent is gone", () -> gone(agent));
        long from = working.counter().numbers(DemoContext.NUMBERS).last();
        context.tell().verified("agent", "pid " + agent.pid() + " is dead, the API does not answer");
        long to = context.polling()
                .until("the workload counts on", () -> working.counter().reaching(DemoContext.NUMBERS, from + COUNTS))
                .last();
        context.tell()
                .verified("it counts on", "from " + from + " to " + to + " in the volume, while no agent is there");
        undisturbed(context, plugin, working);
        context.tell().verified("nothing else moved", "same processes, same mounts, the plugin lives");
        return new Outage(from, to);
    }

    private boolean gone(ProcessIdentity agent) throws CheckFailed {
        boolean lives = OurProcess.of(agent.pid())
                .filter(p -> p.identity().equals(agent))
                .isPresent();
        CheckFailed.unless(!lives, "the agent", "dead", agent + " lives");
        try {
            context.cluster().ask("the leader", c -> c.agent().leader());
        } catch (CheckFailed asExpected) {
            return true;
        }
        throw new CheckFailed("the API", "no answer", "it answers, though the agent is dead");
    }

    /** Fails unless processes and mounts are those of before. */
    static void undisturbed(DemoContext context, StartPlugin.Seen plugin, UseVolumes.Working before)
            throws CheckFailed {
        for (OurProcess process : List.of(
                plugin.process(), before.counter().process(), before.sharer().process())) {
            CheckFailed.unless(
                    process.isAlive(),
                    "the process " + process.brief(),
                    "alive: " + String.join(" ", process.arguments()),
                    "gone");
        }
        List<Mount> now = OurMounts.below(context.workplace().root());
        CheckFailed.unless(
                now.equals(before.mounts()),
                "the mounts below " + context.workplace().root(),
                lines(before.mounts()),
                lines(now));
    }

    private static String lines(List<Mount> mounts) {
        return String.join(
                "\n               ",
                mounts.stream()
                        .map(m -> m.id() + " " + m.fsType() + " " + m.target())
                        .toList());
    }
}
