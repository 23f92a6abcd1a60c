package io.cleat.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A node's CPU; shares in MHz. */
public record NodeCpu(long CpuShares, @Nullable List<Integer> ReservableCpuCores, int TotalCpuCores) {}
