package io.cleat.bench;

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Nodes, volumes and jobs for measurements below the API. */
final class ModelSpecs {
    static final String PLUGIN = "disks";
    static final String DRIVER = "fake";
    static final VolumeModes MODES = new VolumeModes(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM);
    private static final RestartPolicy RESTART =
            new RestartPolicy(2, Duration.ofMinutes(30), Duration.ofSeconds(15), RestartPolicy.Mode.FAIL, false);

    private ModelSpecs() {}

    /** A large node that runs one healthy plugin, which attaches and detaches. */
    static NodeFacts node(String id) {
        return new NodeFacts(
                id,
                id,
                "dc1",
                "default",
                "",
                "127.0.0.1:4646",
                Map.of("kernel.name", "linux"),
                Map.of(),
                Map.of(DRIVER, new DriverFacts(true, true, "Healthy", Map.of(), Instant.EPOCH)),
                List.of(new PluginInstance(
                        PLUGIN,
                        "plugin-on-" + id,
                        true,
                        "healthy",
                        "disks.example",
                        "1.0",
                        true,
                        false,
                        Instant.EPOCH,
                        new PluginInstance.Controller(
                                Set.of(
                                        ControllerCapability.CREATE_DELETE_VOLUME,
                                        ControllerCapability.PUBLISH_UNPUBLISH_VOLUME),
                                false),
                        new PluginInstance.Node("external-" + id, Long.MAX_VALUE, null, Set.of()))),
                new Resources(4_000_000, 8_000_000, 0),
                100_000_000,
                "boot-of-" + id,
                List.of());
    }

    static VolumeSpec volume(String id) {
        return new VolumeSpec(
                new VolumeId("default", id),
                id,
                "external-" + id,
                PLUGIN,
                List.of(MODES),
                MountOptions.NONE,
                0,
                0,
                Map.of(),
                Map.of(),
                TopologyRequest.NONE,
                "",
                "");
    }

    /** A service of one allocation that claims the volumes, each under its own id. */
    static JobSpec job(String id, List<String> volumes) {
        Map<String, VolumeRequest> requests = new LinkedHashMap<>();
        for (String volume : volumes) {
            requests.put(volume, new VolumeRequest(volume, volume, false, MODES, MountOptions.NONE, false));
        }
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
                        requests,
                        RESTART,
                        null,
                        null,
                        null,
                        new EphemeralDisk(10, false, false),
                        null,
                        List.of(task()))));
    }

    private static Task task() {
        return Task.named("main", DRIVER, RESTART)
                .config(Map.of("command", "/bin/true"))
                .resources(new Resources(1, 1, 0))
                .done();
    }
}
