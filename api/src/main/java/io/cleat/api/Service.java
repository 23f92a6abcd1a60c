package io.cleat.api;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A service of a group or a task. {@code CheckRestart} is that of all its checks: in the canonical form each has its
 * own. What only Consul does with one is kept as it was given, so that it can be refused by name.
 */
public record Service(
        String Address,
        String AddressMode,
        @Nullable Map<String, String> CanaryMeta,
        @Nullable List<String> CanaryTags,
        @OmitEmpty @Nullable CheckRestart CheckRestart,
        @Nullable List<ServiceCheck> Checks,
        String Cluster,
        @Nullable RawJson Connect,
        boolean EnableTagOverride,
        @Nullable RawJson Identity,
        String Kind,
        @Nullable Map<String, String> Meta,
        String Name,
        String Namespace,
        String OnUpdate,
        String PortLabel,
        String Provider,
        @Nullable Map<String, String> TaggedAddresses,
        @Nullable List<String> Tags,
        String TaskName,
        @Nullable RawJson Weights) {}
