package io.cleat.driverplugin;

import io.cleat.base.Chance;
import io.cleat.base.Ids;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.kernel.Cgroups;
import io.cleat.kernel.Processes;
import java.nio.file.Path;

/**
 * What drivers in programs of their own work with.
 *
 * @param shim the native program
 * @param mhz how fast a processor of the machine is; drivers want to know
 * @param told called when what a driver says of itself has changed
 */
public record PluginParts(
        Path shim,
        Cgroups cgroups,
        Processes processes,
        long mhz,
        Threads threads,
        Time time,
        Chance chance,
        Ids ids,
        Runnable told) {
    public PluginParts {
        shim = shim.toAbsolutePath();
    }
}
