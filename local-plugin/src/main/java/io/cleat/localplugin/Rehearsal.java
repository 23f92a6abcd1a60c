package io.cleat.localplugin;

import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.csi.v1.ControllerGrpc;
import io.cleat.csi.v1.CreateVolumeRequest;
import io.cleat.csi.v1.DeleteVolumeRequest;
import io.cleat.csi.v1.GetPluginInfoRequest;
import io.cleat.csi.v1.IdentityGrpc;
import io.cleat.csi.v1.ListVolumesRequest;
import io.cleat.csi.v1.NodeGetInfoRequest;
import io.cleat.csi.v1.NodeGrpc;
import io.cleat.csi.v1.ProbeRequest;
import io.cleat.csi.v1.VolumeCapability;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * One short life of the plugin, without mounting anything: what an ahead-of-time cache of the program is trained with.
 */
public final class Rehearsal {
    private Rehearsal() {}

    /**
     * Serves in a temporary directory, answers a few calls, stops, and leaves nothing.
     *
     * @return 0 when all calls were answered, 1 otherwise; the reason is on standard error
     */
    public static int play() {
        Main.settle();
        try {
            Path scratch = Files.createTempDirectory("cleat-rehearsal-");
            try {
                serve(scratch);
            } finally {
                TreeClearing.clear(scratch);
            }
            return 0;
        } catch (IOException | Refused | CallRefused | Trouble | InterruptedException | RuntimeException failed) {
            System.err.println("the rehearsal of the local plugin failed: " + failed);
            return 1;
        }
    }

    private static void serve(Path scratch) throws Refused, CallRefused, Trouble, InterruptedException {
        Options options = Options.parse(
                List.of(
                        "--endpoint=unix://" + scratch.resolve("csi.sock"),
                        "--pool=" + scratch.resolve("pool"),
                        "--call-log=" + scratch.resolve("calls"),
                        "--node-id=rehearsal"),
                Map.of());
        try (Endpoint _ = Main.open(options)) {
            call(options.socket());
        }
    }

    private static void call(Path socket) {
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        ManagedChannel channel = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .eventLoopGroup(loop)
                .channelType(NioDomainSocketChannel.class)
                .overrideAuthority("localhost")
                .usePlaintext()
                .build();
        try {
            var identity = IdentityGrpc.newBlockingStub(channel);
            identity.probe(ProbeRequest.getDefaultInstance());
            identity.getPluginInfo(GetPluginInfoRequest.getDefaultInstance());
            NodeGrpc.newBlockingStub(channel).nodeGetInfo(NodeGetInfoRequest.getDefaultInstance());
            var controller = ControllerGrpc.newBlockingStub(channel);
            String id = controller.createVolume(volume()).getVolume().getVolumeId();
            controller.listVolumes(ListVolumesRequest.getDefaultInstance());
            controller.deleteVolume(
                    DeleteVolumeRequest.newBuilder().setVolumeId(id).build());
        } finally {
            channel.shutdownNow();
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(1, TimeUnit.SECONDS);
        }
    }

    private static CreateVolumeRequest volume() {
        return CreateVolumeRequest.newBuilder()
                .setName("rehearsal")
                .addVolumeCapabilities(VolumeCapability.newBuilder()
                        .setMount(VolumeCapability.MountVolume.getDefaultInstance())
                        .setAccessMode(VolumeCapability.AccessMode.newBuilder()
                                .setMode(VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER)))
                .build();
    }
}
