package io.cleat.fuzz.requests;

import io.cleat.fuzz.Filled;
import io.cleat.fuzz.targets.Bodies;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A body for each route that reads one. It is as good as can be, so that damage of one place is looked at by all that
 * comes behind the reader; a job in it is for no node that exists.
 */
final class SampleBodies {
    private final Ids ids;

    SampleBodies(Ids ids) {
        this.ids = ids;
    }

    /** A document as of {@link Filled}; empty for a route that reads none. */
    Optional<Object> of(String pattern) {
        return Bodies.of(pattern).map(type -> sample(pattern, type));
    }

    /** In which every component of the record has a value. */
    static Object full(String pattern) {
        return Bodies.of(pattern).map(Filled::of).orElse(Map.of());
    }

    private Object sample(String pattern, Class<?> type) {
        return switch (type.getSimpleName()) {
            case "JobRegisterRequest", "JobPlanRequest", "JobValidateRequest" -> map("Job", job());
            case "CsiVolumeRequest" -> map("Volumes", list(volume(pattern)));
            case "HostVolumeRequest" ->
                map(
                        "Volume",
                        map(
                                "Name",
                                "disk",
                                "PluginID",
                                "mkdir",
                                "Parameters",
                                map("mode", "0700"),
                                "RequestedCapabilities",
                                list(map("AccessMode", "single-node-writer"))));
            case "CsiSnapshotRequest" -> map("Snapshots", list(snapshot()));
            case "JobParseRequest" ->
                map(
                        "JobHCL",
                        "job \"j\" { group \"g\" { task \"t\" { driver = \"raw_exec\" } } }",
                        "Canonicalize",
                        true,
                        "Variables",
                        "a = 1");
            case "JobEvaluateRequest", "JobRevertRequest", "JobStabilityRequest" ->
                map("JobID", ids.job(), "JobVersion", 0);
            case "JobTagRequest" -> map("Version", 0, "Description", "d");
            case "ScalingRequest" -> map("Count", 1, "Message", "m", "Target", map("Group", "g"));
            case "Namespace" ->
                map("Name", "team", "Meta", map("a", "b"), "Capabilities", map("EnabledTaskDrivers", List.of("exec")));
            case "Variable" -> map("Path", "fuzz/variable", "Items", map("a", "b"));
            case "SchedulerConfiguration" ->
                map("SchedulerAlgorithm", "binpack", "PreemptionConfig", map("SystemSchedulerEnabled", false));
            case "NodeMetaRequest" -> map("Meta", map("rack", "r1"));
            case "JobStatusesRequest" -> map("Jobs", list(map("ID", ids.job(), "Namespace", "default")));
            case "EvalDeleteRequest" -> map("EvalIDs", list(ids.evaluation()));
            case "FuzzySearchRequest" -> map("Text", "ab", "Context", "all");
            case "SearchRequest" -> map("Prefix", "a", "Context", "all");
            case "NodeDrainRequest" -> map("DrainSpec", map("Deadline", -1, "IgnoreSystemJobs", false));
            case "NodeEligibilityRequest" -> map("Eligibility", "eligible");
            case "AllocSignalRequest" -> map("Signal", "SIGCONT", "Task", "t");
            case "AllocRestartRequest" -> map("TaskName", "t");
            case "DeploymentPauseRequest", "DeploymentPromoteRequest", "DeploymentAllocHealthRequest" ->
                map("DeploymentID", ids.deployment());
            default -> Filled.of(type);
        };
    }

    private Map<String, @Nullable Object> job() {
        Map<String, @Nullable Object> task = map(
                "Name",
                "t",
                "Driver",
                "raw_exec",
                "Config",
                map("command", "/bin/true", "args", list("a")),
                "Env",
                map("A", "b"),
                "Meta",
                map("a", "b"),
                "Constraints",
                list(nowhere()),
                "Templates",
                list(map("EmbeddedTmpl", "{{ env \"A\" }}", "DestPath", "local/a")),
                "Artifacts",
                list(map("GetterSource", "http://127.0.0.1:1/a", "RelativeDest", "local/")),
                "Resources",
                map("CPU", 20, "MemoryMB", 16),
                "LogConfig",
                map("MaxFiles", 1, "MaxFileSizeMB", 1));
        task.put("VolumeMounts", list(map("Volume", "data", "Destination", "data", "ReadOnly", false)));
        task.put("RestartPolicy", map("Attempts", 1, "Mode", "fail", "Interval", 60_000_000_000L));
        task.put("KillSignal", "SIGINT");
        Map<String, @Nullable Object> group = map(
                "Name",
                "g",
                "Count",
                1,
                "Tasks",
                list(task),
                "Constraints",
                list(nowhere()),
                "Meta",
                map("a", "b"),
                "EphemeralDisk",
                map("SizeMB", 10),
                "Volumes",
                map(
                        "data",
                        map(
                                "Name",
                                "data",
                                "Type",
                                "csi",
                                "Source",
                                ids.volume(),
                                "AccessMode",
                                "single-node-writer",
                                "AttachmentMode",
                                "file-system")));
        return map(
                "ID",
                ids.job(),
                "Name",
                ids.job(),
                "Type",
                "service",
                "Datacenters",
                list("nowhere"),
                "Constraints",
                list(nowhere()),
                "Meta",
                map("a", "b"),
                "TaskGroups",
                list(group));
    }

    private static Map<String, @Nullable Object> nowhere() {
        return map("LTarget", "${attr.kernel.name}", "Operand", "=", "RTarget", "nowhere");
    }

    private Map<String, @Nullable Object> volume(String pattern) {
        Map<String, @Nullable Object> volume = map(
                "ID",
                ids.volume(),
                "Name",
                ids.volume(),
                "ExternalID",
                "x",
                "PluginID",
                ids.plugin(),
                "RequestedCapabilities",
                list(map("AccessMode", "single-node-writer", "AttachmentMode", "file-system")),
                "MountOptions",
                map("FSType", "ext4", "MountFlags", list("noatime")),
                "Parameters",
                map("a", "b"),
                "Context",
                map("a", "b"));
        volume.put("Secrets", map("a", "b"));
        volume.put("RequestedTopologies", map("Required", list(map("Segments", map("a", "b"))), "Preferred", list()));
        if (pattern.endsWith("/create")) {
            volume.put("RequestedCapacityMin", 1 << 20);
            volume.put("RequestedCapacityMax", 1 << 21);
            volume.remove("ExternalID");
        }
        return volume;
    }

    private Map<String, @Nullable Object> snapshot() {
        return map(
                "SourceVolumeID",
                ids.volume(),
                "Name",
                "s",
                "PluginID",
                ids.plugin(),
                "Parameters",
                map("a", "b"),
                "Secrets",
                map("a", "b"));
    }

    private static List<@Nullable Object> list(Object... elements) {
        return new ArrayList<>(List.of(elements));
    }

    private static Map<String, @Nullable Object> map(Object... pairs) {
        Map<String, @Nullable Object> made = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            made.put(String.valueOf(pairs[i]), pairs[i + 1]);
        }
        return made;
    }
}
