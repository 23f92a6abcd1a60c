package io.cleat.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** CPU a node keeps for itself; shares in MHz. */
public record ReservedCpu(long CpuShares, @Nullable List<Integer> ReservedCpuCores) {}
