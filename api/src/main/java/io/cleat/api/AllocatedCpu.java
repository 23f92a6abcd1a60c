package io.cleat.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** CPU shares in MHz. */
public record AllocatedCpu(long CpuShares, @Nullable List<Integer> ReservedCores) {}
