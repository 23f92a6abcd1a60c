package io.cleat.fuzz.targets;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.cleat.base.Deadline;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Secrets;
import io.cleat.base.SystemTime;
import io.cleat.csi.AccessMode;
import io.cleat.csi.AccessType;
import io.cleat.csi.CallObserver;
import io.cleat.csi.CallPolicy;
import io.cleat.csi.CapacityRange;
import io.cleat.csi.ContentSource;
import io.cleat.csi.CsiTrouble;
import io.cleat.csi.NodeStaging;
import io.cleat.csi.PluginChannel;
import io.cleat.csi.PublishContext;
import io.cleat.csi.SnapshotQuery;
import io.cleat.csi.Transport;
import io.cleat.csi.VolumeOrder;
import io.cleat.csi.VolumeUse;
import io.cleat.csi.v1.ControllerGetVolumeResponse;
import io.cleat.csi.v1.CreateVolumeResponse;
import io.cleat.csi.v1.GetPluginInfoResponse;
import io.cleat.csi.v1.ListSnapshotsResponse;
import io.cleat.csi.v1.ListVolumesResponse;
import io.cleat.csi.v1.NodeGetInfoResponse;
import io.cleat.csi.v1.NodeGetVolumeStatsResponse;
import io.cleat.csi.v1.Snapshot;
import io.cleat.csi.v1.Topology;
import io.cleat.csi.v1.Volume;
import io.cleat.csi.v1.VolumeUsage;
import io.cleat.fuzz.Target;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Replies of plugins, as bytes: the first says to which call. */
final class CsiReplies implements Target {
    private static final int LONGEST_WORDS = 8_000;
    private static final VolumeUse USE = new VolumeUse(AccessType.MOUNT, AccessMode.SINGLE_NODE_WRITER);
    private static final List<Call> CALLS = List.of(
            c -> c.identity().info(minute()),
            c -> c.identity().capabilities(minute()),
            c -> c.node().info(minute()),
            c -> c.node().stats("v", "/target", "/stage", minute()),
            c -> c.controller().create(order(), minute()),
            c -> c.controller().get("v", minute()),
            c -> c.controller().capabilities(minute()),
            c -> c.snapshots().list(new SnapshotQuery(0, "5", "v", "", Secrets.none()), minute()),
            c -> c.snapshots().get("s", Secrets.none(), minute()),
            c -> c.health().listedByController(0, "5", Secrets.none(), minute()),
            c -> c.controller().list(0, "5", minute()),
            c -> {
                c.node().stage(staging(), minute());
                return "staged";
            });

    /** A call of each client. */
    private interface Call {
        Object make(PluginChannel channel) throws CsiTrouble, InterruptedException;
    }

    private static Deadline minute() {
        return Deadline.in(new SystemTime(), Duration.ofMinutes(1));
    }

    private static VolumeOrder order() {
        return new VolumeOrder(
                "v",
                new CapacityRange(2 << 20, 4 << 20),
                List.of(USE),
                Map.of(),
                Secrets.none(),
                List.of(),
                List.of(),
                ContentSource.EMPTY,
                Map.of());
    }

    private static NodeStaging staging() {
        return new NodeStaging("v", PublishContext.none(), "/stage", USE, Secrets.none(), Map.of());
    }

    @Override
    public String name() {
        return "csi";
    }

    @Override
    public String about() {
        return "replies of CSI plugins, as protobuf bytes";
    }

    @Override
    public List<byte[]> samples() {
        Volume volume = Volume.newBuilder()
                .setVolumeId("v")
                .setCapacityBytes(3 << 20)
                .putVolumeContext("a", "b")
                .addAccessibleTopology(Topology.newBuilder().putSegments("zone", "z"))
                .build();
        Snapshot snapshot = Snapshot.newBuilder()
                .setSnapshotId("s")
                .setSourceVolumeId("v")
                .setSizeBytes(1)
                .setReadyToUse(true)
                .build();
        return List.of(
                sample(0, GetPluginInfoResponse.newBuilder().setName("a.b").setVendorVersion("1")),
                sample(1, GetPluginInfoResponse.newBuilder()),
                sample(2, NodeGetInfoResponse.newBuilder().setNodeId("n").setMaxVolumesPerNode(3)),
                sample(
                        3,
                        NodeGetVolumeStatsResponse.newBuilder()
                                .addUsage(VolumeUsage.newBuilder()
                                        .setTotal(9)
                                        .setUsed(3)
                                        .setUnit(VolumeUsage.Unit.BYTES))),
                sample(4, CreateVolumeResponse.newBuilder().setVolume(volume)),
                sample(
                        5,
                        ControllerGetVolumeResponse.newBuilder()
                                .setVolume(volume)
                                .setStatus(ControllerGetVolumeResponse.VolumeStatus.newBuilder()
                                        .addPublishedNodeIds("n"))),
                sample(
                        7,
                        ListSnapshotsResponse.newBuilder()
                                .addEntries(
                                        ListSnapshotsResponse.Entry.newBuilder().setSnapshot(snapshot))
                                .setNextToken("6")),
                sample(
                        10,
                        ListVolumesResponse.newBuilder()
                                .addEntries(
                                        ListVolumesResponse.Entry.newBuilder().setVolume(volume))
                                .setNextToken("6")));
    }

    private static byte[] sample(int call, Message.Builder reply) {
        return First.with(call, reply.build().toByteArray());
    }

    @Override
    public void run(byte[] input) throws Exception {
        Call call = CALLS.get(First.of(input, CALLS.size()));
        Transport transport = new Sent(First.rest(input));
        try (PluginChannel channel = PluginChannel.over(
                transport, "fuzz", CallPolicy.standard(), new SystemTime(), bound -> 0, CallObserver.NONE)) {
            call.make(channel);
        } catch (CsiTrouble trouble) {
            if (trouble.reason().length() > LONGEST_WORDS) {
                throw new AssertionError("a reply makes " + trouble.reason().length() + " words");
            }
            throw new Refused(new Refusal.Invalid(trouble.reason()));
        } catch (Unparsed unparsed) {
            throw new Refused(new Refusal.Invalid("gRPC would not have parsed it"));
        }
    }

    /** No message at all. */
    private static final class Unparsed extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unparsed(InvalidProtocolBufferException why) {
            super(why);
        }
    }

    /** Answers every call with the same bytes, but says first that it can do everything. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Sent(byte[] bytes) implements Transport {
        @Override
        public <Q extends Message, R extends Message> Answer<R> exchange(
                MethodDescriptor<Q, R> method, Q request, Duration limit) {
            return new Reply<>(reply(method));
        }

        @Override
        public <Q extends Message, R extends Message> Answer<Boolean> stream(
                MethodDescriptor<Q, R> method, Q request, Duration limit, Taker<R> taker) {
            throw new IllegalStateException("none of the calls above streams");
        }

        // The prototype is of the method's own type of reply, and so is what is parsed by it.
        @SuppressWarnings("unchecked")
        private <R extends Message> R reply(MethodDescriptor<?, R> method) {
            var marshaller = (MethodDescriptor.PrototypeMarshaller<R>) method.getResponseMarshaller();
            R prototype = Objects.requireNonNull(marshaller.getMessagePrototype());
            try {
                return (R) prototype.getParserForType().parseFrom(bytes);
            } catch (InvalidProtocolBufferException unparsed) {
                throw new Unparsed(unparsed);
            }
        }

        @Override
        public void close() {}
    }
}
