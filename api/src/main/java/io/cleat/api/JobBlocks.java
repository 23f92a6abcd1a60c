package io.cleat.api;

import static io.cleat.api.JobField.block;
import static io.cleat.api.JobField.blocks;
import static io.cleat.api.JobField.flag;
import static io.cleat.api.JobField.label;
import static io.cleat.api.JobField.number;
import static io.cleat.api.JobField.opaque;
import static io.cleat.api.JobField.text;
import static io.cleat.api.JobField.texts;
import static io.cleat.api.JobField.textsByName;
import static io.cleat.api.JobField.word;

import io.cleat.model.JobId;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.NamespaceName;
import org.jspecify.annotations.Nullable;

/** A job, with all its blocks. */
public final class JobBlocks {
    public static final JobBlock<Job, JobSpec> JOB = JobBlock.of("job", Job.class, JobSpec.class)
            .fields(
                    label("ID").notInModel().needed("Missing job ID"),
                    text("Name").needed("Missing job name"),
                    word("Type", JobType.class)
                            .usually(JobType.SERVICE)
                            .elseTold("Invalid job type: %s; expected service, batch, system or sysbatch"),
                    text("Region").usually("global").needed("Missing job region"),
                    text("Namespace").notInModel().usually(NamespaceName.DEFAULT),
                    text("NodePool").usually(""),
                    number("Priority").usually(50).between(1, 100, "Job priority must be between [1, 100]"),
                    texts("Datacenters"),
                    flag("AllAtOnce").usually(false),
                    block("Update", PolicyBlocks.UPDATE).notInModel().inherited(),
                    block("Reschedule", PolicyBlocks.RESCHEDULE).notInModel().inherited(),
                    block("Migrate", PolicyBlocks.MIGRATE).notInModel().inherited(),
                    blocks("TaskGroups", GroupBlocks.GROUP).inModel("groups").required(),
                    block("Periodic", LaunchBlocks.PERIODIC).notInModel(),
                    block("ParameterizedJob", LaunchBlocks.PARAMETERIZED).notInModel(),
                    textsByName("Meta"),
                    blocks("Constraints", PlacementBlocks.CONSTRAINT),
                    blocks("Affinities", PlacementBlocks.AFFINITY),
                    blocks("Spreads", PlacementBlocks.SPREAD),
                    text("ConsulNamespace").onlyOnWire().usually("").unsupported("consul namespace"),
                    number("CreateIndex").onlyOnWire().usually(0L),
                    text("DispatchIdempotencyToken").onlyOnWire(),
                    flag("Dispatched").onlyOnWire(),
                    number("JobModifyIndex").onlyOnWire().usually(0L),
                    number("ModifyIndex").onlyOnWire().usually(0L),
                    opaque("Multiregion").onlyOnWire().unsupported("multiregion"),
                    text("NomadTokenID").onlyOnWire().usually(""),
                    text("ParentID").onlyOnWire().usually("").unsupported("parent job"),
                    text("Payload").onlyOnWire().unsupported("payload"),
                    flag("Stable").onlyOnWire().usually(false),
                    text("Status").onlyOnWire().usually(""),
                    text("StatusDescription").onlyOnWire().usually(""),
                    flag("Stop").onlyOnWire().usually(false),
                    number("SubmitTime").onlyOnWire(),
                    opaque("UI").onlyOnWire().unsupported("ui"),
                    text("VaultNamespace").onlyOnWire().usually("").unsupported("vault namespace"),
                    number("Version").onlyOnWire().usually(0L),
                    opaque("VersionTag").onlyOnWire())
            .later("multiregion", "ui", "vault", "consul")
            .taken("id", given -> new JobId(Canonical.orElse(given.Namespace(), NamespaceName.DEFAULT), given.ID()))
            .taken("launch", LaunchBlocks::launch)
            .shown("ID", job -> job.id().id())
            .shown("Namespace", job -> job.id().namespace())
            .shown("Periodic", LaunchBlocks::periodic)
            .shown("ParameterizedJob", LaunchBlocks::parameters)
            .shown("ParentID", job -> LaunchBlocks.child(job).parent())
            .shown("Dispatched", job -> LaunchBlocks.child(job).dispatched())
            .shown("Payload", job -> payload(LaunchBlocks.child(job).payload()))
            .done();

    private JobBlocks() {}

    private static @Nullable String payload(String given) {
        return given.isEmpty() ? null : given;
    }
}
