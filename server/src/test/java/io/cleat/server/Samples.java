package io.cleat.server;

import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.ControllerCapability;
import io.cleat.model.DriverFacts;
import io.cleat.model.EphemeralDisk;
import io.cleat.model.JobId;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.MountOptions;
import io.cleat.model.NodeFacts;
import io.cleat.model.PluginInstance;
import io.cleat.model.Resources;
import io.cleat.model.RestartPolicy;
import io.cleat.model.Task;
import io.cleat.model.TaskGroup;
import io.cleat.model.TopologyRequest;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import io.cleat.model.VolumeRequest;
import io.cleat.model.VolumeSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Nodes, volumes and jobs for tests. */
public final class Samples {
    public static final VolumeModes WRITER = new VolumeModes(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM);
    private static final Instant SOME_TIME = Instant.parse("2026-01-01T00:00:00Z");

    private Samples() {}

    /** A node that runs one healthy monolith of the plugin {@code disks}. */
    public static NodeFacts node(String id, Set<ControllerCapability> capabilities) {
        return new NodeFacts(
                id,
                "name-" + id,
                "dc1",
                "default",
                "",
                "127.0.0.1:4646",
                Map.of("kernel.name", "linux"),
                Map.of(),
                Map.of("raw_exec", new DriverFacts(true, true, "Healthy", Map.of(), SOME_TIME)),
                List.of(new PluginInstance(
                        "disks",
                        "plugin-on-" + id,
                        true,
                        "healthy",
                        "disks.example",
                        "1.0",
                        true,
                        false,
                        SOME_TIME,
                        new PluginInstance.Controller(capabilities, false),
                        new PluginInstance.Node("external-" + id, Long.MAX_VALUE, null, Set.of()))),
                new Resources(4000, 8000, 0),
                100_000,
                "boot-of-" + id,
                List.of());
    }

    public static VolumeSpec volume(String id) {
        return new VolumeSpec(
                new VolumeId("default", id),
                id,
                "external-" + id,
                "disks",
                List.of(WRITER),
                new MountOptions("ext4", List.of()),
                0,
                0,
                Map.of(),
                Map.of("where", "here"),
                TopologyRequest.NONE,
                "",
                "");
    }

    /** A service of one allocation that writes to the volume under the alias {@code data}. */
    public static JobSpec job(String id, String volume) {
        return new JobSpec(
                new JobId("default", id),
                id,
                JobType.SERVICE,
                "global",
                "default",
                50,
                false,
                List.of("*"),
                Map.of(),
                List.of(),
                List.of(new TaskGroup(
                        "group",
                        1,
                        Map.of(),
                        List.of(),
                        Map.of("data", new VolumeRequest("data", volume, false, WRITER, MountOptions.NONE, false)),
                        restart(),
                        null,
                        null,
                        null,
                        new EphemeralDisk(10, false, false),
                        null,
                        List.of(task()))));
    }

    private static Task task() {
        return Task.named("main", "raw_exec", restart())
                .config(Map.of("command", "/bin/true"))
                .resources(new Resources(100, 100, 0))
                .done();
    }

    private static RestartPolicy restart() {
        return new RestartPolicy(2, Duration.ofMinutes(30), Duration.ofSeconds(15), RestartPolicy.Mode.FAIL, false);
    }
}
