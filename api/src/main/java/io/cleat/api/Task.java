package io.cleat.api;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One command of a group. {@code Config} belongs to the driver and is kept as it was given. Durations in ns. */
public record Task(
        @Nullable RawJson Actions,
        @Nullable List<Affinity> Affinities,
        @Nullable List<Artifact> Artifacts,
        @Nullable CsiPluginConfig CSIPluginConfig,
        @Nullable RawJson Config,
        @Nullable List<Constraint> Constraints,
        @Nullable RawJson Consul,
        @Nullable DispatchPayloadConfig DispatchPayload,
        String Driver,
        @Nullable Map<String, String> Env,
        @Nullable RawJson Identities,
        @Nullable RawJson Identity,
        String KillSignal,
        @Nullable Long KillTimeout,
        String Kind,
        boolean Leader,
        @Nullable Lifecycle Lifecycle,
        @Nullable LogConfig LogConfig,
        @Nullable Map<String, String> Meta,
        String Name,
        @Nullable Resources Resources,
        @Nullable RestartPolicy RestartPolicy,
        @Nullable RawJson ScalingPolicies,
        @Nullable RawJson Schedule,
        @Nullable RawJson Secrets,
        @Nullable List<Service> Services,
        long ShutdownDelay,
        @Nullable List<Template> Templates,
        String User,
        @Nullable RawJson Vault,
        @Nullable List<VolumeMount> VolumeMounts) {}
