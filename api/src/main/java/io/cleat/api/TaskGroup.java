package io.cleat.api;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A group of tasks that is placed as one. Durations in ns. */
public record TaskGroup(
        @Nullable List<Affinity> Affinities,
        @Nullable List<Constraint> Constraints,
        @Nullable RawJson Consul,
        @Nullable Integer Count,
        @Nullable RawJson Disconnect,
        @Nullable EphemeralDisk EphemeralDisk,
        @Nullable Long MaxClientDisconnect,
        @Nullable Long MaxRunDuration,
        @Nullable Map<String, String> Meta,
        @Nullable MigrateStrategy Migrate,
        String Name,
        @Nullable List<NetworkResource> Networks,
        @Nullable Boolean PreventRescheduleOnLost,
        @Nullable ReschedulePolicy ReschedulePolicy,
        @Nullable RestartPolicy RestartPolicy,
        @Nullable ScalingPolicy Scaling,
        @Nullable List<Service> Services,
        @Nullable Long ShutdownDelay,
        @Nullable List<Spread> Spreads,
        @Nullable Long StopAfterClientDisconnect,
        @Nullable List<Task> Tasks,
        @Nullable UpdateStrategy Update,
        @Nullable Map<String, VolumeRequest> Volumes) {}
