package io.cleat.driverplugin;

import com.google.protobuf.ByteString;
import com.google.protobuf.Empty;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.driver.DriverCapabilities;
import io.cleat.driver.DriverCapabilities.Isolation;
import io.cleat.driverplugin.config.BlockSchema;
import io.cleat.driverschema.BasePluginGrpc;
import io.cleat.driverschema.ClientTopology;
import io.cleat.driverschema.ClientTopologyCore;
import io.cleat.driverschema.ConfigSchemaRequest;
import io.cleat.driverschema.DriverGrpc;
import io.cleat.driverschema.DriverProto;
import io.cleat.driverschema.GRPCControllerGrpc;
import io.cleat.driverschema.GRPCStdioGrpc;
import io.cleat.driverschema.NomadConfig;
import io.cleat.driverschema.NomadDriverConfig;
import io.cleat.driverschema.PluginInfoRequest;
import io.cleat.driverschema.PluginInfoResponse;
import io.cleat.driverschema.PluginType;
import io.cleat.driverschema.SetConfigRequest;
import io.cleat.driverschema.SpecProto;
import io.cleat.driverschema.StdioData;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** What a program that holds a driver is asked before its tasks are. Used by any thread. */
final class PluginClient {
    /** For answers that a program gives from memory. */
    static final Duration SHORT = Duration.ofSeconds(10);

    private static final String API_VERSION = "v0.1.0";
    private static final int LEAST_PORT = 14_000;
    private static final int MOST_PORT = 14_512;

    private final PluginChannel channel;

    PluginClient(PluginChannel channel) {
        this.channel = channel;
    }

    /**
     * What it says that it is.
     *
     * @throws DriverTrouble if it is no driver, or none that is understood
     */
    PluginInfoResponse info() throws DriverTrouble, InterruptedException {
        PluginInfoResponse info =
                channel.call(BasePluginGrpc.getPluginInfoMethod(), PluginInfoRequest.getDefaultInstance(), SHORT);
        if (info.getType() != PluginType.DRIVER) {
            throw refused("it is a plugin of the type " + info.getType() + ", and no driver");
        }
        if (!info.getPluginApiVersionsList().contains(API_VERSION)) {
            throw refused("it speaks the versions "
                    + info.getPluginApiVersionsList()
                    + " of drivers; expected "
                    + API_VERSION
                    + " among them");
        }
        if (!info.getName().matches("[A-Za-z0-9][A-Za-z0-9_-]{0,63}")) {
            throw refused("its name is '" + info.getName() + "'; expected 1 to 64 letters, digits, '-' and '_'");
        }
        return info;
    }

    private static DriverTrouble refused(String why) {
        return new DriverTrouble("this is no driver plugin: " + why, Effect.NONE, Retry.NEVER);
    }

    /**
     * Gives it its settings, as programs of this kind are given them: once to be looked at, and once with what they
     * need to know of the machine.
     */
    BlockSchema configure(String name, Map<String, Object> settings, long mhz)
            throws DriverTrouble, InterruptedException {
        SpecProto.Spec spec = channel.call(
                        BasePluginGrpc.getConfigSchemaMethod(), ConfigSchemaRequest.getDefaultInstance(), SHORT)
                .getSpec();
        BlockSchema schema = new BlockSchema(spec, "plugin \"" + name + "\" config", name);
        byte[] encoded = schema.encode(settings);
        SetConfigRequest checked = SetConfigRequest.newBuilder()
                .setMsgpackConfig(ByteString.copyFrom(encoded))
                .setPluginApiVersion(API_VERSION)
                .build();
        channel.call(BasePluginGrpc.getSetConfigMethod(), checked, SHORT);
        channel.call(
                BasePluginGrpc.getSetConfigMethod(),
                checked.toBuilder()
                        .setNomadConfig(NomadConfig.newBuilder()
                                .setDriver(NomadDriverConfig.newBuilder()
                                        .setClientMinPort(LEAST_PORT)
                                        .setClientMaxPort(MOST_PORT)
                                        .setTopology(topology(mhz))))
                        .build(),
                SHORT);
        return schema;
    }

    /** The processors of the machine, all alike. */
    private static ClientTopology topology(long mhz) {
        ClientTopology.Builder topology = ClientTopology.newBuilder().addNodeIds(0);
        int cores = Runtime.getRuntime().availableProcessors();
        for (int core = 0; core < cores; core++) {
            topology.addCores(ClientTopologyCore.newBuilder().setCoreId(core).setGuessSpeed(mhz));
        }
        return topology.setOverrideTotalCompute(mhz * cores).build();
    }

    /** What its tasks' {@code config} may hold. */
    BlockSchema taskSchema(String name) throws DriverTrouble, InterruptedException {
        SpecProto.Spec spec = channel.call(
                        DriverGrpc.getTaskConfigSchemaMethod(),
                        DriverProto.TaskConfigSchemaRequest.getDefaultInstance(),
                        SHORT)
                .getSpec();
        return new BlockSchema(spec, "config", name);
    }

    /** What the driver of a name says of itself. */
    KnownPlugin known(String name) throws DriverTrouble, InterruptedException {
        DriverProto.DriverCapabilities said = channel.call(
                        DriverGrpc.getCapabilitiesMethod(), DriverProto.CapabilitiesRequest.getDefaultInstance(), SHORT)
                .getCapabilities();
        return new KnownPlugin(
                name,
                capabilities(said),
                said.getNetworkIsolationModesList().contains(DriverProto.NetworkIsolationMode.GROUP),
                said.getMustCreateNetwork());
    }

    private static DriverCapabilities capabilities(DriverProto.DriverCapabilities said) {
        return new DriverCapabilities(
                said.getSendSignals(),
                said.getExec(),
                switch (said.getFsIsolation()) {
                    case CHROOT -> Isolation.CHROOT;
                    case IMAGE -> Isolation.IMAGE;
                    // What is hidden from a task stays at its own path of the host.
                    case NONE, UNVEIL, UNRECOGNIZED -> Isolation.NONE;
                },
                said.getMountConfigs() == DriverProto.DriverCapabilities.MountConfigs.ANY_MOUNTS,
                // Where nobody collects, its output goes nowhere.
                true);
    }

    /** What it says of its health, one after the other. */
    PluginChannel.Stream<DriverProto.FingerprintRequest, DriverProto.FingerprintResponse> fingerprints() {
        return channel.answers(DriverGrpc.getFingerprintMethod(), DriverProto.FingerprintRequest.getDefaultInstance());
    }

    /** Takes what the program prints beside its log; returns at its end. */
    void drain() throws DriverTrouble, InterruptedException {
        try (PluginChannel.Stream<Empty, StdioData> printed =
                channel.answers(GRPCStdioGrpc.getStreamStdioMethod(), Empty.getDefaultInstance())) {
            Optional<StdioData> next = printed.next();
            while (next.isPresent()) {
                next = printed.next();
            }
        }
    }

    /** Asks it to end. */
    void shutDown() throws DriverTrouble, InterruptedException {
        channel.call(GRPCControllerGrpc.getShutdownMethod(), io.cleat.driverschema.Empty.getDefaultInstance(), SHORT);
    }
}
