package io.cleat.sim;

import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.CsiPluginSpec;
import io.cleat.model.EphemeralDisk;
import io.cleat.model.JobId;
import io.cleat.model.JobLaunch;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.MountLoss;
import io.cleat.model.MountOptions;
import io.cleat.model.PluginType;
import io.cleat.model.ReschedulePolicy;
import io.cleat.model.Resources;
import io.cleat.model.RestartPolicy;
import io.cleat.model.Task;
import io.cleat.model.TaskGroup;
import io.cleat.model.TopologyRequest;
import io.cleat.model.UpdatePolicy;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import io.cleat.model.VolumeMount;
import io.cleat.model.VolumeRequest;
import io.cleat.model.VolumeSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The volumes and jobs of every run. */
final class Jobs {
    /** A volume: its plugin, and how it may be used. */
    record Kind(String id, String pluginId, AccessMode access, AttachmentMode attachment) {
        private Kind(String id, String pluginId, AccessMode access) {
            this(id, pluginId, access, AttachmentMode.FILE_SYSTEM);
        }

        VolumeModes modes() {
            return new VolumeModes(access, attachment);
        }

        VolumeId volume() {
            return new VolumeId("default", id);
        }

        /** The provider's id. */
        String external() {
            return pluginId + "-" + id;
        }
    }

    /**
     * A job that uses volumes.
     *
     * @param rival the job that wants the same writer; only one of the two can run
     */
    record Use(String id, JobType type, int count, List<String> volumes, String rival) {
        JobId job() {
            return new JobId("default", id);
        }
    }

    static final List<Kind> VOLUMES = List.of(
            new Kind("d1", SimStorage.DISKS, AccessMode.SINGLE_NODE_WRITER),
            new Kind("d2", SimStorage.DISKS, AccessMode.SINGLE_NODE_WRITER),
            new Kind("d3", SimStorage.DISKS, AccessMode.MULTI_NODE_MULTI_WRITER),
            new Kind("d4", SimStorage.DISKS, AccessMode.SINGLE_NODE_WRITER, AttachmentMode.BLOCK_DEVICE),
            new Kind("s1", SimStorage.SHARES, AccessMode.MULTI_NODE_SINGLE_WRITER),
            new Kind("s2", SimStorage.SHARES, AccessMode.MULTI_NODE_MULTI_WRITER));

    static final List<Use> USES = List.of(
            new Use("a", JobType.SERVICE, 1, List.of("d1"), "b"),
            new Use("b", JobType.SERVICE, 1, List.of("d1"), "a"),
            new Use("c", JobType.SERVICE, 1, List.of("d2", "s1"), "e"),
            new Use("d", JobType.SERVICE, 2, List.of("d3", "s2"), ""),
            new Use("e", JobType.BATCH, 1, List.of("d2"), "c"),
            new Use("g", JobType.SERVICE, 1, List.of("d4"), ""),
            new Use("f", JobType.SERVICE, 2, List.of("s1:ro"), ""));

    static final List<String> PLUGINS = List.of(SimStorage.DISKS, SimStorage.SHARES);

    private Jobs() {}

    /** Has child jobs run beside all else: one at a time, for some seconds, with a volume. */
    static final JobId PERIODIC = new JobId("default", "p");

    static JobSpec periodic() {
        Kind kind = volume("s2");
        return job(
                        PERIODIC.id(),
                        JobType.BATCH,
                        1,
                        Map.of(
                                kind.id,
                                new VolumeRequest(kind.id, kind.id, false, kind.modes(), MountOptions.NONE, false)),
                        Map.of("command", "/bin/p", "lifetime_ms", 20_000L, "exit", 0L),
                        null)
                .withLaunch(new JobLaunch.Periodic(true, "* * * * *", List.of(), true, "UTC"));
    }

    /** The plugin that made a snapshot. */
    static String pluginOfSnapshot(String id) {
        return id.startsWith("snap-d") ? SimStorage.DISKS : SimStorage.SHARES;
    }

    static Kind volume(String id) {
        return VOLUMES.stream().filter(kind -> kind.id.equals(id)).findFirst().orElseThrow();
    }

    /** @param bytes what it is to be large at least */
    static VolumeSpec spec(Kind kind, long bytes) {
        return new VolumeSpec(
                kind.volume(),
                kind.id,
                "",
                kind.pluginId,
                List.of(kind.modes()),
                MountOptions.NONE,
                bytes,
                0,
                Map.of(),
                Map.of(),
                TopologyRequest.NONE,
                "",
                "");
    }

    /**
     * A plugin's job, one instance on each node.
     *
     * @param job its id
     * @param text what makes one version of the job differ from another
     * @param loss what is done about mounts that die with it; null if they outlive it
     */
    static JobSpec plugin(JobId job, String pluginId, int text, @Nullable MountLoss loss) {
        return job(
                job.id(),
                JobType.SYSTEM,
                1,
                Map.of(),
                Map.of("plugin", pluginId, "command", "/bin/" + text, "holds", loss != null),
                new CsiPluginSpec(pluginId, PluginType.MONOLITH, "/csi", "/local/csi", Duration.ofSeconds(30), loss));
    }

    /** A new text of a plugin is tried on half of the nodes, and comes back if it does not start. */
    private static final UpdatePolicy PLUGIN_UPDATES = new UpdatePolicy(
            1,
            50,
            "task_states",
            Duration.ofSeconds(2),
            Duration.ofSeconds(30),
            Duration.ofMinutes(2),
            Duration.ofSeconds(5),
            true,
            true);

    /** The job of a second plugin with the same id. */
    static JobId secondJob(String pluginId) {
        return new JobId("default", "second-" + pluginId);
    }

    static JobId pluginJob(String pluginId) {
        return new JobId("default", "plugin-" + pluginId);
    }

    /**
     * @param text what makes one version of the job differ from another
     * @param chance for how its tasks behave
     */
    static JobSpec spec(Use use, int text, Chaos chance) {
        Map<String, VolumeRequest> requests = new LinkedHashMap<>();
        for (String wish : use.volumes) {
            boolean readOnly = wish.endsWith(":ro");
            Kind kind = volume(readOnly ? wish.substring(0, wish.length() - 3) : wish);
            requests.put(
                    kind.id, new VolumeRequest(kind.id, kind.id, readOnly, kind.modes(), MountOptions.NONE, false));
        }
        Map<String, Object> config = new LinkedHashMap<>();
        config.put("command", "/bin/" + text);
        if (chance.strikes(200)) {
            config.put("stubborn", true);
        }
        if (use.type == JobType.BATCH || chance.strikes(150)) {
            config.put("lifetime_ms", (long) (1_000 + chance.below(90_000)));
            config.put("exit", chance.strikes(300) ? 1L : 0L);
        }
        return job(use.id, use.type, use.count, requests, config, null);
    }

    private static JobSpec job(
            String id,
            JobType type,
            int count,
            Map<String, VolumeRequest> volumes,
            Map<String, Object> config,
            @Nullable CsiPluginSpec plugin) {
        RestartPolicy restart = new RestartPolicy(
                2,
                Duration.ofMinutes(5),
                Duration.ofSeconds(5),
                plugin == null ? RestartPolicy.Mode.FAIL : RestartPolicy.Mode.DELAY,
                false);
        List<VolumeMount> mounts = new ArrayList<>();
        volumes.keySet().forEach(alias -> mounts.add(new VolumeMount(alias, "/" + alias, false, "private", "")));
        return new JobSpec(
                new JobId("default", id),
                id,
                type,
                "global",
                "default",
                50,
                false,
                List.of("*"),
                Map.of(),
                List.of(),
                List.of(new TaskGroup(
                        "group",
                        count,
                        Map.of(),
                        List.of(),
                        volumes,
                        restart,
                        type == JobType.SYSTEM ? null : reschedule(),
                        null,
                        plugin == null ? null : PLUGIN_UPDATES,
                        new EphemeralDisk(10, false, false),
                        null,
                        List.of(Task.named("main", SimDriver.NAME, restart)
                                .config(config)
                                .resources(new Resources(100, 100, 0))
                                .volumeMounts(mounts)
                                .csiPlugin(plugin)
                                .done()))));
    }

    private static ReschedulePolicy reschedule() {
        return new ReschedulePolicy(
                0, Duration.ZERO, Duration.ofSeconds(5), "exponential", Duration.ofMinutes(1), true);
    }
}
