package io.cleat.api;

import static io.cleat.api.JobField.block;
import static io.cleat.api.JobField.blocks;
import static io.cleat.api.JobField.duration;
import static io.cleat.api.JobField.flag;
import static io.cleat.api.JobField.label;
import static io.cleat.api.JobField.number;
import static io.cleat.api.JobField.opaque;
import static io.cleat.api.JobField.text;
import static io.cleat.api.JobField.textsByName;
import static io.cleat.api.JobField.word;

import io.cleat.model.CsiPluginSpec;
import io.cleat.model.LogLimits;
import io.cleat.model.MountLoss;
import io.cleat.model.PluginType;
import io.cleat.model.TaskLifecycle;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A task and its blocks. */
final class TaskBlocks {
    private static final int CPU = 100;

    static final JobBlock<Resources, io.cleat.model.Resources> RESOURCES = JobBlock.of(
                    "resources", Resources.class, io.cleat.model.Resources.class)
            .fields(
                    number("CPU").inModel("cpuMhz"),
                    number("Cores").usually(0).atLeast(0, "number of cores must be 0 or more; got %s"),
                    number("MemoryMB")
                            .inFile("memory")
                            .inModel("memoryMb")
                            .usually(300)
                            .atLeast(10, "minimum MemoryMB value is 10; got %s"),
                    number("MemoryMaxMB").inFile("memory_max").inModel("memoryMaxMb"),
                    number("DiskMB").inFile("disk").unsupported("disk in resources", "use ephemeral_disk"),
                    number("IOPS").unsupported("iops"),
                    number("SecretsMB").inFile("secrets").unsupported("secrets size"),
                    opaque("Devices").onlyOnWire().unsupported("device"),
                    opaque("NUMA").onlyOnWire().unsupported("numa"),
                    opaque("Networks")
                            .onlyOnWire()
                            .unsupported("network in resources", "write the network block in the group"))
            .later("device", "numa", "network")
            .taken("coreIds", _ -> List.of())
            .filledIn(given -> Edit.of(given)
                    .orElse(Resources::CPU, Canonical.or(given.Cores(), 0) > 0 ? 0 : CPU)
                    .done())
            .done();

    /** {@code enabled = false} is the old way to write {@code disabled = true}. */
    private static final JobBlock<LogConfig, LogLimits> LOGS = JobBlock.of("logs", LogConfig.class, LogLimits.class)
            .fields(
                    number("MaxFiles").usually(10),
                    number("MaxFileSizeMB")
                            .inFile("max_file_size")
                            .inModel("maxFileSizeMb")
                            .usually(10),
                    flag("Disabled").usually(false),
                    flag("Enabled").notInModel())
            .done();

    static final JobBlock<CsiPluginConfig, CsiPluginSpec> CSI_PLUGIN = JobBlock.of(
                    "csi_plugin", CsiPluginConfig.class, CsiPluginSpec.class)
            .fields(
                    text("ID").required().needed("CSIPluginConfig must have a non-empty PluginID"),
                    word("Type", PluginType.class)
                            .required()
                            .elseTold(
                                    "CSIPluginConfig PluginType must be one of 'node', 'controller', or 'monolith', got: %s"),
                    text("MountDir").usually("/csi"),
                    text("StagePublishBaseDir").usually("/local/csi"),
                    duration("HealthTimeout")
                            .usually(Duration.ofSeconds(30))
                            .atLeast(0, "CSIPluginConfig health_timeout can't be negative"),
                    flag("HoldsMounts").notInModel(),
                    word("OnMountLoss", MountLoss.class).notInModel(),
                    flag("Overlap"))
            .taken("onMountLoss", TaskBlocks::mountLoss)
            .shown("HoldsMounts", plugin -> plugin.onMountLoss() != null)
            .shown("OnMountLoss", plugin -> shown(plugin.onMountLoss()))
            .filledIn(TaskBlocks::mountLossFilledIn)
            .done();

    private static final JobBlock<Lifecycle, TaskLifecycle> LIFECYCLE = JobBlock.of(
                    "lifecycle", Lifecycle.class, TaskLifecycle.class)
            .fields(word("Hook", TaskLifecycle.Hook.class), flag("Sidecar"))
            .done();

    static final JobBlock<DispatchPayloadConfig, DispatchPayloadConfig> DISPATCH_PAYLOAD = JobBlock.of(
                    "dispatch_payload", DispatchPayloadConfig.class, DispatchPayloadConfig.class)
            .fields(text("File").inModel("File").needed("Dispatch payload requires a file: set file in it"))
            .done();

    static final JobBlock<Task, io.cleat.model.Task> TASK = JobBlock.of("task", Task.class, io.cleat.model.Task.class)
            .fields(
                    label("Name").needed("Missing task name"),
                    text("Driver").required().needed("Missing task driver"),
                    text("User"),
                    flag("Leader"),
                    text("Kind").unsupported("kind"),
                    duration("KillTimeout")
                            .usually(Duration.ofSeconds(5))
                            .atLeast(0, "KillTimeout must be a positive value"),
                    text("KillSignal"),
                    duration("ShutdownDelay").atLeast(0, "ShutdownDelay must be a positive value"),
                    opaque("Config"),
                    textsByName("Env"),
                    textsByName("Meta"),
                    block("Resources", RESOURCES),
                    block("LogConfig", LOGS).inModel("logs"),
                    blocks("VolumeMounts", VolumeBlocks.VOLUME_MOUNT),
                    block("CSIPluginConfig", CSI_PLUGIN).inModel("csiPlugin"),
                    blocks("Templates", FileBlocks.TEMPLATE),
                    blocks("Artifacts", FileBlocks.ARTIFACT),
                    block("Lifecycle", LIFECYCLE),
                    block("RestartPolicy", PolicyBlocks.RESTART)
                            .inModel("restart")
                            .inherited(),
                    blocks("Constraints", PlacementBlocks.CONSTRAINT),
                    blocks("Affinities", PlacementBlocks.AFFINITY),
                    blocks("Services", ServiceBlocks.SERVICE),
                    block("DispatchPayload", DISPATCH_PAYLOAD).notInModel(),
                    opaque("Actions").onlyOnWire().unsupported("action"),
                    opaque("Consul").onlyOnWire().unsupported("consul"),
                    opaque("Identities").onlyOnWire().unsupported("identity"),
                    opaque("Identity").onlyOnWire(),
                    opaque("ScalingPolicies").onlyOnWire().unsupported("scaling"),
                    opaque("Schedule").onlyOnWire().unsupported("schedule"),
                    opaque("Secrets").onlyOnWire().unsupported("secret"),
                    opaque("Vault").onlyOnWire().unsupported("vault"))
            .later("identity", "vault", "consul", "action", "schedule", "secret", "scaling")
            .taken("payloadFile", given -> payloadFile(given.DispatchPayload()))
            .shown("DispatchPayload", task -> payload(task.payloadFile()))
            .done();

    private TaskBlocks() {}

    private static @Nullable MountLoss mountLoss(CsiPluginConfig given) {
        return given.HoldsMounts() ? JobConversion.wire(MountLoss.class, given.OnMountLoss()) : null;
    }

    private static String shown(@Nullable MountLoss loss) {
        return loss == null ? "" : loss.wire();
    }

    private static CsiPluginConfig mountLossFilledIn(CsiPluginConfig given) {
        return given.HoldsMounts()
                ? Edit.of(given)
                        .orElse(CsiPluginConfig::OnMountLoss, MountLoss.ALERT.wire())
                        .done()
                : given;
    }

    private static @Nullable String payloadFile(@Nullable DispatchPayloadConfig given) {
        return given == null ? null : given.File();
    }

    private static @Nullable DispatchPayloadConfig payload(@Nullable String file) {
        return file == null ? null : new DispatchPayloadConfig(file);
    }
}
