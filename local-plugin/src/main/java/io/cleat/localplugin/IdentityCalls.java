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
import java.util.List;

/** CSI Identity: who the plugin is. It is ready while its pool is there. */
final class IdentityCalls extends IdentityGrpc.IdentityImplBase {
    static final String NAME = "local.csi.cleat.io";

    /** Of the plugin as a whole, whichever part of it this process is. */
    private static final List<PluginCapability.Service.Type> ANNOUNCED = List.of(
            PluginCapability.Service.Type.CONTROLLER_SERVICE,
            PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS,
            PluginCapability.Service.Type.GROUP_CONTROLLER_SERVICE,
            PluginCapability.Service.Type.SNAPSHOT_ACCESSIBILITY_CONSTRAINTS);

    private final String version;
    private final Pool pool;
    private final CsiVersion csi;
    private final Answers answers;

    IdentityCalls(String version, Pool pool, CsiVersion csi, Answers answers) {
        this.csi = csi;
        this.version = version;
        this.pool = pool;
        this.answers = answers;
    }

    @Override
    public void getPluginInfo(GetPluginInfoRequest request, StreamObserver<GetPluginInfoResponse> caller) {
        caller.onNext(GetPluginInfoResponse.newBuilder()
                .setName(NAME)
                .setVendorVersion(version)
                .build());
        caller.onCompleted();
    }

    @Override
    public void getPluginCapabilities(
            GetPluginCapabilitiesRequest request, StreamObserver<GetPluginCapabilitiesResponse> caller) {
        GetPluginCapabilitiesResponse.Builder answer = GetPluginCapabilitiesResponse.newBuilder();
        for (PluginCapability.Service.Type type : ANNOUNCED) {
            if (csi.has(type)) {
                answer.addCapabilities(PluginCapability.newBuilder()
                        .setService(PluginCapability.Service.newBuilder().setType(type)));
            }
        }
        if (csi.hasExpansion()) {
            answer.addCapabilities(PluginCapability.newBuilder()
                    .setVolumeExpansion(PluginCapability.VolumeExpansion.newBuilder()
                            .setType(PluginCapability.VolumeExpansion.Type.ONLINE)));
        }
        caller.onNext(answer.build());
        caller.onCompleted();
    }

    @Override
    public void probe(ProbeRequest request, StreamObserver<ProbeResponse> caller) {
        answers.answer("Probe", caller, () -> {
            pool.requireThere();
            return ProbeResponse.newBuilder().setReady(BoolValue.of(true)).build();
        });
    }
}
