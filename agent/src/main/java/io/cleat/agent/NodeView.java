package io.cleat.agent;

import io.cleat.base.Ordered;
import io.cleat.driver.TaskDriver;
import io.cleat.model.DriverFacts;
import io.cleat.model.HostVolume;
import io.cleat.model.KillTimeout;
import io.cleat.model.NodeFacts;
import io.cleat.model.NodeNetwork;
import io.cleat.model.PluginInstance;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** What the node says of itself, put together whenever it is asked. */
public final class NodeView implements Supplier<NodeFacts> {
    /**
     * The version of the HTTP API's model that this program follows; tools read it from the node and switch features on
     * by it.
     */
    public static final String API_VERSION = "2.0.6";

    /**
     * What an operator says of the node.
     *
     * @param meta what it is started with
     * @param longestKillTimeout how long a task may have to stop, whatever its job says
     * @param hostVolumes the directories of the machine that jobs may use, by name
     * @param networks whose ports jobs are given
     */
    public record Settings(
            String name,
            String datacenter,
            String nodePool,
            String nodeClass,
            String httpAddress,
            Map<String, String> meta,
            Duration longestKillTimeout,
            Map<String, HostVolume> hostVolumes,
            NetworkSettings networks) {
        public Settings {
            hostVolumes = Ordered.copyOf(hostVolumes);
        }
    }

    private final String id;
    private final Settings settings;
    private final Supplier<Map<String, String>> meta;
    private final Machine machine;
    private final LongSupplier diskMb;
    private final String bootId;
    private final Map<String, TaskDriver> drivers;
    private final Supplier<List<PluginInstance>> plugins;
    private final Supplier<List<String>> unclear;
    private final Supplier<Map<String, HostVolume>> hostVolumes;
    private final Supplier<Map<String, String>> hostPlugins;
    private final NodeNetwork network;
    private final Map<String, DriverFacts> told = new ConcurrentHashMap<>();

    /**
     * @param meta what jobs may ask for
     * @param unclear what was found that the node does not know; see {@link NodeFacts#unclear}
     */
    public NodeView(
            String id,
            Settings settings,
            Supplier<Map<String, String>> meta,
            Machine machine,
            String bootId,
            Map<String, TaskDriver> drivers,
            Supplier<List<PluginInstance>> plugins,
            Supplier<List<String>> unclear) {
        this(
                id,
                settings,
                meta,
                machine,
                machine::diskMb,
                bootId,
                drivers,
                plugins,
                unclear,
                settings::hostVolumes,
                Map::of,
                NodeNetwork.NONE);
    }

    /**
     * Of a node on which host volumes are made, and which gives ports.
     *
     * @param diskMb what it offers to allocations
     * @param hostVolumes all that there are, by name
     * @param hostPlugins what it says of what makes them, as attributes
     * @param network of the machine
     */
    public NodeView(
            String id,
            Settings settings,
            Supplier<Map<String, String>> meta,
            Machine machine,
            LongSupplier diskMb,
            String bootId,
            Map<String, TaskDriver> drivers,
            Supplier<List<PluginInstance>> plugins,
            Supplier<List<String>> unclear,
            Supplier<Map<String, HostVolume>> hostVolumes,
            Supplier<Map<String, String>> hostPlugins,
            NodeNetwork network) {
        this.id = id;
        this.settings = settings;
        this.meta = meta;
        this.machine = machine;
        this.diskMb = diskMb;
        this.bootId = bootId;
        this.drivers = Ordered.copyOf(drivers);
        this.plugins = plugins;
        this.unclear = unclear;
        this.hostVolumes = hostVolumes;
        this.hostPlugins = hostPlugins;
        this.network = network;
    }

    @Override
    public NodeFacts get() {
        Map<String, DriverFacts> driverFacts = new TreeMap<>();
        Map<String, String> attributes = new HashMap<>(machine.attributes());
        attributes.put("nomad.version", API_VERSION);
        attributes.putAll(hostPlugins.get());
        if (!settings.httpAddress().isEmpty()) {
            attributes.put("unique.advertise.address", settings.httpAddress());
        }
        KillTimeout.put(attributes, settings.longestKillTimeout());
        drivers.forEach((name, driver) -> {
            DriverFacts facts = told.merge(name, driver.fingerprint(), (before, now) -> now.since(before));
            driverFacts.put(name, facts);
            if (facts.healthy()) {
                attributes.put("driver." + name, "1");
            }
        });
        return new NodeFacts(
                id,
                settings.name(),
                settings.datacenter(),
                settings.nodePool(),
                settings.nodeClass(),
                settings.httpAddress(),
                attributes,
                meta.get(),
                driverFacts,
                plugins.get(),
                machine.total(),
                diskMb.getAsLong(),
                bootId,
                unclear.get(),
                hostVolumes.get(),
                network);
    }
}
