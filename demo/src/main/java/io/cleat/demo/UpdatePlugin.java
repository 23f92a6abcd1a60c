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
    private final Scene scene;
    private final Traces traces;
    private final StartPlugin.Seen old;
    private final Workload writer;

    UpdatePlugin(Scene scene, Traces traces, StartPlugin.Seen old, Workload writer) {
        this.scene = scene;
        this.traces = traces;
        this.old = old;
        this.writer = writer;
    }

    /** Returns the plugin's new instance. */
    StartPlugin.Seen play() throws CheckFailed, InterruptedException {
        scene.tell().step("The plugin's job is updated under the mounted volumes; the job writes on");
        List<Mount> mounts = mounts(old.allocId());
        int calls = old.calls().calls().size();
        long from = writer.numbers(Scene.NUMBERS).last();
        scene.cluster().register(changed());
        StartPlugin.Seen plugin = new StartPlugin(scene).other(old);
        traces.add(List.of(plugin.allocId()));
        long version = version(plugin.allocId());
        CheckFailed.unless(version == 1, "the version of its job", "1", version);
        scene.polling().until("the old instance is gone", this::isOldGone);
        scene.tell()
                .verified(
                        "old instance",
                        "allocation "
                                + Cluster.brief(old.allocId())
                                + " ended, "
                                + old.process().brief()
                                + " is gone");
        scene.tell()
                .verified(
                        "new instance",
                        "allocation "
                                + Cluster.brief(plugin.allocId())
                                + ", version "
                                + version
                                + " of the job, "
                                + plugin.process().brief()
                                + ", healthy");
        CommandOutput status = scene.command("job", "status", StartPlugin.JOB);
        scene.tell()
                .quote(
                        status.command(),
                        status.with("Node ID", Cluster.brief(plugin.allocId()), Cluster.brief(old.allocId())));
        long next = writer.numbers(Scene.NUMBERS).last() + 5;
        scene.polling().until("it goes on writing", () -> writer.reaching(Scene.NUMBERS, next));
        writer.isUntouched();
        List<Mount> now = mounts(plugin.allocId());
        CheckFailed.unless(now.equals(mounts), "the mounts", "those of before", now);
        scene.tell().verified("its writes", Beats.of(writer).told(from));
        List<CallLog.Call> asked = plugin.calls()
                .onlyAsked(calls, old.process().innerPid(), plugin.process().innerPid());
        scene.tell()
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
        return OurMounts.below(scene.workplace().root()).stream()
                .filter(mount -> !mount.target().contains(allocId))
                .toList();
    }

    private long version(String allocId) throws CheckFailed {
        return scene.cluster().allocations(StartPlugin.JOB).stream()
                .filter(one -> one.ID().equals(allocId))
                .mapToLong(AllocationStub::JobVersion)
                .max()
                .orElse(-1);
    }

    private boolean isOldGone() throws CheckFailed {
        scene.cluster().ended(old.allocId());
        CheckFailed.unless(
                !old.process().isAlive(), "the process " + old.process().brief(), "gone", "alive");
        return true;
    }

    /** The job with one more variable in its task's environment. */
    private Job changed() throws CheckFailed {
        Job job = scene.cluster()
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
