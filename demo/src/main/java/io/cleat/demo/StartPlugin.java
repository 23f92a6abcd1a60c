package io.cleat.demo;

import io.cleat.api.AllocationStub;
import io.cleat.api.CsiPlugin;
import io.cleat.api.CsiPluginConfig;
import io.cleat.api.CsiVolume;
import io.cleat.api.Job;
import io.cleat.api.Params;
import io.cleat.api.Task;
import io.cleat.api.TaskGroup;
import io.cleat.api.TaskState;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Step 2: the bundled plugin starts as a job and becomes healthy. */
final class StartPlugin {
    static final String JOB = "local-plugin";
    static final String ID = "local";
    private static final String HEALTHY = "Plugin became healthy";

    private final DemoContext context;

    /**
     * The plugin, running.
     *
     * @param pool where it keeps volumes
     */
    record Seen(String allocId, OurProcess process, Path pool, CallLog calls) {
        /** The file that holds a volume which is no directory. */
        Path image(CsiVolume volume) {
            return pool.resolve("volumes").resolve(volume.ExternalID()).resolve("image");
        }
    }

    StartPlugin(DemoContext context) {
        this.context = context;
    }

    Seen play() throws CheckFailed, InterruptedException {
        context.tell().step("The bundled storage plugin starts, as an ordinary system job");
        Task task = task();
        AllocationStub allocation = context.polling()
                .until(
                        "the plugin runs",
                        () -> context.cluster().running(JOB, 1).getFirst());
        CsiPlugin plugin = context.polling().until("the plugin is healthy", this::healthy);
        OurProcess process = OurProcess.ofTask(allocation.ID(), task.Name());
        context.tell().verified("job " + JOB, "type system, csi_plugin \"local\" (monolith), " + process.brief());
        context.isolated(process);
        List<String> arguments = arguments(task);
        CallLog calls = new CallLog(Path.of(option(arguments, "--call-log")));
        Seen seen = new Seen(allocation.ID(), process, Path.of(option(arguments, "--pool")), calls);
        supervised(seen, task.Name());
        context.tell().verified("plugin " + ID, "1 controller and 1 node instance, both healthy");
        CommandOutput status = context.command("plugin", "status", ID);
        status.says("the provider", plugin.Provider());
        status.says("the version", plugin.Version());
        context.tell().quote(status.command(), status.with(" = "));
        return seen;
    }

    /** The instance that follows {@code old}, once it runs and is healthy. */
    Seen other(Seen old) throws CheckFailed, InterruptedException {
        Task task = task();
        AllocationStub allocation = context.polling().until("another instance of the plugin runs", () -> {
            AllocationStub one = context.cluster().running(JOB, 1).getFirst();
            CheckFailed.unless(
                    !one.ID().equals(old.allocId()), "the allocation of job " + JOB, "a new one", "still the old");
            return one;
        });
        context.polling().until("it is healthy", () -> isServedBy(allocation.ID()));
        OurProcess process = OurProcess.ofTask(allocation.ID(), task.Name());
        return new Seen(allocation.ID(), process, old.pool(), old.calls());
    }

    private boolean isServedBy(String allocId) throws CheckFailed {
        CsiPlugin plugin = healthy();
        boolean isServed = Stream.concat(plugin.Controllers().values().stream(), plugin.Nodes().values().stream())
                .allMatch(one -> one.AllocID().equals(allocId));
        CheckFailed.unless(
                isServed, "the instances of plugin " + ID, "allocation " + Cluster.brief(allocId), "another one");
        return true;
    }

    private Task task() throws CheckFailed, InterruptedException {
        Job job = context.polling()
                .until(
                        "the agent has submitted the plugin's job",
                        () -> context.cluster()
                                .ask(
                                        "job " + JOB,
                                        c -> c.jobs().get(JOB, Params.none()).body()));
        CheckFailed.unless("system".equals(job.Type()), "job " + JOB, "type system", "type " + job.Type());
        List<Task> tasks = new ArrayList<>();
        List<TaskGroup> groups = job.TaskGroups();
        for (TaskGroup group : groups == null ? List.<TaskGroup>of() : groups) {
            List<Task> own = group.Tasks();
            tasks.addAll(own == null ? List.of() : own);
        }
        CheckFailed.unless(tasks.size() == 1, "job " + JOB, "one task", tasks.size());
        CheckFailed.unless(
                context.driver().equals(tasks.getFirst().Driver()),
                "the driver of job " + JOB,
                context.driver(),
                tasks.getFirst().Driver());
        CsiPluginConfig plugin = tasks.getFirst().CSIPluginConfig();
        CheckFailed.unless(
                plugin != null && plugin.ID().equals(ID) && plugin.Type().equals("monolith"),
                "the csi_plugin block of job " + JOB,
                "id local, type monolith",
                String.valueOf(plugin));
        return tasks.getFirst();
    }

    private CsiPlugin healthy() throws CheckFailed {
        CsiPlugin plugin = context.cluster()
                .ask("plugin " + ID, c -> c.plugins().get(ID, Params.none()).body());
        CheckFailed.unless(
                plugin.ControllersHealthy() == 1 && plugin.NodesHealthy() == 1,
                "plugin " + ID,
                "1 controller and 1 node instance healthy",
                plugin.ControllersHealthy() + " and " + plugin.NodesHealthy());
        return plugin;
    }

    /** The event of the supervisor, and its probe on the plugin's own side. */
    private void supervised(Seen seen, String task) throws CheckFailed, InterruptedException {
        context.polling().until("the supervisor says so", () -> event(seen.allocId(), task));
        boolean probed = seen.calls().calls().stream()
                .anyMatch(call -> call.method().equals("Probe")
                        && call.isOk()
                        && call.pid() == seen.process().innerPid());
        CheckFailed.unless(probed, seen.calls().file().toString(), "a Probe answered OK", "there is none");
        context.tell().verified("supervised", "event \"" + HEALTHY + "\", Probe in its call log");
    }

    private boolean event(String allocId, String task) throws CheckFailed {
        var states = context.cluster()
                .ask(
                        "the plugin's allocation",
                        c -> c.allocations().get(allocId, Params.none()).body())
                .TaskStates();
        TaskState state = states == null ? null : states.get(task);
        var events = state == null ? null : state.Events();
        CheckFailed.unless(
                events != null && events.stream().anyMatch(e -> e.Type().equals(HEALTHY)),
                "the task's events",
                "\"" + HEALTHY + "\"",
                events == null
                        ? "no events"
                        : String.join(", ", events.stream().map(e -> e.Type()).toList()));
        return true;
    }

    private static List<String> arguments(Task task) {
        List<String> words = new ArrayList<>();
        if (task.Config() != null) {
            for (JsonNode word : task.Config().value().path("args")) {
                words.add(word.asString(""));
            }
        }
        return words;
    }

    /** The value of {@code --name VALUE} or {@code --name=VALUE}. */
    static String option(List<String> arguments, String name) throws CheckFailed {
        for (int i = 0; i < arguments.size(); i++) {
            if (arguments.get(i).equals(name) && i + 1 < arguments.size()) {
                return arguments.get(i + 1);
            }
            if (arguments.get(i).startsWith(name + "=")) {
                return arguments.get(i).substring(name.length() + 1);
            }
        }
        throw new CheckFailed("the arguments of the plugin's task", name, arguments.toString());
    }
}
