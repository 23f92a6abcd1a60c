package io.cleat.api;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A check of a service. Durations in ns. What only Consul does with one is kept as it was given, so that it can be
 * refused by name.
 */
public record ServiceCheck(
        String AddressMode,
        String Advertise,
        @Nullable List<String> Args,
        String Body,
        @Nullable CheckRestart CheckRestart,
        String Command,
        boolean Expose,
        int FailuresBeforeCritical,
        int FailuresBeforeWarning,
        String GRPCService,
        boolean GRPCUseTLS,
        @Nullable Map<String, List<String>> Header,
        String InitialStatus,
        @Nullable Long Interval,
        String Method,
        String Name,
        String Notes,
        String OnUpdate,
        String Path,
        String PortLabel,
        String Protocol,
        int SuccessBeforePassing,
        String TLSServerName,
        boolean TLSSkipVerify,
        String TaskName,
        @Nullable Long Timeout,
        String Type) {}
