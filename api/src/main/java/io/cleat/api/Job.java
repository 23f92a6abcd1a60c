package io.cleat.api;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job as users send it and as the server stores it. Null means "not given"; {@link Canonical} fills it. Durations in
 * ns.
 */
public record Job(
        @Nullable List<Affinity> Affinities,
        @Nullable Boolean AllAtOnce,
        @Nullable List<Constraint> Constraints,
        @Nullable String ConsulNamespace,
        @Nullable Long CreateIndex,
        @Nullable List<String> Datacenters,
        @Nullable String DispatchIdempotencyToken,
        boolean Dispatched,
        String ID,
        @Nullable Long JobModifyIndex,
        @Nullable Map<String, String> Meta,
        @OmitEmpty @Nullable MigrateStrategy Migrate,
        @Nullable Long ModifyIndex,
        @Nullable RawJson Multiregion,
        String Name,
        @Nullable String Namespace,
        @Nullable String NodePool,
        @Nullable String NomadTokenID,
        @Nullable ParameterizedJobConfig ParameterizedJob,
        @Nullable String ParentID,
        @Nullable String Payload,
        @Nullable PeriodicConfig Periodic,
        @Nullable Integer Priority,
        @Nullable String Region,
        @OmitEmpty @Nullable ReschedulePolicy Reschedule,
        @Nullable List<Spread> Spreads,
        @Nullable Boolean Stable,
        @Nullable String Status,
        @Nullable String StatusDescription,
        @Nullable Boolean Stop,
        @Nullable Long SubmitTime,
        @Nullable List<TaskGroup> TaskGroups,
        @Nullable String Type,
        @Nullable RawJson UI,
        @Nullable UpdateStrategy Update,
        @Nullable String VaultNamespace,
        @Nullable Long Version,
        @Nullable JobVersionTag VersionTag) {}
