package io.cleat.demo;

import io.cleat.api.AllocationStub;
import io.cleat.api.NodeDriver;
import io.cleat.api.NodeStub;
import io.cleat.api.Params;
import java.time.Instant;
import java.util.List;

/** Step 6: the agent starts again and finds all as it was. */
final class RestartAgent {
    private final DemoContext context;
    private final StartPlugin.Seen plugin;
    private final UseVolumes.Working working;
    private final KillAgent.Outage outage;
    private final String nodeId;

    RestartAgent(
            DemoContext context,
            StartPlugin.Seen plugin,
            UseVolumes.Working working,
            KillAgent.Outage outage,
            String nodeId) {
        this.context = context;
        this.plugin = plugin;
        this.working = working;
        this.outage = outage;
        this.nodeId = nodeId;
    }

    void play() throws CheckFailed, InterruptedException {
        context.tell().step("The agent starts again on the same data, and finds everything as it was");
        long probes = probes();
        Instant began = context.time().now();
        context.agent().start();
        long restarted = working.counter().numbers(DemoContext.NUMBERS).last();
        context.polling().until("the API answers and the node is ready", this::ready);
        var _ = context.polling().until("the driver " + context.driver() + " is healthy", () -> healthySince(began));
        context.polling().until("it knows its allocations", this::sameAllocations);
        context.tell()
                .verified(
                        "allocations",
                        "the same three: "
                                + String.join(
                                        ", ",
                                        List.of(
                                                Cluster.brief(plugin.allocId()),
                                                Cluster.brief(working.counter().allocId()),
                                                Cluster.brief(working.sharer().allocId()))));
        context.polling().until("it has found the plugin", () -> {
            long now = probes();
            CheckFailed.unless(now > probes, "the plugin's call log", "a Probe by the new agent", "none yet");
            return now;
        });
        // What it would do wrong it would do within this time.
        context.polling()
                .until("the workload counts on", () -> working.counter().reaching(DemoContext.NUMBERS, restarted + 3));
        KillAgent.undisturbed(context, plugin, working);
        context.tell()
                .verified(
                        "processes",
                        "the same: plugin pid "
                                + plugin.process().identity().pid()
                                + ", "
                                + UseVolumes.COUNTER
                                + " pid "
                                + working.counter().process().identity().pid()
                                + ", "
                                + UseVolumes.SHARED
                                + " pid "
                                + working.sharer().process().identity().pid());
        context.tell().verified("mounts", "the same " + working.mounts().size() + ", by mount id");
        output(restarted);
        onlyAsked();
        context.polling().until("the allocations stay", this::sameAllocations);
    }

    private boolean ready() throws CheckFailed {
        List<NodeStub> nodes = context.cluster()
                .ask("the nodes", c -> c.nodes().list(Params.none()).body());
        CheckFailed.unless(
                nodes.size() == 1
                        && nodes.getFirst().ID().equals(nodeId)
                        && nodes.getFirst().Status().equals("ready"),
                "the nodes",
                "the one of before, ready",
                String.join(
                        ", ",
                        nodes.stream().map(n -> n.Name() + " " + n.Status()).toList()));
        return true;
    }

    /** What comes next is to run under it; until the new agent has said, the old one's word stands. */
    private NodeDriver healthySince(Instant began) throws CheckFailed {
        NodeDriver driver = context.cluster().healthyDriver(nodeId, context.driver());
        Instant seen = driver.UpdateTime();
        CheckFailed.unless(
                seen != null && seen.isAfter(began),
                "the driver " + context.driver(),
                "looked at by the new agent",
                "as the old one saw it");
        return driver;
    }

    private boolean sameAllocations() throws CheckFailed {
        same(StartPlugin.JOB, plugin.allocId());
        same(UseVolumes.COUNTER, working.counter().allocId());
        same(UseVolumes.SHARED, working.sharer().allocId());
        return true;
    }

    private void same(String job, String allocId) throws CheckFailed {
        AllocationStub now = context.cluster().running(job, 1).getFirst();
        CheckFailed.unless(now.ID().equals(allocId), "the allocation of job " + job, allocId, now.ID());
    }

    private long probes() throws CheckFailed {
        return plugin.calls().calls().stream()
                .filter(call -> call.method().equals("Probe") && call.isOk())
                .count();
    }

    private void output(long restarted) throws CheckFailed, InterruptedException {
        Numbers printed = context.polling().until("alloc logs has what was printed meanwhile", () -> {
            Numbers all = UseVolumes.printed(context, working.counter().allocId());
            all.unbroken("alloc logs", 1, restarted + 2);
            return all;
        });
        context.tell()
                .verified(
                        "alloc logs",
                        "1 to "
                                + printed.last()
                                + " in order, without a gap ("
                                + (outage.from() + 1)
                                + " to "
                                + outage.to()
                                + " came while no agent was there)");
    }

    private void onlyAsked() throws CheckFailed {
        List<CallLog.Call> calls =
                plugin.calls().onlyAsked(working.calls(), plugin.process().innerPid());
        context.tell().verified("call log", calls.size() + " calls since step 4, only " + CallLog.methods(calls));
    }
}
