package io.cleat.api;

import org.jspecify.annotations.Nullable;

/** What the tasks of an allocation share; {@code DiskMB} in MiB. */
public record SharedResources(long DiskMB, @Nullable RawJson Networks, @Nullable RawJson Ports) {}
