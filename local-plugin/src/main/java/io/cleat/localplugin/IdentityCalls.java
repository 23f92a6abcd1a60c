package io.cleat.localplugin;

import com.google.protobuf.BoolValue;
import io.cleat.csi.v1.GetPluginCapabilitiesRequest;
import io.cleat.csi.v1.GetPluginCapabilitiesResponse;
import io.cleat.csi.v1.GetPluginInfoRequest;
import io.cleat.csi.v1.GetPluginInfoResponse;
import io.cleat.csi.v1.IdentityGrpc;
import io.cleat.csi.v1.PluginCapability;
import io.cleat.csi.v1.ProbeRequest;
import io.cleat.csi.v1.ProbeResponse;
import io.grpc.stub.StreamObserver;

/** CSI Identity: who the plugin is. It is ready while its pool is there. */
final class IdentityCalls extends IdentityGrpc.IdentityImplBase {
    static final String NAME = "local.csi.cleat.io";

    private final String version;
    private final Pool pool;
    private final Answers answers;

    IdentityCalls(String version, Pool pool, Answers answers) {
        this.version = version;
        this.pool = pool;
        this.answers = answers;
    }

    @Override
    public void getPluginInfo(
            GetPluginInfoRequest request, StreamObserver<GetPluginInfoResponse> caller) {
        caller.onNext(
                GetPluginInfoResponse.newBuilder().setName(NAME).setVendorVersion(version).build());
        caller.onCompleted();
    }

    @Override
    public void getPluginCapabilities(
            GetPluginCapabilitiesRequest request,
            StreamObserver<GetPluginCapabilitiesResponse> caller) {
        caller.onNext(
                GetPluginCapabilitiesResponse.newBuilder()
                        .addCapabilities(
                                PluginCapability.newBuilder()
                                        .setService(
                                                PluginCapability.Service.newBuilder()
                                                        .setType(
                                                                PluginCapability.Service.Type
                                                                        .CONTROLLER_SERVICE)))
                        .build());
        caller.onCompleted();
    }

    @Override
    public void probe(ProbeRequest request, StreamObserver<ProbeResponse> caller) {
        answers.answer(
                "Probe",
                caller,
                () -> {
                    if (!pool.isThere()) {
                        throw CallRefused.tooSoon(
                                "the pool "
                                        + pool.root()
                                        + " is gone; bring its disk back, or start the plugin anew");
                    }
                    return ProbeResponse.newBuilder().setReady(BoolValue.of(true)).build();
                });
    }
}
