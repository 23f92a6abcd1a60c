package io.cleat.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the tasks of an allocation share; {@code DiskMB} in MiB. */
public record SharedResources(
        long DiskMB,
        @Nullable List<NetworkResource> Networks,
        @Nullable List<AllocatedPort> Ports) {}
