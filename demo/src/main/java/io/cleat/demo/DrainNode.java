package io.cleat.demo;

import io.cleat.api.Allocation;
import io.cleat.api.LastDrain;
import io.cleat.api.Node;
import io.cleat.api.Params;
import io.cleat.api.TaskState;
import io.cleat.base.Threads;
import io.cleat.kernel.Mount;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** The node is drained, phase by phase, plugin last; then it takes work again. */
final class DrainNode {
    private final DemoContext context;
    private final Traces traces;
    private final StartPlugin.Seen plugin;
    private final String node;
    private final List<Workload> workloads;

    /** @param workloads all that runs beside the plugin */
    DrainNode(DemoContext context, Traces traces, StartPlugin.Seen plugin, String node, List<Workload> workloads) {
        this.context = context;
        this.traces = traces;
        this.plugin = plugin;
        this.node = node;
        this.workloads = workloads;
    }

    /** Returns the plugin's new instance. */
    StartPlugin.Seen play() throws CheckFailed, InterruptedException {
        context.tell().step("The node is drained, the plugin last; then it takes work again");
        drain();
        empty();
        pluginLast();
        context.command("node", "eligibility", "-enable", node);
        context.tell().verified("node", "takes new allocations again");
        StartPlugin.Seen again = new StartPlugin(context).other(plugin);
        traces.add(List.of(again.allocId()));
        for (Workload before : workloads) {
            comesBack(before);
        }
        return again;
    }

    private void drain() throws CheckFailed, InterruptedException {
        // The command ends when the drain does; whether that comes is looked at from here.
        FutureTask<CommandOutput> command =
                new FutureTask<>(() -> context.command("node", "drain", "-enable", "-yes", "-deadline", "30s", node));
        Threads.virtual((where, fault) -> {}).vitalWork("drain", command::run);
        context.polling().until("the drain is complete", this::isComplete);
        CommandOutput output;
        try {
            output = context.polling()
                    .until("the command has seen it", () -> ended(command))
                    .get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof CheckFailed check) {
                throw check;
            }
            throw new CheckFailed("cleat node drain", "to watch the drain", String.valueOf(failed.getCause()));
        }
        List<String> phases = output.with("Drain phase", "drain complete");
        CheckFailed.unless(
                phases.size() > 1, output.command(), "phases, and the end", String.join("\n", output.lines()));
        context.tell().quote(output.command(), phases);
        context.tell().verified("drain", "complete");
    }

    private static FutureTask<CommandOutput> ended(FutureTask<CommandOutput> command) throws CheckFailed {
        CheckFailed.unless(command.isDone(), "cleat node drain", "an end", "it still watches");
        return command;
    }

    private boolean isComplete() throws CheckFailed {
        Node now = context.cluster()
                .ask("the node", c -> c.nodes().get(node, Params.none()).body());
        LastDrain last = now.LastDrain();
        CheckFailed.unless(
                last != null && last.Status().equals("complete"),
                "the node's drain",
                "complete",
                last == null ? "none" : last.Status());
        return true;
    }

    private void empty() throws CheckFailed, InterruptedException {
        for (Workload workload : workloads) {
            CheckFailed.unless(
                    !workload.process().isAlive(),
                    "the process " + workload.process().brief(),
                    "gone",
                    "alive");
        }
        CheckFailed.unless(!plugin.process().isAlive(), "the plugin's process", "gone", "alive");
        for (Mount mount : OurMounts.below(context.workplace().root())) {
            CheckFailed.unless(
                    !traces.isNamedIn(mount.target()), "the mounts of allocations and volumes", "none", mount.target());
        }
        List<String> loops = new Leftovers(context.workplace(), context.image(), traces).loops();
        CheckFailed.unless(loops.isEmpty(), "loop devices", "none", loops);
        context.tell().verified("the node is empty", "no process of a job, no mount of a volume, no loop device");
    }

    /** The plugin ended after all others, and after the last call that took something away. */
    private void pluginLast() throws CheckFailed {
        Instant end = end(plugin.allocId());
        for (Workload workload : workloads) {
            Instant ended = end(workload.allocId());
            CheckFailed.unless(
                    ended.isBefore(end),
                    "the end of the plugin",
                    "after that of " + workload.task() + ", " + ended,
                    end);
        }
        CallLog.Call last = plugin.calls().calls().stream()
                .filter(call -> call.method().equals("ControllerUnpublishVolume"))
                .reduce((a, b) -> b)
                .orElseThrow(() -> new CheckFailed("the call log", "a detach", "none"));
        CheckFailed.unless(
                last.isOk() && last.time().isBefore(end),
                "the end of the plugin",
                "after its last detach, " + last.time(),
                end);
        context.tell()
                .verified(
                        "plugin last", "it ended after the " + workloads.size() + " tasks, and after its last detach");
    }

    private Instant end(String allocId) throws CheckFailed {
        Allocation allocation = context.cluster()
                .ask(
                        "allocation " + Cluster.brief(allocId),
                        c -> c.allocations().get(allocId, Params.none()).body());
        Map<String, TaskState> states = allocation.TaskStates();
        if (states != null) {
            for (TaskState state : states.values()) {
                Instant end = state.FinishedAt();
                if (end != null) {
                    return end;
                }
            }
        }
        throw new CheckFailed("the task of allocation " + Cluster.brief(allocId), "an end", "none");
    }

    private void comesBack(Workload before) throws CheckFailed, InterruptedException {
        String job = context.cluster()
                .ask(
                        "allocation " + Cluster.brief(before.allocId()),
                        c -> c.allocations()
                                .get(before.allocId(), Params.none())
                                .body())
                .JobID();
        Workload now = context.running(job, before.task());
        traces.add(List.of(now.allocId()));
        CheckFailed.unless(!now.allocId().equals(before.allocId()), "job " + job, "a new allocation", "the old");
        String file = job.equals(UseVolumes.SHARED) ? now.allocId() : DemoContext.NUMBERS;
        long from = now.numbers(file).last();
        Numbers numbers = context.polling().until("it goes on", () -> now.reaching(file, from + 2));
        numbers.unbroken(job + "'s file", 1, from + 2);
        context.tell()
                .verified(
                        "job " + job,
                        "came back as "
                                + Cluster.brief(now.allocId())
                                + ", its file has 1 to "
                                + numbers.last()
                                + " without a gap");
    }
}
