package io.cleat.demo;

import io.cleat.api.AllocationStub;
import io.cleat.api.Job;
import io.cleat.api.Json;
import io.cleat.api.Params;
import io.cleat.base.Refused;
import io.cleat.kernel.Mount;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The plugin's job is updated under mounted volumes and a workload that writes. */
final class UpdatePlugin {
    private final DemoContext context;
    private final Traces traces;
    private final StartPlugin.Seen old;
    private final Workload writer;

    UpdatePlugin(DemoContext context, Traces traces, StartPlugin.Seen old, Workload writer) {
        this.context = context;
        this.traces = traces;
        this.old = old;
        this.writer = writer;
    }

    /** Returns the plugin's new instance. */
    StartPlugin.Seen play() throws CheckFailed, InterruptedException {
        context.tell().step("The plugin's job is updated under the mounted volumes; the job writes on");
        List<Mount> mounts = mounts(old.allocId());
        int calls = old.calls().calls().size();
        long from = writer.numbers(DemoContext.NUMBERS).last();
        context.cluster().register(changed());
        StartPlugin.Seen plugin = new StartPlugin(context).other(old);
        traces.add(List.of(plugin.allocId()));
        long version = version(plugin.allocId());
        CheckFailed.unless(version == 1, "the version of its job", "1", version);
        context.polling().until("the old instance is gone", this::isOldGone);
        context.tell()
                .verified(
                        "old instance",
                        "allocation "
                                + Cluster.brief(old.allocId())
                                + " ended, "
                                + old.process().brief()
                                + " is gone");
        context.tell()
                .verified(
                        "new instance",
                        "allocation "
                                + Cluster.brief(plugin.allocId())
                                + ", version "
                                + version
                                + " of the job, "
                                + plugin.process().brief()
                                + ", healthy");
        CommandOutput status = context.command("job", "status", StartPlugin.JOB);
        context.tell()
                .quote(
                        status.command(),
                        status.with("Node ID", Cluster.brief(plugin.allocId()), Cluster.brief(old.allocId())));
        long next = writer.numbers(DemoContext.NUMBERS).last() + 5;
        context.polling().until("it goes on writing", () -> writer.reaching(DemoContext.NUMBERS, next));
        writer.isUntouched();
        List<Mount> now = mounts(plugin.allocId());
        CheckFailed.unless(now.equals(mounts), "the mounts", "those of before", now);
        context.tell().verified("its writes", WriteTimes.of(writer).told(from));
        List<CallLog.Call> asked = plugin.calls()
                .onlyAsked(calls, old.process().innerPid(), plugin.process().innerPid());
        context.tell()
                .verified(
                        "call log",
                        "the instances were only asked: "
                                + CallLog.methods(asked)
                                + "; all "
                                + mounts.size()
                                + " mounts stay");
        return plugin;
    }

    /** All but what an instance of the plugin has for itself, such as its secrets in memory. */
    private List<Mount> mounts(String allocId) throws CheckFailed {
        return OurMounts.below(context.workplace().root()).stream()
                .filter(mount -> !mount.target().contains(allocId))
                .toList();
    }

    private long version(String allocId) throws CheckFailed {
        return context.cluster().allocations(StartPlugin.JOB).stream()
                .filter(one -> one.ID().equals(allocId))
                .mapToLong(AllocationStub::JobVersion)
                .max()
                .orElse(-1);
    }

    private boolean isOldGone() throws CheckFailed {
        context.cluster().ended(old.allocId());
        CheckFailed.unless(
                !old.process().isAlive(), "the process " + old.process().brief(), "gone", "alive");
        return true;
    }

    /** The job with one more variable in its task's environment. */
    private Job changed() throws CheckFailed {
        Job job = context.cluster()
                .ask(
                        "job " + StartPlugin.JOB,
                        c -> c.jobs().get(StartPlugin.JOB, Params.none()).body());
        JsonNode tree = Json.toTree(job);
        ObjectNode task =
                (ObjectNode) tree.path("TaskGroups").path(0).path("Tasks").path(0);
        task.withObject("Env").put("STORAGE_RELEASE", "2");
        try {
            return Json.fromTree(tree, Job.class);
        } catch (Refused unreadable) {
            throw new CheckFailed("job " + StartPlugin.JOB, "a job", String.valueOf(unreadable.getMessage()));
        }
    }
}
