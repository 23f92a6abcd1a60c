package io.cleat.sim;

import com.google.protobuf.BoolValue;
import com.google.protobuf.Message;
import io.cleat.csi.CsiCode;
import io.cleat.csi.v1.ControllerGetCapabilitiesResponse;
import io.cleat.csi.v1.ControllerServiceCapability;
import io.cleat.csi.v1.GetPluginCapabilitiesResponse;
import io.cleat.csi.v1.GetPluginInfoResponse;
import io.cleat.csi.v1.NodeGetCapabilitiesResponse;
import io.cleat.csi.v1.NodeGetInfoResponse;
import io.cleat.csi.v1.NodeServiceCapability;
import io.cleat.csi.v1.PluginCapability;
import io.cleat.csi.v1.ProbeResponse;
import java.util.List;

/**
 * What a plugin's process says of itself from its start to its end.
 *
 * @param isDisks whether its volumes are attached and staged, or only published
 * @param version of its vendor
 * @param nodeId what it calls the node
 * @param stages whether it says that it stages; if it is to and does not, it is wrong
 * @param expands whether it says that it expands
 */
record PluginWords(String name, boolean isDisks, String version, String nodeId, boolean stages, boolean expands) {

    /** Whether it says what is so. */
    boolean isRight() {
        return stages == isDisks && expands;
    }

    Message answer(String call) throws CsiRefusal {
        return switch (call) {
            case "Probe" ->
                ProbeResponse.newBuilder().setReady(BoolValue.of(true)).build();
            case "GetPluginInfo" ->
                GetPluginInfoResponse.newBuilder()
                        .setName(name)
                        .setVendorVersion(version)
                        .build();
            case "GetPluginCapabilities" -> services();
            case "ControllerGetCapabilities" -> controller();
            case "NodeGetCapabilities" -> node();
            case "NodeGetInfo" ->
                NodeGetInfoResponse.newBuilder().setNodeId(nodeId).build();
            default -> throw new CsiRefusal(CsiCode.UNIMPLEMENTED, call);
        };
    }

    private Message services() {
        GetPluginCapabilitiesResponse.Builder reply = GetPluginCapabilitiesResponse.newBuilder();
        reply.addCapabilitiesBuilder().getServiceBuilder().setType(PluginCapability.Service.Type.CONTROLLER_SERVICE);
        if (expands) {
            reply.addCapabilitiesBuilder()
                    .getVolumeExpansionBuilder()
                    .setType(PluginCapability.VolumeExpansion.Type.ONLINE);
        }
        return reply.build();
    }

    private Message controller() {
        ControllerGetCapabilitiesResponse.Builder reply = ControllerGetCapabilitiesResponse.newBuilder();
        List<ControllerServiceCapability.RPC.Type> common = List.of(
                ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME,
                ControllerServiceCapability.RPC.Type.CREATE_DELETE_SNAPSHOT);
        common.forEach(type -> reply.addCapabilitiesBuilder().getRpcBuilder().setType(type));
        if (expands) {
            reply.addCapabilitiesBuilder().getRpcBuilder().setType(ControllerServiceCapability.RPC.Type.EXPAND_VOLUME);
        }
        if (isDisks) {
            reply.addCapabilitiesBuilder()
                    .getRpcBuilder()
                    .setType(ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME);
        }
        return reply.build();
    }

    private Message node() {
        NodeGetCapabilitiesResponse.Builder reply = NodeGetCapabilitiesResponse.newBuilder();
        if (stages) {
            reply.addCapabilitiesBuilder().getRpcBuilder().setType(NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME);
        }
        if (expands && isDisks) {
            reply.addCapabilitiesBuilder().getRpcBuilder().setType(NodeServiceCapability.RPC.Type.EXPAND_VOLUME);
        }
        return reply.build();
    }
}
