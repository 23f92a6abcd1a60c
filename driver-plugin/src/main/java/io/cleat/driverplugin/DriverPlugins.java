package io.cleat.driverplugin;

import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.DriverTrouble;
import io.cleat.base.KernelTrouble;
import io.cleat.driver.shim.ShimTasks;
import io.cleat.kernel.BootId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All drivers of a node that live in programs of their own. */
public final class DriverPlugins implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DriverPlugins.class);

    /**
     * How long an agent waits for programs that it has never spoken to: one that is slow, since the whole machine
     * starts, would be left out until the agent's next start.
     */
    private static final Duration FIRST = Duration.ofSeconds(30);

    private final List<ExternalDriver> drivers;
    private final Map<String, String> leftOut;

    private DriverPlugins(List<ExternalDriver> drivers, Map<String, String> leftOut) {
        this.drivers = List.copyOf(drivers);
        this.leftOut = Map.copyOf(leftOut);
    }

    /**
     * Begins to keep the programs running, and takes over those that run. One that never answered, or whose driver
     * there is already, is left out; the log says why.
     *
     * @param directory on a local disk that survives the agent; its owner's alone
     * @param taken names of drivers that there are already
     */
    public static DriverPlugins at(Path directory, List<PluginSettings> plugins, Set<String> taken, PluginParts parts)
            throws DiskTrouble, KernelTrouble, DriverTrouble, InterruptedException {
        BootId boot = BootId.read();
        List<Supervised> supervised = new ArrayList<>();
        for (PluginSettings settings : plugins) {
            supervised.add(Supervised.begin(settings, directory.resolve(settings.file()), parts));
        }
        Deadline deadline = Deadline.in(parts.time(), FIRST);
        List<ExternalDriver> drivers = new ArrayList<>();
        Map<String, String> leftOut = new TreeMap<>();
        Map<String, String> owners = new TreeMap<>();
        taken.forEach(name -> owners.put(name, "the agent itself"));
        for (Supervised each : supervised) {
            Optional<KnownPlugin> known = each.supervision().known(deadline);
            String other = known.map(plugin -> owners.get(plugin.name())).orElse(null);
            if (known.isEmpty() || other != null) {
                String why = other != null
                        ? "its driver " + known.get().name() + " is that of " + other
                        : each.supervision().facts().healthDescription();
                leftOut.put(each.settings().file(), why);
                each.supervision().end();
                continue;
            }
            owners.put(known.get().name(), each.settings().file());
            drivers.add(
                    new ExternalDriver(known.get(), each.supervision(), each.directory(), parts, each.output(), boot));
        }
        leftOut.forEach((file, why) -> LOG.error("the driver plugin {} is left out: {}", file, why));
        return new DriverPlugins(drivers, leftOut);
    }

    /** One program that is kept running. */
    private record Supervised(
            PluginSettings settings, Path directory, FollowedOutput output, DriverSupervisor supervision) {
        static Supervised begin(PluginSettings settings, Path directory, PluginParts parts) throws DiskTrouble {
            ShimTasks followers = new ShimTasks(
                    settings.file(),
                    parts.shim(),
                    directory.resolve("followers"),
                    parts.cgroups(),
                    parts.processes(),
                    parts.time(),
                    ShimTasks.Rest.NONE);
            FollowedOutput output = new FollowedOutput(followers, parts.shim(), parts.time());
            return new Supervised(
                    settings, directory, output, new DriverSupervisor(settings, directory, parts, output));
        }
    }

    /** The drivers, by name of their files. */
    public List<ExternalDriver> drivers() {
        return drivers;
    }

    /** Which programs hold no driver of this node, and why, by the names of their files. */
    public Map<String, String> leftOut() {
        return leftOut;
    }

    /** Ends all programs, once nothing is wanted of them any more. */
    public void end() throws DriverTrouble, InterruptedException {
        for (ExternalDriver driver : drivers) {
            driver.end();
        }
    }

    /** Lets go of the programs, which go on. */
    @Override
    public void close() {
        drivers.forEach(ExternalDriver::close);
    }
}
