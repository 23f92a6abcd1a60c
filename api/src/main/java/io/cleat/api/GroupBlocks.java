package io.cleat.api;

import static io.cleat.api.JobField.block;
import static io.cleat.api.JobField.blocks;
import static io.cleat.api.JobField.blocksByLabel;
import static io.cleat.api.JobField.duration;
import static io.cleat.api.JobField.flag;
import static io.cleat.api.JobField.label;
import static io.cleat.api.JobField.number;
import static io.cleat.api.JobField.opaque;
import static io.cleat.api.JobField.text;
import static io.cleat.api.JobField.textsByName;

import io.cleat.model.GroupNetwork;
import io.cleat.model.Scaling;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A group of tasks and its blocks. */
final class GroupBlocks {
    static final JobBlock<EphemeralDisk, io.cleat.model.EphemeralDisk> EPHEMERAL_DISK = JobBlock.of(
                    "ephemeral_disk", EphemeralDisk.class, io.cleat.model.EphemeralDisk.class)
            .fields(
                    flag("Migrate").usually(false),
                    number("SizeMB")
                            .inFile("size")
                            .inModel("sizeMb")
                            .usually(300)
                            .atLeast(10, "Ephemeral disk validation failed: minimum SizeMB value is 10"),
                    flag("Sticky").usually(false))
            .done();

    /** Whose policy it is, is said by {@link ScalingPolicies}. */
    static final JobBlock<ScalingPolicy, Scaling> SCALING = JobBlock.of("scaling", ScalingPolicy.class, Scaling.class)
            .fields(
                    flag("Enabled").usually(true),
                    number("Min"),
                    number("Max").required(),
                    opaque("Policy"),
                    text("Type").onlyOnWire().usually(ScalingPolicies.HORIZONTAL),
                    text("ID").onlyOnWire(),
                    textsByName("Target").onlyOnWire(),
                    number("CreateIndex").onlyOnWire(),
                    number("ModifyIndex").onlyOnWire())
            .done();

    static final JobBlock<TaskGroup, io.cleat.model.TaskGroup> GROUP = JobBlock.of(
                    "group", TaskGroup.class, io.cleat.model.TaskGroup.class)
            .fields(
                    label("Name").needed("Missing task group name"),
                    number("Count").atLeast(0, "Task group count can't be negative"),
                    duration("ShutdownDelay").atLeast(0, "ShutdownDelay must be a positive value"),
                    duration("StopAfterClientDisconnect").unsupported("stop_after_client_disconnect"),
                    duration("MaxClientDisconnect").unsupported("max_client_disconnect"),
                    duration("MaxRunDuration"),
                    flag("PreventRescheduleOnLost").unsupported("prevent_reschedule_on_lost", "set it to false"),
                    blocksByLabel("Volumes", VolumeBlocks.VOLUME),
                    block("RestartPolicy", PolicyBlocks.RESTART)
                            .inModel("restart")
                            .inherited(),
                    block("ReschedulePolicy", PolicyBlocks.RESCHEDULE)
                            .inModel("reschedule")
                            .inherited(),
                    block("Migrate", PolicyBlocks.MIGRATE).inherited(),
                    block("Update", PolicyBlocks.UPDATE).inherited(),
                    block("EphemeralDisk", EPHEMERAL_DISK).inModel("disk"),
                    blocks("Networks", NetworkBlocks.NETWORK).notInModel(),
                    opaque("Disconnect").unsupported("disconnect"),
                    block("Scaling", SCALING),
                    blocks("Tasks", TaskBlocks.TASK).required(),
                    blocks("Services", ServiceBlocks.SERVICE),
                    textsByName("Meta"),
                    blocks("Constraints", PlacementBlocks.CONSTRAINT),
                    blocks("Affinities", PlacementBlocks.AFFINITY),
                    blocks("Spreads", PlacementBlocks.SPREAD),
                    opaque("Consul").onlyOnWire().unsupported("consul"))
            .later("consul", "vault", "secret")
            .taken("volumes", given -> VolumeBlocks.byAlias(given.Volumes()))
            .taken("network", given -> NetworkBlocks.ofGroup(given.Networks()))
            .shown("Networks", group -> networks(group.network()))
            .done();

    private GroupBlocks() {}

    private static @Nullable List<NetworkResource> networks(@Nullable GroupNetwork network) {
        return network == null ? null : List.of(NetworkBlocks.NETWORK.toWire(network));
    }
}
