package io.cleat.driverplugin;

import io.cleat.base.DriverTrouble;
import io.cleat.driver.NetworkMaker;
import io.cleat.driverschema.DriverGrpc;
import io.cleat.driverschema.DriverProto;
import java.time.Duration;

/** The networks that a plugin makes itself. Any thread. */
final class PluginNetworks implements NetworkMaker {
    /** Some fetch an image for the process that holds the namespace. */
    private static final Duration WITHIN = Duration.ofMinutes(5);

    private final TaskCalls calls;

    PluginNetworks(TaskCalls calls) {
        this.calls = calls;
    }

    @Override
    public Made make(String allocId, String hostname) throws DriverTrouble, InterruptedException {
        DriverProto.NetworkIsolationSpec spec = calls.now("CreateNetwork")
                .channel()
                .call(
                        DriverGrpc.getCreateNetworkMethod(),
                        DriverProto.CreateNetworkRequest.newBuilder()
                                .setAllocId(allocId)
                                .setHostname(hostname)
                                .build(),
                        WITHIN)
                .getIsolationSpec();
        return new Made(spec.getPath(), spec.getLabelsMap());
    }

    @Override
    public void unmake(String allocId, Made made) throws DriverTrouble, InterruptedException {
        calls.now("DestroyNetwork")
                .channel()
                .call(
                        DriverGrpc.getDestroyNetworkMethod(),
                        DriverProto.DestroyNetworkRequest.newBuilder()
                                .setAllocId(allocId)
                                .setIsolationSpec(DriverProto.NetworkIsolationSpec.newBuilder()
                                        .setMode(DriverProto.NetworkIsolationMode.GROUP)
                                        .setPath(made.path())
                                        .putAllLabels(made.labels()))
                                .build(),
                        WITHIN);
    }
}
