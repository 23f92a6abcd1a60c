package io.cleat.testkit;

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

/** The identity service of the fake plugin. */
final class FakeIdentity extends IdentityGrpc.IdentityImplBase {
    private final FakeCsiPlugin plugin;

    FakeIdentity(FakeCsiPlugin plugin) {
        this.plugin = plugin;
    }

    @Override
    public void getPluginInfo(GetPluginInfoRequest request, StreamObserver<GetPluginInfoResponse> caller) {
        GetPluginInfoResponse info = GetPluginInfoResponse.newBuilder()
                .setName(plugin.setup().name())
                .setVendorVersion(plugin.setup().version())
                .build();
        plugin.handle("GetPluginInfo", request, caller, asked -> info, info);
    }

    @Override
    public void getPluginCapabilities(
            GetPluginCapabilitiesRequest request, StreamObserver<GetPluginCapabilitiesResponse> caller) {
        GetPluginCapabilitiesResponse.Builder reply = GetPluginCapabilitiesResponse.newBuilder();
        for (PluginCapability.Service.Type type : plugin.setup().services()) {
            reply.addCapabilitiesBuilder().getServiceBuilder().setType(type);
        }
        for (PluginCapability.VolumeExpansion.Type type : plugin.setup().expansion()) {
            reply.addCapabilitiesBuilder().getVolumeExpansionBuilder().setType(type);
        }
        GetPluginCapabilitiesResponse said = reply.build();
        plugin.handle("GetPluginCapabilities", request, caller, asked -> said, said);
    }

    @Override
    public void probe(ProbeRequest request, StreamObserver<ProbeResponse> caller) {
        ProbeResponse ready =
                ProbeResponse.newBuilder().setReady(BoolValue.of(true)).build();
        plugin.handle("Probe", request, caller, asked -> ready, ready);
    }
}
