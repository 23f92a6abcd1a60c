package io.cleat.demo;

import io.cleat.api.AllocationStub;
import io.cleat.api.CsiVolume;
import io.cleat.api.Params;
import io.cleat.base.Secrets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The last step: everything is stopped and deleted, and nothing is left. */
final class LeaveNothing {
    private static final Duration END = Duration.ofSeconds(30);

    private final DemoContext context;
    private final Traces traces;

    LeaveNothing(DemoContext context, Traces traces) {
        this.context = context;
        this.traces = traces;
    }

    void play(StartPlugin.Seen plugin) throws CheckFailed, InterruptedException {
        context.tell().step("Everything is stopped and deleted; nothing of it is left");
        for (String job : traces.jobs()) {
            traces.add(context.cluster().allocations(job).stream()
                    .map(AllocationStub::ID)
                    .toList());
        }
        List<OurProcess> tasks = tasks(plugin);
        CheckFailed.unless(!tasks.isEmpty(), "processes of the jobs", "some, to end", "none");
        for (String job : traces.jobs().reversed()) {
            context.cluster().stop(job, true);
        }
        context.polling().until("the jobs' tasks have ended", () -> hasEnded(plugin));
        context.tell().verified("jobs", "stopped and purged; their " + tasks.size() + " processes are gone");
        for (Map.Entry<String, String> volume : traces.volumes().entrySet()) {
            delete(volume.getKey());
            plugin.calls().exactly(1, "DeleteVolume", volume.getValue());
        }
        context.tell().verified("volumes", "all " + traces.volumes().size() + " deleted by the plugin");
        context.cluster().stop(StartPlugin.JOB, true);
        context.polling().until("the plugin has ended", () -> {
            CheckFailed.unless(!plugin.process().isAlive(), "the plugin", "gone", "it lives");
            return true;
        });
        context.tell().verified("plugin", "stopped, its process is gone");
        // Directories of allocations go with the allocations.
        context.polling().until("garbage is collected", this::collected);
        Optional<Integer> code = context.agent().end(END);
        CheckFailed.unless(
                code.isPresent() && (code.get() == 0 || code.get() == 143),
                "the agent's end by SIGTERM",
                "exit code 0 or 143",
                code.map(c -> "exit code " + c).orElse("it still runs"));
        context.tell().verified("agent", "ended in order by SIGTERM");
        new Leftovers(context.workplace(), context.image(), traces).count(context.tell());
    }

    private boolean hasEnded(StartPlugin.Seen plugin) throws CheckFailed {
        List<OurProcess> left = tasks(plugin);
        CheckFailed.unless(left.isEmpty(), "processes of the jobs", "none", left.size());
        return true;
    }

    /** The processes of all tasks but the plugin. */
    private List<OurProcess> tasks(StartPlugin.Seen plugin) throws CheckFailed {
        return traces.processes(context.workplace().root()).stream()
                .filter(process -> process.names("NOMAD_ALLOC_ID="))
                .filter(process -> !process.names(plugin.allocId()))
                .toList();
    }

    private void delete(String id) throws CheckFailed, InterruptedException {
        context.polling().until("volume " + id + " is free", () -> {
            CsiVolume volume = context.cluster().volume(id);
            CheckFailed.unless(
                    volume.ReadAllocs().isEmpty() && volume.WriteAllocs().isEmpty(),
                    "volume " + id,
                    "no claim",
                    volume.WriteAllocs().keySet());
            return context.cluster()
                    .ask("deleting volume " + id, c -> c.volumes().delete(id, Secrets.none(), Params.none()));
        });
    }

    private boolean collected() throws CheckFailed, InterruptedException {
        context.cluster().ask("collecting garbage", c -> {
            c.agent().collectGarbage();
            return true;
        });
        List<String> left = traces.directories(context.workplace().root());
        CheckFailed.unless(left.isEmpty(), "directories of allocations and volumes", "none", left);
        return true;
    }
}
