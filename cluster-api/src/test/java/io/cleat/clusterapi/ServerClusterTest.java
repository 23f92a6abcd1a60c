package io.cleat.clusterapi;

import static io.cleat.state.VolumeProgress.Phase.PUBLISHED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.CsiPlugin;
import io.cleat.api.CsiVolume;
import io.cleat.api.CsiVolumeStub;
import io.cleat.api.DrainStrategy;
import io.cleat.api.EvalDeleteResponse;
import io.cleat.api.Evaluation;
import io.cleat.api.Job;
import io.cleat.api.JobParseRequest;
import io.cleat.api.JobPlanRequest;
import io.cleat.api.JobRegisterRequest;
import io.cleat.api.Json;
import io.cleat.api.Metrics;
import io.cleat.api.Node;
import io.cleat.api.NodeDrainProgress;
import io.cleat.api.PluginLane;
import io.cleat.api.Rows;
import io.cleat.api.SearchRequest;
import io.cleat.api.VolumeOperation;
import io.cleat.api.VolumeWhy;
import io.cleat.base.EarlyEnd;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.clusterapi.evaluations.EvaluationAnswers;
import io.cleat.clusterapi.volumes.VolumeAnswers;
import io.cleat.http.Filter;
import io.cleat.http.ListQuery;
import io.cleat.http.QueryParams;
import io.cleat.http.ReadQuery;
import io.cleat.http.WriteQuery;
import io.cleat.model.BlockedBy;
import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobId;
import io.cleat.model.TaskState;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeSpec;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.ClaimState;
import io.cleat.state.ClusterState;
import io.cleat.state.DeploymentRow;
import io.cleat.state.DeploymentStatus;
import io.cleat.state.Encrypted;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import io.cleat.state.HoldingId;
import io.cleat.state.HoldingRow;
import io.cleat.state.JobRow;
import io.cleat.state.NodeDrain;
import io.cleat.state.NodeRow;
import io.cleat.state.NodeStatus;
import io.cleat.state.OperationCall;
import io.cleat.state.OperationPast;
import io.cleat.state.OperationRow;
import io.cleat.state.OperationState;
import io.cleat.state.OtherPastRow;
import io.cleat.state.Trigger;
import io.cleat.state.VolumeProgress;
import io.cleat.state.VolumeRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What the views say, and what they wait for. */
public final class ServerClusterTest {
    private static final ReadQuery NOW = ReadQuery.now("default");
    private static final ListQuery ALL = ListQuery.all("default");
    private static final WriteQuery WRITE = new WriteQuery("default", "r-1");

    @Test
    void aPluginIsThereOnceAJobNamesIt() throws Exception {
        CsiPlugin plugin =
                Town.start()
                        .node()
                        .pluginJob()
                        .cluster()
                        .plugins()
                        .get(NOW, "hp")
                        .body()
                        .orElseThrow();
        assertEquals("", plugin.Provider());
        assertEquals(0, plugin.NodesHealthy());
        assertNull(plugin.Allocations());
        assertEquals(Map.of(), plugin.Nodes());
        assertTrue(Json.toTree(plugin).at("/NodeJobs/default").has("hostpath"));
        assertEquals(
                1,
                Town.whole()
                        .cluster()
                        .plugins()
                        .get(NOW, "hp")
                        .body()
                        .orElseThrow()
                        .NodesExpected());
    }

    @Test
    void aPluginsJobSaysHowWideItsLanesAre() throws Exception {
        Town town = Town.start().node().apply(pluginJob(Map.of("cleat.lane_width.detach", "2")));
        assertEquals(
                Map.of(
                        "attach",
                        16,
                        "detach",
                        2,
                        "create",
                        8,
                        "delete",
                        4,
                        "expand",
                        4,
                        "snapshot",
                        8),
                widths(town));
        town.apply(pluginJob(Map.of("cleat.lane_width", "1", "cleat.lane_width.attach", "3")));
        assertEquals(
                Map.of(
                        "attach",
                        3,
                        "detach",
                        1,
                        "create",
                        1,
                        "delete",
                        1,
                        "expand",
                        1,
                        "snapshot",
                        1),
                widths(town));
    }

    @Test
    void aLaneThatIsNoneAndAWidthThatIsNoneAreRefused() {
        assertTrue(laneRefusal("cleat.lane_width.atach", "2").contains("names no lane; there are"));
        assertTrue(laneRefusal("cleat.lane_width", "0").contains("from 1 to 56, got: \"0\""));
        assertTrue(laneRefusal("cleat.lane_width", "many").contains("got: \"many\""));
        assertTrue(laneRefusal("cleat.lane_width", "20").contains("120 wide together; at most 56"));
    }

    private static String laneRefusal(String key, String value) {
        return assertThrows(Refused.class, () -> pluginJob(Map.of(key, value))).refusal().message();
    }

    private static Change pluginJob(Map<String, String> meta) throws Refused {
        JsonNode job = Recording.of("12-register-plugin-job").request().get("body").get("Job");
        ObjectNode task = (ObjectNode) job.at("/TaskGroups/0/Tasks/0");
        ObjectNode metaNode = task.putObject("Meta");
        meta.forEach(metaNode::put);
        return new Change.JobPut(Town.jobRow(Town.spec(Json.fromTree(job, Job.class))));
    }

    private static Map<String, Integer> widths(Town town) throws Exception {
        Map<String, Integer> widths = new HashMap<>();
        for (PluginLane lane : town.cluster().plugins().lanes(NOW, "hp").body().orElseThrow()) {
            widths.put(lane.Name(), lane.Width());
        }
        return widths;
    }

    @Test
    void anExpansionThatAUserDoesNotSeeYetIsToldWithWhatItWaitsFor() throws Exception {
        Town town = Town.whole();
        VolumeRow row = town.state().volume(Town.VOLUME).orElseThrow();
        town.apply(new Change.VolumePut(row.grown(20971520, true, Town.AT)));
        VolumeWhy why = town.cluster().volumes().why(NOW, "v1").body().orElseThrow();
        assertTrue(why.State().endsWith("its new size waits for one allocation"), why.State());
        VolumeWhy.Waiting waiting =
                why.Waiting().stream()
                        .filter(each -> each.Step().equals("expand"))
                        .findFirst()
                        .orElseThrow();
        assertEquals(
                "expansion to 20971520 bytes for allocation " + Town.WEB_ALLOC, waiting.What());
        assertEquals("node vm was told and has not answered yet", waiting.Hint());

        BlockedBy said =
                new BlockedBy(
                        "expand", "plugin hp", Town.AT, Town.AT.plusSeconds(5), "asked again");
        town.apply(report(new VolumeProgress(Town.VOLUME, 1, PUBLISHED, 0, said)));
        waiting = town.cluster().volumes().why(NOW, "v1").body().orElseThrow().Waiting().getFirst();
        assertEquals("asked again", waiting.Hint());
        assertEquals(Town.AT.plusSeconds(5), waiting.NextTry());

        town.apply(new Change.NodeStatusChanged(Town.NODE, NodeStatus.DOWN, "not heard"));
        town.apply(report(new VolumeProgress(Town.VOLUME, 1, PUBLISHED, 0, null)));
        waiting = town.cluster().volumes().why(NOW, "v1").body().orElseThrow().Waiting().getFirst();
        assertEquals("node vm expands it once it is back", waiting.Hint());

        town.apply(report(new VolumeProgress(Town.VOLUME, 1, PUBLISHED, 20971520, null)));
        assertEquals(
                List.of(), town.cluster().volumes().why(NOW, "v1").body().orElseThrow().Waiting());
    }

    /** Of the volume {@code v9}, which is not registered. */
    public static Change creating(Town town, OperationState state) {
        VolumeSpec made = town.state().volume(Town.VOLUME).orElseThrow().spec();
        VolumeSpec spec =
                new VolumeSpec(
                        new VolumeId("default", "v9"),
                        "v9",
                        "",
                        "hp",
                        made.capabilities(),
                        made.mountOptions(),
                        0,
                        0,
                        Map.of(),
                        Map.of(),
                        made.topologies(),
                        "",
                        "");
        return operation("op-1", new OperationCall.Create(spec, Encrypted.NONE), state);
    }

    static Change operation(String id, OperationCall call, OperationState state) {
        return new Change.OperationPut(
                new OperationRow(
                        id,
                        "hp",
                        Town.NODE,
                        "p",
                        1,
                        call,
                        state,
                        true,
                        null,
                        4,
                        null,
                        Town.AT,
                        new BlockedBy(
                                "call", "plugin hp (Internal: no)", Town.AT, null, "made again"),
                        OperationPast.NONE,
                        0,
                        0));
    }

    /** The words of the refusal sent people to "volume why", which knew no such volume. */
    @Test
    void aVolumeThatIsStillBeingMade_tellsWhatItsCallWaitsFor() throws Exception {
        Town town = Town.whole();
        assertEquals(Optional.empty(), town.cluster().volumes().why(NOW, "v9").body());
        town.apply(creating(town, OperationState.UNKNOWN));
        VolumeWhy why = town.cluster().volumes().why(NOW, "v9").body().orElseThrow();
        assertEquals("v9", why.ID());
        VolumeWhy.Waiting waiting = why.Waiting().getFirst();
        assertEquals("call CreateVolume (unknown, tries 4)", waiting.What());
        assertEquals("plugin hp (Internal: no)", waiting.Holder());
    }

    /** They were in no list; a snapshot's deletion could be seen nowhere. */
    @Test
    void callsThatAreNotSettled_areListed_aSnapshotsDeletionToo() throws Exception {
        Town town = Town.whole();
        town.apply(
                creating(town, OperationState.SENT),
                operation(
                        "op-2",
                        new OperationCall.DeleteSnapshot("snap-1", Encrypted.NONE),
                        OperationState.UNKNOWN));
        VolumeAnswers volumes = town.cluster().volumes();
        List<VolumeOperation> all = volumes.operations(NOW, "").body();
        assertEquals(
                List.of("CreateVolume v9", "DeleteSnapshot snap-1"),
                all.stream()
                        .map(one -> one.Call() + " " + one.VolumeID() + one.SnapshotID())
                        .toList());
        assertEquals("Internal: no", all.getFirst().Words());
        assertEquals("sent", all.getFirst().State());
        assertEquals("op-2", volumes.operations(NOW, "snap-1").body().getFirst().ID());
        assertEquals(
                "call DeleteSnapshot (unknown, tries 4)",
                volumes.why(NOW, "snap-1").body().orElseThrow().Waiting().getFirst().What());
    }

    private static Change report(VolumeProgress progress) {
        return new Change.AllocationReported(
                Town.WEB_ALLOC,
                ClientStatus.RUNNING,
                "",
                Map.of(),
                Map.of("data", progress),
                null,
                null);
    }

    @Test
    void aStoppedJobExpectsNothing() throws Exception {
        Town town = Town.whole().apply(new Change.JobStopped(new JobId("default", "hostpath")));
        CsiPlugin plugin = town.cluster().plugins().get(NOW, "hp").body().orElseThrow();
        assertEquals(0, plugin.ControllersExpected());
        assertEquals(1, plugin.ControllersHealthy());
    }

    @Test
    void aReleasingClaimStillCounts() throws Exception {
        BlockedBy wait = new BlockedBy("unpublish", "node vm", Town.AT, null, "when it reports");
        Town town =
                Town.whole()
                        .apply(
                                new Change.ClaimPut(
                                        Town.claim(
                                                Town.CLAIM, false, ClaimState.RELEASING, 9, wait)));
        CsiVolume volume = town.cluster().volumes().get(NOW, "v1").body().orElseThrow();
        assertEquals("single-node-writer", volume.AccessMode());
        assertTrue(volume.WriteAllocs().containsKey(Town.WEB_ALLOC));
        town.apply(new Change.ClaimRemoved(Town.CLAIM));
        CsiVolume free = town.cluster().volumes().get(NOW, "v1").body().orElseThrow();
        assertEquals("", free.AccessMode());
        assertEquals("", free.AttachmentMode());
        assertEquals(Map.of(), free.WriteAllocs());
    }

    @Test
    void noViewTellsASecret() throws Exception {
        ServerCluster cluster = Town.whole().secondWriter().cluster();
        List<Object> views = new ArrayList<>();
        views.add(cluster.volumes().list(ALL, "", "").body());
        views.add(cluster.volumes().get(NOW, "v1").body().orElseThrow());
        views.add(cluster.volumes().why(NOW, "v1").body().orElseThrow());
        views.add(cluster.plugins().get(NOW, "hp").body().orElseThrow());
        views.add(cluster.jobs().list(ALL, true).body());
        views.add(cluster.jobs().get(NOW, "web").body().orElseThrow());
        views.add(cluster.allocations().get(NOW, Town.WEB_ALLOC).body().orElseThrow());
        views.add(cluster.evaluations().list(ALL, "", "").body());
        views.add(cluster.nodes().get(NOW, Town.NODE).body().orElseThrow());
        views.add(cluster.allocations().ofNode(NOW, Town.NODE).body());
        for (Object view : views) {
            assertFalse(Json.text(view).contains(Town.SECRET), () -> Json.text(view));
            assertFalse(Json.text(view).contains(Town.DIGEST), () -> Json.text(view));
        }
    }

    @Test
    void aBlockedEvaluationSaysOnWhomAndWhatNext() throws Exception {
        ServerCluster cluster = Town.whole().secondWriter().cluster();
        Evaluation blocked =
                cluster.evaluations().list(ALL, "web2", "blocked").body().first().orElseThrow();
        assertEquals(
                "created to place remaining allocations: since "
                        + Town.AT
                        + " it has waited for volume v1, held by allocation "
                        + Town.WEB_ALLOC
                        + " of job web on node vm since "
                        + Town.AT
                        + "; it is placed by itself once that claim is released",
                blocked.StatusDescription());
        assertEquals(List.of("csi-volume:default:v1"), blocked.MissingNonNodeResources());
        VolumeWhy why = cluster.volumes().why(NOW, "v1").body().orElseThrow();
        assertEquals(
                "in use as single-node-writer by one allocation; one job waits for it",
                why.State());
        VolumeWhy.Waiting waiting = why.Waiting().getFirst();
        assertEquals("evaluation " + blocked.ID() + " of job web2", waiting.What());
        assertTrue(waiting.Holder().contains(Town.WEB_ALLOC), waiting.Holder());
        assertEquals(Town.AT, waiting.Since());
        assertEquals("published", why.Claims().getFirst().Step());
        assertEquals("web", why.Claims().getFirst().JobID());
        assertEquals("NodeStageVolume", why.Events().getFirst().Call());
    }

    @Test
    void lanesOfAPluginAreCountedAndMetered() throws Exception {
        ServerCluster cluster = Town.whole().cluster();
        List<PluginLane> lanes = cluster.plugins().lanes(NOW, "hp").body().orElseThrow();
        assertEquals(
                List.of("attach", "detach", "create", "delete", "expand", "snapshot"),
                lanes.stream().map(PluginLane::Name).toList());
        assertEquals(16, lanes.getFirst().Width());
        assertTrue(cluster.plugins().lanes(NOW, "none").body().isEmpty());
        Metrics metrics = cluster.operator().metrics();
        assertTrue(
                metrics.Gauges()
                        .contains(
                                new Metrics.Figure(
                                        Map.of("plugin", "hp", "lane", "attach"),
                                        "cleat.plugin.lane.width",
                                        16)),
                metrics::toString);
        assertTrue(
                metrics.Gauges()
                        .contains(
                                new Metrics.Figure(Map.of("state", "granted"), "cleat.claims", 1)),
                metrics::toString);
    }

    @Test
    void whyOfAVolumeWhosePluginIsAbsent_saysWhatItsJobDoes() throws Exception {
        assertEquals(
                "free: nobody uses it; no node has its plugin hp: no job runs it; run one with a"
                        + " csi_plugin block of this id",
                stateOf(Town.start().node().volume()));
        assertEquals(
                "free: nobody uses it; no node has its plugin hp: job hostpath runs nowhere; to see"
                        + " why: cleat job status hostpath",
                stateOf(Town.start().node().volume().pluginJob()));
        Town placed = Town.start().node().volume().plugin();
        placed.apply(new Change.NodeFactsChanged(Town.nodeRow(Town.NODE, List.of()).facts()));
        assertEquals(
                "free: nobody uses it; no node has its plugin hp: job hostpath on node vm starts it",
                stateOf(placed));
        placed.apply(
                new Change.AllocationReported(
                        Town.PLUGIN_ALLOC,
                        ClientStatus.PENDING,
                        "",
                        Map.of(
                                "plugin",
                                new TaskState(
                                        TaskState.Phase.PENDING,
                                        false,
                                        2,
                                        Town.AT,
                                        null,
                                        null,
                                        List.of())),
                        Map.of(),
                        null,
                        null));
        assertEquals(
                "free: nobody uses it; no node has its plugin hp: job hostpath on node vm restarts"
                        + " its task by itself (restarts so far: 2)",
                stateOf(placed));
    }

    @Test
    void whyOfAVolume_tellsOfARecoveryAndOfWhatIsHeldSince() throws Exception {
        Town town = Town.start().node().volume();
        String held =
                "held since before the recovery: allocation lost on node vm, which this cluster does"
                        + " not know, has it";
        town.apply(
                new Change.OtherPastPut(
                        new OtherPastRow(Town.NODE, "vm", 9, "", 5, Town.AT, true, 0, 0)),
                new Change.HoldingPut(
                        new HoldingRow(
                                new HoldingId(Town.NODE, Town.KEY, "lost", "data"),
                                Town.AT,
                                0,
                                0)));
        String recovering = stateOf(town);
        assertTrue(
                recovering.startsWith("the cluster is in recovery since " + Town.AT), recovering);
        assertTrue(recovering.contains("see operator recovery; " + held), recovering);
        town.apply(
                new Change.OtherPastPut(
                        new OtherPastRow(Town.NODE, "vm", 9, "", 5, Town.AT, false, 0, 0)));
        assertTrue(stateOf(town).startsWith(held), stateOf(town));
    }

    private static String stateOf(Town town) throws Exception {
        return town.cluster().volumes().why(NOW, "v1").body().orElseThrow().State();
    }

    @Test
    void whyOfAVolume_tellsOfAJobThatWaitsForItsPluginOrPlace() throws Exception {
        Town town = Town.start().node().volume().web();
        JobRow job = town.state().job(new JobId("default", "web")).orElseThrow();
        town.apply(
                new Change.EvaluationPut(
                        EvaluationRow.pending(
                                        "bbbb0000-0000-0000-0000-000000000001",
                                        job,
                                        50,
                                        Trigger.QUEUED_ALLOCS,
                                        "",
                                        Town.AT)
                                .edit()
                                .status(EvaluationStatus.BLOCKED, "", Town.AT)
                                .failedGroups(Map.of("g", Town.metric()))
                                .blockedOn(
                                        List.of(),
                                        true,
                                        new BlockedBy(
                                                "place",
                                                "a node that can take it (did not meet topology"
                                                        + " requirement)",
                                                Town.AT,
                                                null,
                                                "it is tried again"))
                                .done()));
        VolumeWhy why = town.cluster().volumes().why(NOW, "v1").body().orElseThrow();
        assertTrue(why.State().contains("one job waits for it"), why.State());
        assertEquals(
                "a node that can take it (did not meet topology requirement)",
                why.Waiting().getFirst().Holder());
    }

    @Test
    void relatedEvaluationsAreFoundThroughTheirLinks() throws Exception {
        ServerCluster cluster = Town.whole().secondWriter().cluster();
        Evaluation one =
                cluster.evaluations()
                        .get(NOW, "aaaa0000-0000-0000-0000-000000000001", true)
                        .body()
                        .orElseThrow();
        JsonNode related = Json.toTree(one).get("RelatedEvals");
        assertEquals(1, related.size());
        assertEquals("aaaa0000-0000-0000-0000-000000000002", related.get(0).get("ID").asString());
        assertNull(
                cluster.evaluations()
                        .get(NOW, one.ID(), false)
                        .body()
                        .orElseThrow()
                        .RelatedEvals());
    }

    @Test
    void aBlockedQueryWaitsForItsTable() throws Exception {
        Town town = Town.start().node().plugin();
        FixedImages images = new FixedImages(town.state());
        long before = town.state().version();
        images.then(town.web().state());
        images.then(town.volume().state());
        ServerCluster cluster = Town.cluster(images, Intake.idle());
        var answer =
                cluster.volumes()
                        .list(
                                new ListQuery(
                                        new ReadQuery(
                                                "default",
                                                before,
                                                Duration.ofSeconds(1),
                                                false,
                                                EarlyEnd.NEVER),
                                        "",
                                        Filter.ALL,
                                        0,
                                        "",
                                        false),
                                "",
                                "");
        assertEquals(1, answer.body().toList().size());
        assertEquals(town.state().version(), answer.meta().index());
    }

    @Test
    void anEmptyTableIsOfVersionOne() throws Exception {
        ServerCluster cluster = Town.start().cluster();
        assertEquals(1, cluster.volumes().list(ALL, "", "").meta().index());
        assertEquals(1, cluster.volumes().get(NOW, "none").meta().index());
        assertTrue(cluster.volumes().get(NOW, "none").body().isEmpty());
        assertEquals(1, cluster.hostVolumes().list(ALL, "", "").meta().index());
    }

    @Test
    void pagesFollowEachOtherBothWays() throws Exception {
        Town town = Town.start().node().plugin().volume();
        VolumeRow row = town.state().volume(Town.VOLUME).orElseThrow();
        for (String id : List.of("v2", "v3", "w1")) {
            town.apply(new Change.VolumePut(renamed(row, id)));
        }
        ServerCluster cluster = town.cluster();
        var first = cluster.volumes().list(page("v", 2, "", false), "", "");
        assertEquals(List.of("v1", "v2"), ids(first.body()));
        assertEquals("default.v3", first.meta().nextToken());
        var second = cluster.volumes().list(page("v", 2, "default.v3", false), "hp", "");
        assertEquals(List.of("v3"), ids(second.body()));
        assertEquals("", second.meta().nextToken());
        var back = cluster.volumes().list(page("", 2, "default.v3", true), "", "");
        assertEquals(List.of("v3", "v2"), ids(back.body()));
        assertEquals("default.v1", back.meta().nextToken());
        assertEquals(
                List.of("v3", "v2", "v1"),
                ids(cluster.volumes().list(page("v", 0, "", true), "", "").body()));
        assertEquals(
                List.of("v2", "v1"),
                ids(cluster.volumes().list(page("v", 0, "default.v2", true), "hp", "").body()));
        assertEquals(
                List.of("v1", "v2", "v3", "w1"),
                ids(cluster.volumes().list(ListQuery.all("*"), "", "").body()));
        assertEquals(List.of(), ids(cluster.volumes().list(ListQuery.all("other"), "", "").body()));
    }

    @Test
    void aNodesVolumesAreThoseItsAllocationsName() throws Exception {
        ServerCluster cluster = Town.whole().cluster();
        assertEquals(List.of("v1"), ids(cluster.volumes().list(ALL, "", Town.NODE).body()));
        assertEquals(List.of("v1"), ids(cluster.volumes().list(ALL, "hp", Town.NODE).body()));
        assertEquals(List.of(), ids(cluster.volumes().list(ALL, "other", Town.NODE).body()));
        assertEquals(
                List.of("v1"),
                ids(cluster.volumes().list(page("v", 1, "", true), "", Town.NODE).body()));
        assertEquals(
                List.of(),
                ids(
                        cluster.volumes()
                                .list(page("v", 1, "default.v2", false), "", Town.NODE)
                                .body()));
        assertEquals(List.of(), ids(cluster.volumes().list(ALL, "", "other").body()));
    }

    /** A node that was down had none, and its volumes could be had nowhere else. */
    @Test
    void aNodesVolumesAreThoseItStillHolds() throws Exception {
        Town town = Town.whole();
        AllocationRow web = town.state().allocation(Town.WEB_ALLOC).orElseThrow();
        town.apply(
                new Change.AllocationPut(
                        web.edit()
                                .desired(DesiredStatus.STOP, "alloc is lost since its node is down")
                                .status(ClientStatus.LOST, "node down")
                                .done()));
        ServerCluster cluster = town.cluster();
        assertEquals(List.of("v1"), ids(cluster.volumes().list(ALL, "", Town.NODE).body()));
        town.apply(new Change.ClaimRemoved(Town.CLAIM));
        assertEquals(List.of(), ids(town.cluster().volumes().list(ALL, "", Town.NODE).body()));
    }

    @Test
    void aFaultyJobIsRefusedWithAllItsFaults() throws Exception {
        Job job = Json.read("{\"ID\":\"x y\",\"Type\":\"odd\"}", Job.class);
        Refused refused =
                assertThrows(
                        Refused.class,
                        () -> Town.start().cluster().jobWrites().register(WRITE, register(job)));
        String text = refused.refusal().message();
        assertTrue(text.startsWith("3 errors occurred:\n\t* "), text);
        assertTrue(text.contains("Job ID contains a space"), text);
    }

    @Test
    void aJobIsRegisteredInItsNamespaceUnderTheRequestsId() throws Exception {
        Town town = Town.whole();
        Job job =
                Json.fromTree(
                        Recording.of("28-register-job").request().get("body").get("Job"),
                        Job.class);
        try (Intake intake = Intake.over(town.state())) {
            var answer = intake.cluster().jobWrites().register(WRITE, register(job)).body();
            JobRow web = intake.state().job(new JobId("default", "web")).orElseThrow();
            assertEquals(web.id(), intake.state().evaluation(answer.EvalID()).orElseThrow().job());
            assertEquals(intake.state().version(), answer.Index());
            assertEquals(web.jobModifyVersion(), answer.JobModifyIndex());
            assertTrue(intake.state().request("r-1").isPresent());
            var again = intake.cluster().jobWrites().register(WRITE, register(job)).body();
            assertEquals(answer.EvalID(), again.EvalID(), "done twice");
            var other = new JobRegisterRequest(true, 99, job, 0, "", false, false, false, "", null);
            assertThrows(
                    Refused.class,
                    () ->
                            intake.cluster()
                                    .jobWrites()
                                    .register(new WriteQuery("default", ""), other));
        }
    }

    @Test
    void anUnreadableJobFileIsMalformedWithItsPlace() throws Exception {
        Refused refused =
                assertThrows(
                        Refused.class,
                        () ->
                                Town.start()
                                        .cluster()
                                        .jobDrafts()
                                        .parse(new JobParseRequest(false, "job \"x\" {", "")));
        assertTrue(refused.refusal() instanceof Refusal.Malformed);
        assertTrue(
                refused.refusal().message().startsWith("Failed to parse job: input.hcl:1,"),
                refused.refusal().message());
    }

    @Test
    void anUnchangedJobPlansNothing() throws Exception {
        JsonNode shown;
        try (Intake intake = Intake.over(Town.whole().state())) {
            JobPlanRequest request =
                    Json.fromTree(
                            Recording.of("27-plan").request().get("body"), JobPlanRequest.class);
            shown = Json.toTree(intake.cluster().jobDrafts().plan(WRITE, "web", request).body());
        }
        assertEquals("None", shown.at("/Diff/Type").asString());
        assertEquals(1, shown.at("/Annotations/DesiredTGUpdates/g/Ignore").asInt());
        assertEquals(0, shown.at("/Annotations/DesiredTGUpdates/g/Place").asInt());
    }

    @Test
    void evaluationsAreCountedAsTheyAreListed_andDeletedInPartsByAFilter() throws Exception {
        Town town = Town.whole();
        JobRow web = town.state().job(new JobId("default", "web")).orElseThrow();
        for (int i = 0; i < 600; i++) {
            town.apply(
                    new Change.EvaluationPut(
                            EvaluationRow.pending(
                                            "e%03d".formatted(i),
                                            web,
                                            50,
                                            Trigger.JOB_REGISTER,
                                            "",
                                            Town.AT)
                                    .edit()
                                    .status(EvaluationStatus.COMPLETE, "", Town.AT)
                                    .done()));
        }
        try (Intake intake = Intake.over(town.state())) {
            deletesEvaluations(intake, intake.cluster().evaluations());
        }
    }

    private static void deletesEvaluations(Intake intake, EvaluationAnswers evaluations)
            throws Exception {
        Filter filter = QueryParams.filter("JobID == \"web\"");
        long count =
                evaluations
                        .count(new ListQuery(NOW, "", filter, 0, "", false), "", "")
                        .body()
                        .Count();
        assertEquals(601, count);
        assertEquals(
                0, evaluations.deleteMatching(new WriteQuery("team", ""), filter).body().Count());
        Refused needed =
                assertThrows(
                        Refused.class,
                        () -> evaluations.delete(WRITE, List.of("e000", Town.WEB_EVAL)));
        assertTrue(needed.refusal().message().contains(Town.WEB_EVAL), needed.toString());
        long before = intake.state().version();
        assertEquals(
                new EvalDeleteResponse(1, before + 1, 0),
                evaluations.delete(WRITE, List.of("e000")).body());
        assertEquals(
                new EvalDeleteResponse(599, before + 3, 1),
                evaluations.deleteMatching(WRITE, filter).body(),
                "all others but the one that is needed, in two parts");
    }

    @Test
    void evaluatingANode_saysTheEvaluationsAndTheirVersion() throws Exception {
        Town town = Town.whole();
        try (Intake intake = Intake.over(town.state())) {
            var answer = intake.cluster().nodes().evaluate(WRITE, Town.NODE);
            List<String> made =
                    intake.state().evaluations().stream()
                            .filter(row -> row.status() == EvaluationStatus.PENDING)
                            .map(EvaluationRow::id)
                            .toList();
            assertEquals(2, made.size(), "of the service, and of the system job");
            long node = intake.state().node(Town.NODE).orElseThrow().modifyVersion();
            assertEquals(
                    Set.copyOf(made), Set.copyOf(Objects.requireNonNull(answer.body().EvalIDs())));
            assertEquals(intake.state().version(), answer.meta().index());
            assertEquals(node, answer.body().NodeModifyIndex());
        }
    }

    @Test
    void searchCutsAtTwenty() throws Exception {
        Town town = Town.start();
        town.volume();
        VolumeRow row = town.state().volume(Town.VOLUME).orElseThrow();
        for (int i = 0; i < 30; i++) {
            town.apply(new Change.VolumePut(renamed(row, "x" + i)));
        }
        var found = town.cluster().search().find(NOW, new SearchRequest("volumes", "x")).body();
        assertEquals(20, Json.toTree(found).at("/Matches/volumes").size());
        assertEquals(Map.of("volumes", true), found.Truncations());
        assertThrows(
                Refused.class,
                () -> town.cluster().search().find(NOW, new SearchRequest("odd", "x")));
    }

    /** Completion offered "default" alone, whatever pools nodes were started in. */
    @Test
    void theSearchKnowsTheSamePoolsAsTheirList() throws Exception {
        ServerCluster cluster = Town.whole().cluster();
        var found = cluster.search().find(NOW, new SearchRequest("node_pools", "")).body();
        assertEquals(Map.of("node_pools", List.of("all", "default")), found.Matches());
    }

    @Test
    void anAllocationThatIsNotThereIsNotStopped() throws Exception {
        ClusterState state = Town.start().state();
        Refused refused =
                assertThrows(
                        Refused.class,
                        () ->
                                Town.cluster(new FixedImages(state), Intake.idle())
                                        .allocations()
                                        .stop(WRITE, Town.WEB_ALLOC, false));
        assertEquals("alloc not found", refused.refusal().message());
    }

    @Test
    void anAllocationOfAnotherNamespaceIsNotStopped() throws Exception {
        ServerCluster cluster = Town.whole().cluster();
        Refused refused =
                assertThrows(
                        Refused.class,
                        () ->
                                cluster.allocations()
                                        .stop(new WriteQuery("team", ""), Town.WEB_ALLOC, false));
        assertEquals("alloc not found", refused.refusal().message());
        assertInstanceOf(Refusal.NotFound.class, refused.refusal());
    }

    /** As CVE-2025-4922 and its like: what begins with a prefix is looked for in one namespace. */
    @Test
    void whatBeginsWithAPrefixIsFoundInItsNamespaceOnly() throws Exception {
        ServerCluster cluster =
                Town.whole()
                        .apply(
                                new Change.DeploymentPut(
                                        new DeploymentRow(
                                                "d0d01234-a9a8-15bd-ec14-632c3b289daa",
                                                new JobId("default", "web"),
                                                1,
                                                1,
                                                DeploymentStatus.RUNNING,
                                                "",
                                                Map.of(),
                                                Town.AT,
                                                Town.AT,
                                                0,
                                                0)))
                        .cluster();
        String alloc = Town.WEB_ALLOC.substring(0, 4);
        String eval = Town.WEB_EVAL.substring(0, 4);
        for (String[] each :
                List.of(
                        new String[] {"allocs", alloc},
                        new String[] {"evals", eval},
                        new String[] {"jobs", "w"},
                        new String[] {"deployment", "d0d0"},
                        new String[] {"volumes", "v"})) {
            SearchRequest search = new SearchRequest(each[0], each[1]);
            for (String namespace : List.of("default", "*")) {
                assertEquals(
                        1,
                        found(cluster, namespace, search),
                        each[0] + " of namespace " + namespace);
            }
            for (String namespace : List.of("team", "def", "defaultx", "d*")) {
                assertEquals(
                        0,
                        found(cluster, namespace, search),
                        each[0] + " of namespace " + namespace);
            }
        }
        ListQuery ours = prefix("default", alloc);
        ListQuery theirs = prefix("team", alloc);
        assertEquals(1, cluster.allocations().list(ours, false, false).body().toList().size());
        assertEquals(0, cluster.allocations().list(theirs, false, false).body().toList().size());
        assertEquals(List.of(), ids(cluster.volumes().list(prefix("team", "v"), "", "").body()));
    }

    private static int found(ServerCluster cluster, String namespace, SearchRequest search)
            throws Exception {
        var answer = cluster.search().find(ReadQuery.now(namespace), search).body();
        return Json.toTree(answer).at("/Matches/" + search.Context()).size();
    }

    private static ListQuery prefix(String namespace, String prefix) {
        return new ListQuery(ReadQuery.now(namespace), prefix, Filter.ALL, 0, "", false);
    }

    @Test
    void aDrainSaysWhatItWaitsForAndLeavesNoTraceOfForce() throws Exception {
        NodeRow node = Town.nodeRow(Town.NODE, List.of());
        NodeDrain drain =
                new NodeDrain(
                        NodeDrain.Status.DRAINING,
                        Duration.ofSeconds(-1),
                        false,
                        Town.AT,
                        Town.AT,
                        null,
                        Map.of());
        ServerCluster cluster =
                Town.whole().apply(new Change.NodePut(node.withDrain(drain, false))).cluster();
        Node shown = cluster.nodes().get(NOW, Town.NODE).body().orElseThrow();
        assertTrue(shown.Drain());
        assertEquals("ineligible", shown.SchedulingEligibility());
        assertEquals(
                new DrainStrategy(-1_000_000_000, null, false, Town.AT), shown.DrainStrategy());
        NodeDrainProgress progress =
                cluster.nodes().drainProgress(NOW, Town.NODE).body().orElseThrow();
        assertEquals("tasks", progress.Phase());
        assertTrue(
                progress.Left().getFirst().Object().startsWith("allocation " + Town.WEB_ALLOC),
                progress.toString());
        assertEquals("draining", Objects.requireNonNull(shown.LastDrain()).Status());
    }

    private static JobRegisterRequest register(Job job) {
        return new JobRegisterRequest(false, 0, job, 0, "", false, false, false, "", null);
    }

    private static ListQuery page(String prefix, int size, String token, boolean reverse) {
        return new ListQuery(NOW, prefix, Filter.ALL, size, token, reverse);
    }

    private static List<String> ids(Rows<CsiVolumeStub> stubs) {
        return stubs.toList().stream().map(CsiVolumeStub::ID).toList();
    }

    private static VolumeRow renamed(VolumeRow row, String id) {
        var spec = row.spec();
        return VolumeRow.of(
                new io.cleat.model.VolumeSpec(
                        new io.cleat.model.VolumeId("default", id),
                        id,
                        "ext-" + id,
                        spec.pluginId(),
                        spec.capabilities(),
                        spec.mountOptions(),
                        0,
                        0,
                        Map.of(),
                        Map.of(),
                        spec.topologies(),
                        "",
                        ""),
                row.secrets(),
                0,
                List.of(),
                Town.AT);
    }
}
