package io.cleat.clusterapi;

import io.cleat.base.Chance;
import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.Ids;
import io.cleat.base.LinkTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.log.fake.MemoryLog;
import io.cleat.model.ListedSnapshot;
import io.cleat.model.ListedVolume;
import io.cleat.model.NodeFacts;
import io.cleat.server.Server;
import io.cleat.server.intake.Images;
import io.cleat.server.intake.Requests;
import io.cleat.state.ClusterState;
import io.cleat.wire.ControllerCall;
import io.cleat.wire.ControllerReply;
import io.cleat.wire.InProcessLink;
import io.cleat.wire.Link;
import io.cleat.wire.OrderOutcome;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import io.cleat.wire.WireFormat;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A whole server over a log in memory that begins with a sample, and the sample's node, whose plugin answers each call.
 * What is to be made under a name that begins with "bad" it refuses.
 */
public final class ServingSample implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Time time = new SystemTime();
    private final Server server;
    private final Link<ToServer, ToNode> link;

    public ServingSample(SampleCluster sample) throws Exception {
        Threads threads = Threads.virtual((where, fault) -> {});
        server = new Server(
                new MemoryLog(Intake.saved(sample.state())::writeTo),
                new PlainVault(),
                time,
                Chance.system(),
                Ids.random(),
                threads);
        server.start();
        if (!server.awaitReady(Deadline.in(time, LIMIT))) {
            throw new AssertionError("the server does not serve");
        }
        NodeFacts facts = sample.state().node(SampleCluster.NODE).orElseThrow().facts();
        link = InProcessLink.to(server.sessions(), threads).connect(Deadline.in(time, LIMIT));
        link.send(new ToServer.Hello(WireFormat.VERSION, SampleCluster.SECRET, facts, null));
        if (!(link.receive() instanceof ToNode.Welcome)) {
            throw new AssertionError("the node is not let in");
        }
        // Welcome is said before the session can be asked anything; this is answered within it.
        link.send(new ToServer.Heartbeat(1));
        while (!(link.receive() instanceof ToNode.HeartbeatSeen)) {}
        threads.vitalWork("node/test", this::answer);
    }

    Requests requests() {
        return server.requests();
    }

    /** The newest image. */
    public ClusterState state() {
        return server.requests().reads().known();
    }

    public ServerCluster cluster() {
        return cluster(requests().reads());
    }

    public ServerCluster cluster(Images images) {
        return SampleCluster.cluster(images, requests());
    }

    private void answer() throws InterruptedException {
        try {
            while (true) {
                if (link.receive() instanceof ToNode.Order order) {
                    link.send(new ToServer.OrderDone(order.operationId(), outcome(order.call())));
                }
            }
        } catch (LinkTrouble closed) {
            // The test is over.
        }
    }

    private static OrderOutcome outcome(ControllerCall call) {
        return switch (call) {
            case ControllerCall.Create create
            when create.name().startsWith("bad") -> refused("no room for " + create.name());
            case ControllerCall.CreateSnapshot create
            when create.name().startsWith("bad") -> refused("no room for " + create.name());
            default -> new OrderOutcome.Done(reply(call));
        };
    }

    private static OrderOutcome refused(String words) {
        return new OrderOutcome.Failed(Effect.NONE, "ResourceExhausted", words);
    }

    private static ControllerReply reply(ControllerCall call) {
        return switch (call) {
            case ControllerCall.Create create ->
                new ControllerReply.Created("made-" + create.name(), 1 << 20, Map.of(), List.of());
            case ControllerCall.Expand expand -> new ControllerReply.Expanded(expand.capacityMin(), false);
            case ControllerCall.Delete _ -> new ControllerReply.Deleted();
            case ControllerCall.ListVolumes(String token, int most) ->
                new ControllerReply.Listed(
                        List.of(new ListedVolume(
                                "seen " + token + "/" + most, 7, Map.of(), List.of(), true, "worn out")),
                        "more");
            case ControllerCall.CreateSnapshot create ->
                new ControllerReply.SnapshotCreated(
                        new ListedSnapshot("snap-" + create.name(), "x1", 20_971_520, Instant.EPOCH, true));
            case ControllerCall.ListSnapshots _ ->
                new ControllerReply.SnapshotsListed(
                        List.of(new ListedSnapshot("s1", "x1", 5, Instant.EPOCH, false)), "next");
            case ControllerCall.DeleteSnapshot _ -> new ControllerReply.SnapshotDeleted();
            default -> new ControllerReply.Confirmed();
        };
    }

    @Override
    public void close() {
        link.close();
        server.close();
    }
}
