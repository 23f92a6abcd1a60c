package io.cleat.testkit;

import io.cleat.model.AccessMode;
import io.cleat.model.AddressMode;
import io.cleat.model.Affinity;
import io.cleat.model.AllocatedPort;
import io.cleat.model.AttachmentMode;
import io.cleat.model.CheckRestart;
import io.cleat.model.Constraint;
import io.cleat.model.CsiPluginSpec;
import io.cleat.model.DriverNetwork;
import io.cleat.model.EphemeralDisk;
import io.cleat.model.GroupNetwork;
import io.cleat.model.HostNetwork;
import io.cleat.model.HostRequest;
import io.cleat.model.JobId;
import io.cleat.model.JobLaunch;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.LogLimits;
import io.cleat.model.MigratePolicy;
import io.cleat.model.MountLoss;
import io.cleat.model.MountOptions;
import io.cleat.model.NetworkDns;
import io.cleat.model.NodeAddress;
import io.cleat.model.NodeNetwork;
import io.cleat.model.OnUpdate;
import io.cleat.model.Ownership;
import io.cleat.model.PayloadRule;
import io.cleat.model.PluginType;
import io.cleat.model.PortRange;
import io.cleat.model.PortRequest;
import io.cleat.model.ReschedulePolicy;
import io.cleat.model.Resources;
import io.cleat.model.RestartPolicy;
import io.cleat.model.Scaling;
import io.cleat.model.Service;
import io.cleat.model.ServiceCheck;
import io.cleat.model.ServiceProbe;
import io.cleat.model.Spread;
import io.cleat.model.Task;
import io.cleat.model.TaskArtifact;
import io.cleat.model.TaskGroup;
import io.cleat.model.TaskLifecycle;
import io.cleat.model.TaskTemplate;
import io.cleat.model.UpdatePolicy;
import io.cleat.model.VolumeModes;
import io.cleat.model.VolumeMount;
import io.cleat.model.VolumeRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A job in which every part is set, for samples of formats. What it says is in stored samples, so it stays as it is.
 */
public final class FullJob {
    /** Where a driver has put a task, likewise. */
    public static final DriverNetwork DRIVER_NETWORK = new DriverNetwork("10.88.0.7", Map.of("http", 80), true);

    public static final NetworkDns DNS =
            new NetworkDns(List.of("192.0.2.53"), List.of("example.com"), List.of("ndots:2"));

    public static final VolumeModes WRITER = new VolumeModes(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM);

    /** As {@link #EXT4}, with everything that can be said of its directory. */
    public static final MountOptions OWNED =
            new MountOptions("ext4", List.of("noatime"), false, new Ownership(999L, 0L, 0750));

    public static final MountOptions EXT4 = new MountOptions("ext4", List.of("noatime"));

    /** A port of {@link #networked}. */
    public static final AllocatedPort PORT = new AllocatedPort("admin", 9090, 90, "10.0.0.2", true);

    /** What a node says of its networks, each part of it. */
    public static final NodeNetwork NETWORK = new NodeNetwork(
            21_000,
            22_000,
            List.of(new PortRange(22, 22)),
            List.of(new NodeAddress(
                    "inner", "10.0.0.2", 24, "eth1", "02:fc:00:00:00:01", 1000, List.of(new PortRange(80, 89)))),
            Map.of("inner", new HostNetwork("10.0.0.0/24", "eth1", List.of(new PortRange(80, 89)))),
            List.of("bridge"));

    private static final RestartPolicy RESTART =
            new RestartPolicy(3, Duration.ofMinutes(30), Duration.ofSeconds(15), RestartPolicy.Mode.DELAY, true);

    private FullJob() {}

    public static JobSpec spec() {
        return new JobSpec(
                new JobId("default", "web"),
                "web",
                JobType.SERVICE,
                "global",
                "default",
                70,
                true,
                List.of("dc1", "dc2"),
                Map.of("team", "storage"),
                List.of(constraint("${attr.kernel.name}", "linux")),
                List.of(group()));
    }

    /** As {@link #spec}, with what version 2 of the formats added to it. */
    public static JobSpec specOfVersion2() {
        JobSpec first = spec();
        Task task = first.groups().getFirst().tasks().getFirst();
        Task hook = task.edit()
                .name("before")
                .leader(false)
                .csiPlugin(null)
                .lifecycle(new TaskLifecycle(TaskLifecycle.Hook.PRESTART, true))
                .templates(List.of(template()))
                .artifacts(List.of(artifact()))
                .done();
        return with(first, List.of(task, hook));
    }

    /** The job with a plugin whose instances may overlap, which feature level 5 brought. */
    public static JobSpec overlapping() {
        JobSpec first = specOfVersion2();
        List<Task> tasks = new ArrayList<>(first.groups().getFirst().tasks());
        tasks.set(
                0,
                tasks.getFirst()
                        .edit()
                        .csiPlugin(new CsiPluginSpec(
                                "local", PluginType.NODE, "/csi", "/local/csi", Duration.ofSeconds(30), null, true))
                        .done());
        return with(first, tasks);
    }

    /** The job with a volume whose owner is said, which feature level 10 brought. */
    public static JobSpec owned() {
        JobSpec first = overlapping();
        TaskGroup group = first.groups().getFirst();
        return with(
                first, Map.of("data", new VolumeRequest("data", "shared", true, WRITER, OWNED, true)), group.tasks());
    }

    /** The job with volumes of its nodes, which feature level 13 brought. */
    public static JobSpec onHost() {
        JobSpec first = owned();
        VolumeModes alone = new VolumeModes(AccessMode.SINGLE_NODE_SINGLE_WRITER, AttachmentMode.FILE_SYSTEM);
        return with(
                first,
                Map.of(
                        "data",
                        new VolumeRequest(
                                "data", "disk", false, alone, MountOptions.NONE, false, new HostRequest(true, true))),
                first.groups().getFirst().tasks());
    }

    /** The job with a network of its own and ports, which feature level 15 brought. */
    public static JobSpec networked() {
        JobSpec first = onHost();
        TaskGroup group = first.groups()
                .getFirst()
                .withNetwork(new GroupNetwork(
                        "cni/mynet",
                        "front",
                        DNS,
                        List.of(
                                new PortRequest("admin", 9090, 90, "inner", true),
                                new PortRequest("http", 0, -1, "default", false)),
                        Map.of("VLAN", "7")));
        return named("front", first.type(), List.of(group));
    }

    /** The job with bounds of its scaling, and cores of its own, which feature level 17 brought. */
    public static JobSpec scaled() {
        JobSpec first = owned();
        TaskGroup group = first.groups().getFirst();
        List<Task> tasks = group.tasks().stream()
                .map(task -> task.edit()
                        .resources(new Resources(0, 64, 128, 2, List.of()))
                        .done())
                .toList();
        TaskGroup bounded = group.withTasks(tasks)
                .scaling(new Scaling(true, 1, 9, Map.of("cooldown", "1m", "check", Map.of("target", 0.5))));
        return named("scaled", first.type(), List.of(bounded));
    }

    /** The job as it is run once on each node, which feature level 17 brought. */
    public static JobSpec onceOnEachNode() {
        return named("each", JobType.SYSBATCH, owned().groups());
    }

    private static JobSpec named(String id, JobType type, List<TaskGroup> groups) {
        JobSpec first = owned();
        return new JobSpec(
                new JobId("default", id),
                id,
                type,
                first.region(),
                first.nodePool(),
                first.priority(),
                first.allAtOnce(),
                first.datacenters(),
                first.meta(),
                first.constraints(),
                groups);
    }

    /** The job with services and their checks, which feature level 16 brought. */
    public static JobSpec serving() {
        return serving("shop", AddressMode.ALLOC);
    }

    /** The job with a service at its task's driver's address, which feature level 20 brought. */
    public static JobSpec atDrivers() {
        return serving("overlay", AddressMode.DRIVER);
    }

    private static JobSpec serving(String id, AddressMode mode) {
        JobSpec first = onHost();
        TaskGroup group = first.groups().getFirst();
        Task task = group.tasks().getFirst();
        Service api = new Service(
                "api-${NOMAD_ALLOC_INDEX}",
                "8081",
                mode,
                "",
                List.of(),
                List.of(),
                Map.of(),
                Map.of(),
                OnUpdate.IGNORE,
                task.name(),
                List.of());
        TaskGroup serving = group.serving(List.of(service()))
                .withTasks(List.of(task.edit().services(List.of(api)).done()));
        return new JobSpec(
                new JobId("default", id),
                id,
                first.type(),
                first.region(),
                first.nodePool(),
                first.priority(),
                first.allAtOnce(),
                first.datacenters(),
                first.meta(),
                first.constraints(),
                List.of(serving));
    }

    private static Service service() {
        Duration interval = Duration.ofSeconds(10);
        Duration timeout = Duration.ofSeconds(2);
        return new Service(
                "web",
                "8080",
                AddressMode.AUTO,
                "${meta.public}",
                List.of("blue", "fast"),
                List.of("green"),
                Map.of("version", "7"),
                Map.of("version", "8"),
                OnUpdate.IGNORE_WARNINGS,
                "",
                List.of(
                        new ServiceCheck(
                                "open",
                                new ServiceProbe.Tcp(),
                                "9090",
                                AddressMode.HOST,
                                interval,
                                timeout,
                                OnUpdate.REQUIRE_HEALTHY,
                                "",
                                null),
                        new ServiceCheck(
                                "answers",
                                new ServiceProbe.Http(
                                        "POST",
                                        "/health?deep=1",
                                        true,
                                        true,
                                        Map.of("X-Who", List.of("cleat", "you")),
                                        "hello"),
                                "",
                                AddressMode.AUTO,
                                interval,
                                timeout,
                                OnUpdate.IGNORE_WARNINGS,
                                "server",
                                new CheckRestart(3, Duration.ofSeconds(90), true)),
                        new ServiceCheck(
                                "says",
                                new ServiceProbe.Script("/bin/check", List.of("-v")),
                                "",
                                AddressMode.AUTO,
                                interval,
                                timeout,
                                OnUpdate.IGNORE,
                                "server",
                                null)));
    }

    /** The job as it is run from time to time, which feature level 11 brought. */
    public static JobSpec periodic() {
        return launched(
                "backup", new JobLaunch.Periodic(true, "", List.of("0 3 * * *", "@weekly"), true, "Europe/Berlin"));
    }

    /** The job as somebody asks for it, which feature level 11 brought. */
    public static JobSpec parameterized() {
        return launched(
                "convert", new JobLaunch.Parameterized(PayloadRule.REQUIRED, List.of("from"), List.of("to", "how")));
    }

    /** A copy that somebody has asked for. */
    public static JobSpec child() {
        return parameterized()
                .child(
                        "convert/dispatch-1790000000-0b1c2d3e",
                        60,
                        Map.of("from", "a", "to", "b"),
                        new JobLaunch.Child("convert", true, "aGVsbG8="));
    }

    private static JobSpec launched(String id, JobLaunch launch) {
        JobSpec first = owned();
        List<Task> tasks = first.groups().getFirst().tasks().stream()
                .map(task -> task.edit().csiPlugin(null).payloadFile("input").done())
                .toList();
        return new JobSpec(
                new JobId("default", id),
                id,
                JobType.BATCH,
                first.region(),
                first.nodePool(),
                first.priority(),
                first.allAtOnce(),
                first.datacenters(),
                first.meta(),
                first.constraints(),
                List.of(preferring(with(first, tasks).groups().getFirst())),
                launch,
                List.of(new Affinity(constraint("${node.class}", "big"), -30)),
                List.of(new Spread(
                        "${node.datacenter}",
                        70,
                        List.of(new Spread.Target("dc1", 60), new Spread.Target("dc2", 40)))));
    }

    private static TaskGroup preferring(TaskGroup group) {
        Affinity fast = new Affinity(constraint("${meta.disk}", "fast"), 100);
        return group.withTasks(group.tasks().stream()
                        .map(task -> task.edit().affinities(List.of(fast)).done())
                        .toList())
                .preferring(List.of(fast), List.of(new Spread("${meta.rack}", 50, List.of())))
                .runningAtMost(Duration.ofHours(6));
    }

    /** The job with other tasks in its first group, which is all it has then. */
    public static JobSpec with(JobSpec first, List<Task> tasks) {
        return with(first, first.groups().getFirst().volumes(), tasks);
    }

    private static JobSpec with(JobSpec first, Map<String, VolumeRequest> volumes, List<Task> tasks) {
        TaskGroup group = first.groups().getFirst();
        return new JobSpec(
                first.id(),
                first.name(),
                first.type(),
                first.region(),
                first.nodePool(),
                first.priority(),
                first.allAtOnce(),
                first.datacenters(),
                first.meta(),
                first.constraints(),
                List.of(new TaskGroup(
                        group.name(),
                        group.count(),
                        group.meta(),
                        group.constraints(),
                        volumes,
                        group.restart(),
                        group.reschedule(),
                        group.migrate(),
                        group.update(),
                        group.disk(),
                        group.shutdownDelay(),
                        tasks)));
    }

    private static TaskGroup group() {
        return new TaskGroup(
                "front",
                2,
                Map.of("tier", "1"),
                List.of(constraint("${node.class}", "big")),
                Map.of("data", new VolumeRequest("data", "shared", true, WRITER, EXT4, true)),
                RESTART,
                new ReschedulePolicy(
                        4, Duration.ofHours(1), Duration.ofSeconds(30), "exponential", Duration.ofMinutes(10), true),
                new MigratePolicy(1, "checks", Duration.ofSeconds(10), Duration.ofMinutes(5)),
                new UpdatePolicy(
                        2,
                        1,
                        "task_states",
                        Duration.ofSeconds(10),
                        Duration.ofMinutes(5),
                        Duration.ofMinutes(10),
                        Duration.ofSeconds(30),
                        true,
                        false),
                new EphemeralDisk(300, true, false),
                Duration.ofSeconds(2),
                List.of(task()));
    }

    private static Task task() {
        return Task.named("server", "raw_exec", RESTART)
                .user("nobody")
                .config(Map.of("command", "/bin/sh", "args", List.of("-c", "sleep 9")))
                .env(Map.of("PORT", "8080"))
                .meta(Map.of("owner", "me"))
                .constraints(List.of(constraint("${attr.cpu.arch}", "amd64")))
                .resources(new Resources(250, 64, 128))
                .logs(new LogLimits(3, 5, true))
                .volumeMounts(List.of(new VolumeMount("data", "/srv", true, "private", "z")))
                .killSignal("SIGINT")
                .killTimeout(Duration.ofSeconds(7))
                .shutdownDelay(Duration.ofSeconds(1))
                .leader(true)
                .csiPlugin(new CsiPluginSpec(
                        "local",
                        PluginType.MONOLITH,
                        "/csi",
                        "/local/csi",
                        Duration.ofSeconds(30),
                        MountLoss.RESTART_TASKS))
                .done();
    }

    private static TaskTemplate template() {
        return new TaskTemplate(
                "local/app.tpl",
                "local/app.conf",
                "port = {{ env \"PORT\" }}",
                TaskTemplate.ChangeMode.SCRIPT,
                "SIGHUP",
                new TaskTemplate.ChangeScript("/bin/reload", List.of("-q"), Duration.ofSeconds(9), true),
                Duration.ofSeconds(3),
                "0640",
                1000,
                100,
                "<<",
                ">>",
                true,
                true,
                true,
                new TaskTemplate.Wait(Duration.ofSeconds(2), Duration.ofSeconds(8)));
    }

    private static TaskArtifact artifact() {
        return new TaskArtifact(
                "https://example.com/app.tar.gz",
                Map.of("checksum", "sha256:00"),
                Map.of("X-Team", "storage"),
                TaskArtifact.Mode.DIR,
                "local/app",
                true,
                true);
    }

    private static Constraint constraint(String left, String right) {
        return new Constraint(left, "=", right);
    }
}
