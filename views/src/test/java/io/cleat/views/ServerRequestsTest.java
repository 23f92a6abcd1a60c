package io.cleat.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Chance;
import io.cleat.base.Deadline;
import io.cleat.base.Ids;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Refused;
import io.cleat.base.Secrets;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.model.ControllerCapability;
import io.cleat.model.JobId;
import io.cleat.model.JobSpec;
import io.cleat.model.Listed;
import io.cleat.model.ListedVolume;
import io.cleat.model.NodeFacts;
import io.cleat.model.PluginInstance;
import io.cleat.model.VariableId;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeSpec;
import io.cleat.server.Server;
import io.cleat.server.ServerSettings;
import io.cleat.state.ClusterState;
import io.cleat.state.JobRow;
import io.cleat.state.NodeRow;
import io.cleat.state.TableName;
import io.cleat.state.VariableRow;
import io.cleat.wire.ControllerCall;
import io.cleat.wire.ControllerReply;
import io.cleat.wire.InProcessLink;
import io.cleat.wire.Link;
import io.cleat.wire.OrderOutcome;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import io.cleat.wire.WireFormat;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The views' ports over a whole server with a real log, and a node that answers each order. */
final class ServerRequestsTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir Path directory;
    private final Time time = new SystemTime();
    private final Threads threads = Threads.virtual((where, fault) -> {});
    private Town town;
    private Server server;
    private ServerRequests requests;
    private Link<ToServer, ToNode> link;

    @BeforeEach
    void open() throws Exception {
        town = Town.whole();
        server =
                Server.of(
                        new ServerSettings(directory, "m1", "global", "dc1"),
                        time,
                        Chance.system(),
                        Ids.random(),
                        threads,
                        (where, fault) -> {});
        server.start();
        assertTrue(server.awaitReady(Deadline.in(time, LIMIT)));
        requests = new ServerRequests(server.requests(), time);
        link = InProcessLink.to(server.sessions(), threads).connect(Deadline.in(time, LIMIT));
        link.send(new ToServer.Hello(WireFormat.VERSION, "secret", facts(), null));
        assertTrue(link.receive() instanceof ToNode.Welcome);
        // Welcome is said before the session can be asked anything; this is answered within it.
        link.send(new ToServer.Heartbeat(1));
        while (!(link.receive() instanceof ToNode.HeartbeatSeen)) {}
        threads.vitalWork("node/test", this::answer);
    }

    @AfterEach
    void close() {
        link.close();
        server.close();
    }

    /** The town's node, whose plugin lists and makes volumes. */
    private NodeFacts facts() {
        NodeFacts facts =
                town.state().nodes().stream().map(NodeRow::facts).findFirst().orElseThrow();
        PluginInstance known = facts.plugins().getFirst();
        return new NodeFacts(
                facts.id(),
                facts.name(),
                facts.datacenter(),
                facts.nodePool(),
                facts.nodeClass(),
                facts.httpAddress(),
                facts.attributes(),
                facts.meta(),
                facts.drivers(),
                List.of(
                        new PluginInstance(
                                known.pluginId(),
                                known.allocId(),
                                true,
                                "healthy",
                                known.provider(),
                                known.version(),
                                true,
                                false,
                                Instant.EPOCH,
                                new PluginInstance.Controller(
                                        Set.of(
                                                ControllerCapability.CREATE_DELETE_VOLUME,
                                                ControllerCapability.LIST_VOLUMES),
                                        false),
                                known.node())),
                facts.total(),
                facts.diskMb(),
                facts.bootId(),
                List.of());
    }

    private void answer() throws InterruptedException {
        try {
            while (true) {
                if (link.receive() instanceof ToNode.Order order) {
                    link.send(
                            new ToServer.OrderDone(
                                    order.operationId(), new OrderOutcome.Done(reply(order))));
                }
            }
        } catch (LinkTrouble closed) {
            // The test is over.
        }
    }

    private static ControllerReply reply(ToNode.Order order) {
        return switch (order.call()) {
            case ControllerCall.Create create ->
                    new ControllerReply.Created(
                            "made-" + create.name(), 1 << 20, Map.of(), List.of());
            case ControllerCall.Delete _ -> new ControllerReply.Deleted();
            case ControllerCall.ListVolumes(String token, int most) ->
                    new ControllerReply.Listed(
                            List.of(
                                    new ListedVolume(
                                            "seen " + token + "/" + most,
                                            7,
                                            Map.of(),
                                            List.of(),
                                            true,
                                            "worn out")),
                            "more");
            default -> new ControllerReply.Confirmed();
        };
    }

    private JobSpec job() {
        return town.state().jobs().stream()
                .map(JobRow::spec)
                .filter(spec -> spec.id().id().equals("web"))
                .findFirst()
                .orElseThrow();
    }

    private VolumeSpec volume(String id) {
        VolumeSpec known = town.state().volume(new VolumeId("default", "v1")).orElseThrow().spec();
        return new VolumeSpec(
                new VolumeId("default", id),
                id,
                "",
                known.pluginId(),
                known.capabilities(),
                known.mountOptions(),
                0,
                0,
                Map.of(),
                Map.of(),
                known.topologies(),
                "",
                "");
    }

    @Test
    void aJobIsRegisteredOnceForEachRequestId() throws Exception {
        Writes.Evaluated first =
                requests.registerJob(job(), null, OptionalLong.empty(), 0, "req-1");
        assertFalse(first.evalId().isEmpty());
        assertEquals(first.version(), first.jobModifyVersion());
        ClusterState image = requests.read(false);
        assertEquals(
                first.jobModifyVersion(), image.job(job().id()).orElseThrow().jobModifyVersion());
        Writes.Evaluated again =
                requests.registerJob(job(), null, OptionalLong.empty(), 0, "req-1");
        assertEquals(first.evalId(), again.evalId());
        assertEquals(first.jobModifyVersion(), again.jobModifyVersion());
    }

    @Test
    void aStaleIndexIsRefused() {
        Refused refused =
                assertThrows(
                        Refused.class,
                        () -> requests.registerJob(job(), null, OptionalLong.of(99), 0, ""));
        assertFalse(refused.refusal().message().isEmpty());
    }

    @Test
    void aRehearsalChangesNothing() throws Exception {
        ClusterState before = requests.read(false);
        Writes.Rehearsed rehearsed = requests.rehearse(job(), 0);
        assertTrue(rehearsed.before().job(job().id()).isEmpty());
        assertTrue(rehearsed.after().job(job().id()).isPresent());
        assertTrue(requests.read(false).job(job().id()).isEmpty());
        for (TableName table :
                List.of(TableName.JOBS, TableName.JOB_VERSIONS, TableName.EVALUATIONS)) {
            assertEquals(before.version(table), requests.read(false).version(table), table.name());
        }
    }

    @Test
    void aDeregisteredJobIsEvaluatedAndAnUnknownOneRefused() throws Exception {
        requests.registerJob(job(), null, OptionalLong.empty(), 0, "");
        Writes.Evaluated gone = requests.deregisterJob(job().id(), true, false, false, 0, "");
        assertFalse(gone.evalId().isEmpty());
        Writes.Evaluated nothing =
                requests.deregisterJob(new JobId("default", "none"), false, false, false, 0, "");
        assertEquals("", nothing.evalId());
    }

    @Test
    void stoppingAnUnknownAllocationIsRefused() {
        assertThrows(Refused.class, () -> requests.stopAllocation("none", false, ""));
    }

    @Test
    void aVolumeIsCreatedThenDeleted() throws Exception {
        long made = requests.createVolume(volume("a"), Secrets.none(), "req-a");
        ClusterState image = requests.read(false);
        assertTrue(image.version() >= made);
        VolumeId id = new VolumeId("default", "a");
        assertEquals("made-a", image.volume(id).orElseThrow().spec().externalId());
        assertEquals(made, requests.createVolume(volume("a"), Secrets.none(), "req-a"));
        requests.deleteVolume(id, Secrets.none(), "");
        assertTrue(requests.read(false).volume(id).isEmpty());
        assertThrows(Refused.class, () -> requests.detachVolume(id, Town.NODE, false, "", ""));
    }

    @Test
    void aVolumeIsForgottenWithoutItsPlugin() throws Exception {
        requests.createVolume(volume("b"), Secrets.none(), "");
        requests.deregisterVolume(new VolumeId("default", "b"), false, "");
        assertTrue(requests.read(false).volume(new VolumeId("default", "b")).isEmpty());
    }

    @Test
    void aVariableIsStoredEncrypted_checkedByIndex_lockedAndDeleted() throws Exception {
        VariableId id = new VariableId("default", "nomad/jobs/web");
        Secrets items = Secrets.of(Map.of("password", "s3cr3t"));
        Writes.VariableWritten made =
                requests.putVariable(id, items, OptionalLong.of(0), "", "put-1");
        VariableRow row = requests.read(false).variables().find(id).orElseThrow();
        assertFalse(made.conflicts());
        assertEquals(row.modifyVersion(), made.row().orElseThrow().modifyVersion());
        assertFalse(row.toString().contains("s3cr3t"), row.toString());
        assertFalse(row.items().ciphertext().contains("s3cr3t"));
        assertEquals(items, requests.itemsOf(row));
        assertEquals(
                row.modifyVersion(),
                requests.putVariable(id, items, OptionalLong.of(0), "", "put-1").version());
        Writes.VariableWritten late =
                requests.putVariable(id, items, OptionalLong.of(0), "", "put-2");
        assertTrue(late.conflicts());
        assertEquals(row, late.row().orElseThrow());
        Duration time15 = Duration.ofSeconds(15);
        String lockId =
                requests.lockVariable(id, Secrets.none(), time15, time15, "")
                        .row()
                        .orElseThrow()
                        .held()
                        .orElseThrow()
                        .id();
        assertTrue(requests.deleteVariable(id, OptionalLong.empty(), "").conflicts());
        assertFalse(requests.renewLock(id, lockId, "").conflicts());
        assertTrue(requests.renewLock(id, "made up", "").conflicts());
        assertFalse(requests.releaseLock(id, lockId, "").conflicts());
        assertFalse(requests.deleteVariable(id, OptionalLong.empty(), "").conflicts());
        assertTrue(requests.read(false).variables().find(id).isEmpty());
    }

    @Test
    void thePluginsOwnListIsHandedOnAsItIs() throws Exception {
        Listed<ListedVolume> listed = requests.listVolumes("hp", 30, "page-2");
        assertEquals("more", listed.nextToken());
        ListedVolume entry = listed.entries().getFirst();
        assertEquals("seen page-2/30", entry.externalId());
        assertEquals("worn out", entry.condition());
    }

    @Test
    void collectingGarbageTakesWhatHasEndedAndKeepsRepliesAndWhatIsWanted() throws Exception {
        requests.registerJob(job(), null, OptionalLong.empty(), 0, "kept");
        requests.deregisterJob(job().id(), false, false, false, 0, "");
        requests.createVolume(volume("wanted"), Secrets.none(), "");
        Deadline deadline = Deadline.in(time, LIMIT);
        while (requests.read(false).job(job().id()).isPresent()) {
            assertFalse(deadline.isExpired(), "the job is not collected");
            requests.collectGarbage("");
        }
        ClusterState image = requests.read(false);
        assertEquals(List.of(), image.evaluationsOfJob(job().id()));
        assertTrue(image.request("kept").isPresent());
        assertTrue(image.volume(new VolumeId("default", "wanted")).isPresent());
    }
}
