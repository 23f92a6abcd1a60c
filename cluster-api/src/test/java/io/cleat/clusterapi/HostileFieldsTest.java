package io.cleat.clusterapi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.JobConversion;
import io.cleat.api.Json;
import io.cleat.api.StoredJob;
import io.cleat.base.Ids;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.http.AgentLocator;
import io.cleat.http.Dispatcher;
import io.cleat.http.Guard;
import io.cleat.http.NodeApi;
import io.cleat.http.Reply;
import io.cleat.http.Request;
import io.cleat.model.JobSpec;
import io.cleat.server.intake.Requests;
import io.cleat.state.Change;
import io.cleat.state.ChangeCodec;
import io.cleat.state.ClusterState;
import io.cleat.state.JobRow;
import io.cleat.state.VolumeRow;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Each field of each body, one after the other, with each of a list of hostile values, through all routes in this
 * process: every answer is a refusal or a success, never a fault, and what a success stores can be encoded, and decodes
 * to itself.
 */
final class HostileFieldsTest {
    /** Values beyond this many characters are tried at one field of {@link #FEW}. */
    private static final int LONG = 50_000;

    private static final int FEW = 20;

    /**
     * A body that several routes take is read by the same code for each. Behind one of them each field gets each value;
     * behind these it gets one value of so many, and each value comes to as many fields.
     */
    private static final Map<String, Integer> ONE_OF =
            Map.of("/v1/jobs", 7, "/v1/job/j/plan", 11, "/v1/volume/csi/v/create", 7);

    private static final String MARK = "@@hostile@@";
    private static final StoredJob STORED = new StoredJob(0, 1, 1, 1, "pending", "", false, false, 1);

    private static final String JOB = """
            {"Job":{"ID":"j","Name":"n","Type":"service","Namespace":"default","Priority":70,
            "Region":"global","NodePool":"default","AllAtOnce":true,"Datacenters":["dc1"],
            "Meta":{"a":"b"},"Status":"","StatusDescription":"","Version":0,"SubmitTime":1,
            "Constraints":[{"LTarget":"${attr.kernel.name}","Operand":"=","RTarget":"linux"}],
            "Update":{"Stagger":5000000000},
            "TaskGroups":[{"Name":"g","Count":1,"Meta":{"c":"d"},"PreventRescheduleOnLost":false,
             "Constraints":[{"LTarget":"${node.class}","Operand":"!=","RTarget":"x"}],
             "ShutdownDelay":5,"EphemeralDisk":{"SizeMB":400,"Sticky":true,"Migrate":true},
             "RestartPolicy":{"Attempts":1,"Delay":5,"Interval":60000000000,"Mode":"fail",
              "RenderTemplates":true},
             "ReschedulePolicy":{"Attempts":1,"Delay":5000000000,"DelayFunction":"constant",
              "Interval":60000000000,"MaxDelay":6000000000,"Unlimited":false},
             "Migrate":{"HealthCheck":"checks","HealthyDeadline":300000000000,"MaxParallel":1,
              "MinHealthyTime":1},
             "Volumes":{"v":{"Name":"v","Type":"csi","Source":"s","ReadOnly":true,"Sticky":false,
              "AccessMode":"multi-node-reader-only","AttachmentMode":"file-system",
              "PerAlloc":true,"MountOptions":{"FSType":"ext4","MountFlags":["ro"]}}},
             "Update":{"MaxParallel":4,"AutoRevert":true,"AutoPromote":false,"Canary":0,
              "HealthCheck":"checks","HealthyDeadline":300000000000,"MinHealthyTime":1,
              "ProgressDeadline":600000000000,"Stagger":1},
             "Scaling":{"Enabled":true,"Min":1,"Max":4,"Type":"horizontal","Policy":{"a":[1]}},
             "Services":[{"Name":"w","Provider":"nomad","PortLabel":"80","AddressMode":"auto",
              "Address":"a","Tags":["x"],"CanaryTags":["y"],"Meta":{"m":"n"},"CanaryMeta":{"o":"p"},
              "OnUpdate":"require_healthy","CheckRestart":{"Limit":1,"Grace":2},
              "EnableTagOverride":false,"Cluster":"","Kind":"","TaskName":"",
              "Checks":[{"Name":"c","Type":"http","Path":"/h","Method":"GET","Protocol":"http",
               "Header":{"A":["b"]},"Body":"b","Interval":1000000000,"Timeout":1000000000,
               "PortLabel":"81","AddressMode":"host","TaskName":"t","OnUpdate":"require_healthy",
               "CheckRestart":{"Limit":1,"Grace":2,"IgnoreWarnings":false}},
               {"Name":"s","Type":"script","Command":"c","Args":["x"],"TaskName":"t",
                "Interval":1000000000,"Timeout":1000000000}]}],
             "Tasks":[{"Name":"t","Driver":"raw_exec","User":"u","Leader":true,"Kind":"",
              "KillSignal":"SIGINT","KillTimeout":7,"ShutdownDelay":8,
              "Env":{"E":"1"},"Meta":{"m":"n"},
              "Config":{"command":"c","args":["x",{"y":1}],"n":5,"f":1.5,"b":true},
              "Constraints":[{"LTarget":"a","Operand":"version","RTarget":">= 1"}],
              "LogConfig":{"MaxFiles":3,"MaxFileSizeMB":4,"Disabled":false,"Enabled":true},
              "Resources":{"CPU":200,"MemoryMB":64,"MemoryMaxMB":128,"Cores":0,"DiskMB":0,"IOPS":0,
               "SecretsMB":0},
              "RestartPolicy":{"Attempts":1,"Delay":5,"Interval":60000000000,"Mode":"delay"},
              "VolumeMounts":[{"Volume":"v","Destination":"/d","ReadOnly":true,
               "PropagationMode":"private","SELinuxLabel":"z"}],
              "Templates":[{"SourcePath":"local/a","DestPath":"local/b",
               "ChangeMode":"script","ChangeSignal":"","Envvars":false,
               "ChangeScript":{"Command":"c","Args":["x"],"Timeout":3,"FailOnError":true},
               "Splay":1,"Perms":"600","Uid":1,"Gid":2,"LeftDelim":"<<","RightDelim":">>",
               "ErrMissingKey":true,"Once":true,"VaultGrace":0,"Wait":{"Min":4,"Max":5}},
               {"EmbeddedTmpl":"t","DestPath":"local/c"}],
              "Artifacts":[{"GetterSource":"https://a/b","GetterOptions":{"o":"p"},
               "GetterHeaders":{"h":"i"},"GetterMode":"dir","RelativeDest":"local/d",
               "Chown":true,"GetterInsecure":true}],
              "CSIPluginConfig":{"ID":"p","Type":"node","MountDir":"/csi","HoldsMounts":true,
               "OnMountLoss":"alert","StagePublishBaseDir":"/local/csi","HealthTimeout":9}},
              {"Name":"u","Driver":"exec","Lifecycle":{"Hook":"prestart","Sidecar":true}}]}]},
            "EnforceIndex":false,"EvalPriority":0,"JobModifyIndex":0,"Namespace":"","Region":"",
            "PolicyOverride":false,"PreserveCounts":true,"PreserveResources":true,"Diff":true,
            "Submission":{"Source":"job {}","Format":"hcl2","VariableFlags":{"a":"b"},
             "Variables":"x = 1"}}""";

    private static final String VOLUMES = """
            {"Namespace":"default","Region":"global","PolicyOverride":false,"Volumes":[{
             "ID":"v","Name":"n","Namespace":"default","ExternalID":"x","PluginID":"hp",
             "SnapshotID":"","CloneID":"","RequestedCapacityMin":1,"RequestedCapacityMax":2,
             "RequestedCapabilities":[{"AccessMode":"single-node-writer",
              "AttachmentMode":"file-system"}],
             "MountOptions":{"FSType":"ext4","MountFlags":["noatime"]},
             "Secrets":{"k":"s"},"Parameters":{"a":"b"},"Context":{"c":"d"},
             "RequestedTopologies":{"Preferred":[{"Segments":{"a":"b"}}],
              "Required":[{"Segments":{"c":"d"}}]},
             "Topologies":[{"Segments":{"a":"b"}}],"Allocations":[],"ReadAllocs":{"a":null},
             "WriteAllocs":{},"ResourceExhausted":"2026-01-02T03:04:05Z","CreateTime":1,
             "Schedulable":true,"Capacity":5}]}""";

    /** By path. */
    static final Map<String, String> BODIES = Map.ofEntries(
            Map.entry("/v1/jobs", JOB),
            Map.entry("/v1/validate/job", JOB),
            Map.entry("/v1/job/j/plan", JOB),
            Map.entry("/v1/volumes", VOLUMES),
            Map.entry("/v1/volume/csi/v/create", VOLUMES),
            Map.entry("/v1/volumes/snapshot", """
                            {"Snapshots":[{"SourceVolumeID":"v1","Name":"n","PluginID":"hp",
                             "Secrets":{"k":"s"},"Parameters":{"a":"b"},"SizeBytes":1}]}"""),
            Map.entry("/v1/node/" + SampleCluster.NODE + "/drain", """
                            {"NodeID":"n","DrainSpec":{"Deadline":5,"IgnoreSystemJobs":true},
                             "MarkEligible":true,"Meta":{"a":"b"}}"""),
            Map.entry(
                    "/v1/node/" + SampleCluster.NODE + "/eligibility",
                    "{\"NodeID\":\"" + SampleCluster.NODE + "\",\"Eligibility\":\"eligible\"}"),
            Map.entry(
                    "/v1/node/" + SampleCluster.NODE + "/quarantine",
                    "{\"NodeID\":\"n\",\"Accept\":true,\"MachineIsOff\":\"m\"}"),
            Map.entry("/v1/deployment/allocation-health/d", """
                            {"DeploymentID":"d","HealthyAllocationIDs":["a"],
                             "UnhealthyAllocationIDs":["b"]}"""),
            Map.entry("/v1/deployment/promote/d", "{\"DeploymentID\":\"d\",\"All\":false,\"Groups\":[\"g\"]}"),
            Map.entry("/v1/deployment/pause/d", "{\"DeploymentID\":\"d\",\"Pause\":true}"),
            Map.entry("/v1/job/web/revert", "{\"JobID\":\"web\",\"JobVersion\":1,\"EnforcePriorVersion\":1}"),
            Map.entry("/v1/job/web/dispatch", """
                            {"IdPrefixTemplate":"","JobID":"web","Meta":{"a":"b"},
                             "Payload":"aGVsbG8=","Priority":50}"""),
            Map.entry("/v1/job/web/scale", """
                            {"Count":1,"Error":false,"Message":"m","Meta":{"a":1},
                             "PolicyOverride":false,"Target":{"Group":"g"}}"""),
            Map.entry("/v1/job/web/versions/golden/tag", "{\"Description\":\"d\",\"Version\":0}"),
            Map.entry("/v1/namespace", """
                            {"Name":"team","Description":"d","Quota":"","Meta":{"a":"b"},
                             "Capabilities":{"EnabledTaskDrivers":["exec"],
                              "DisabledTaskDrivers":["raw_exec"]}}"""),
            Map.entry("/v1/var/nomad/jobs/web", """
                            {"CreateIndex":1,"CreateTime":2,"Items":{"a":"b"},"ModifyIndex":1,
                             "Lock":{"ID":"i","LockDelay":"15s","TTL":"15s"},"ModifyTime":2,
                             "Namespace":"default","Path":"nomad/jobs/web"}"""),
            Map.entry("/v1/var/lock?lock-acquire", """
                            {"Items":{"a":"b"},"Lock":{"ID":"","LockDelay":"15s","TTL":"15s"}}"""),
            Map.entry("/v1/job/web/stable", "{\"JobID\":\"web\",\"JobVersion\":1,\"Stable\":true}"),
            Map.entry("/v1/job/web/evaluate", "{\"JobID\":\"web\",\"EvalOptions\":{\"ForceReschedule\":true}}"),
            Map.entry(
                    "/v1/jobs/statuses",
                    "{\"Jobs\":[{\"ID\":\"web\",\"Namespace\":\"default\"}],\"IncludeChildren\":true}"),
            Map.entry("/v1/search/fuzzy", "{\"Context\":\"jobs\",\"Text\":\"we\"}"),
            Map.entry("/v1/search", "{\"Context\":\"jobs\",\"Prefix\":\"w\"}"),
            Map.entry(
                    "/v1/jobs/parse",
                    "{\"JobHCL\":\"job \\\"a\\\" {}\",\"Variables\":\"x = 1\",\"Canonicalize\":true}"));

    /** Raw JSON. */
    private static final List<String> VALUES = List.of(
            "null",
            "[null]",
            "{\"a\":null}",
            "5",
            "true",
            "\"x\"",
            "\"\"",
            "\"\\ud800\"",
            "\"\\u0000\"",
            "\"a\\nb\"",
            "\"\\u001b[2J\"",
            "\"\\u202e\"",
            text(256),
            text(5_000),
            text(60_000),
            text(2_000_000),
            "-1",
            "0",
            "2147483647",
            "2147483648",
            "9223372036854775807",
            "-9223372036854775808",
            "1e308",
            "1e999",
            "[".repeat(90) + "]".repeat(90),
            "[".repeat(2_000) + "]".repeat(2_000),
            "[]",
            "{}",
            "[[]]",
            "\".\"",
            "\"..\"",
            "\"a/../b\"",
            "\"/\"",
            "\"%00\"",
            "\"${\"");

    private Requests requests = Intake.idle();
    private AutoCloseable server = () -> {};
    private long seen;
    private final List<Throwable> faults = new ArrayList<>();
    private Dispatcher dispatcher = dispatcher();

    private static String text(int characters) {
        return "\"" + "x".repeat(characters) + "\"";
    }

    /** Only what is written of volumes needs a plugin that answers. */
    private void open(boolean withPlugin) throws Exception {
        if (withPlugin) {
            ServingSample sample = new ServingSample(SampleCluster.whole());
            server = sample;
            requests = sample.requests();
        } else {
            Intake intake = Intake.over(SampleCluster.whole().state());
            server = intake;
            requests = intake.requests();
        }
        seen = state().version();
        dispatcher = dispatcher();
    }

    private Dispatcher dispatcher() {
        ServerCluster cluster = SampleCluster.cluster(requests.reads(), requests);
        return new Dispatcher(
                Guard.anyHost(),
                ClusterRoutes.of(cluster, absentNode(), AgentLocator.HERE),
                cluster.operator()::regions,
                (where, fault) -> faults.add(fault),
                Ids.random());
    }

    @AfterEach
    void close() throws Exception {
        server.close();
    }

    private ClusterState state() {
        return requests.reads().known();
    }

    /** An agent that has no node: what is asked of one is refused. */
    static NodeApi absentNode() {
        return (NodeApi) Proxy.newProxyInstance(
                NodeApi.class.getClassLoader(), new Class<?>[] {NodeApi.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("files")) {
                        return absentFiles(method.getReturnType());
                    }
                    throw new Refused(new Refusal.NotFound("no node"));
                });
    }

    private static Object absentFiles(Class<?> type) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
            throw new Refused(new Refusal.NotFound("no node"));
        });
    }

    @Test
    void theBodiesThemselvesAreTaken() throws Exception {
        open(true);
        for (String route : List.of("/v1/jobs", "/v1/volumes", "/v1/volume/csi/v/create")) {
            Reply reply = send("PUT", route, BODIES.getOrDefault(route, ""));
            assertEquals(200, reply.status(), () -> route + ": " + reply);
        }
        assertEquals(1, newJobs().size());
        assertEquals(1, newVolumes().size(), "registered, then found as it is");
        requireStorable("the bodies themselves");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/jobs",
                "/v1/validate/job",
                "/v1/job/j/plan",
                "/v1/volumes",
                "/v1/volume/csi/v/create",
                "/v1/volumes/snapshot",
                "/v1/node/" + SampleCluster.NODE + "/drain",
                "/v1/node/" + SampleCluster.NODE + "/eligibility",
                "/v1/node/" + SampleCluster.NODE + "/quarantine",
                "/v1/deployment/allocation-health/d",
                "/v1/deployment/promote/d",
                "/v1/deployment/pause/d",
                "/v1/job/web/revert",
                "/v1/job/web/stable",
                "/v1/job/web/scale",
                "/v1/job/web/versions/golden/tag",
                "/v1/job/web/dispatch",
                "/v1/namespace",
                "/v1/var/nomad/jobs/web",
                "/v1/var/lock?lock-acquire",
                "/v1/job/web/evaluate",
                "/v1/search",
                "/v1/search/fuzzy",
                "/v1/jobs/statuses",
                "/v1/jobs/parse"
            })
    void aHostileValueOfAnyField_isRefusedOrStoredWhole(String route) throws Exception {
        open(route.startsWith("/v1/volume"));
        String body = BODIES.getOrDefault(route, "");
        List<String> damaged = damaged(Json.tree(body.getBytes(UTF_8)));
        TreeSet<String> wrong = new TreeSet<>();
        int asked = 0;
        int step = ONE_OF.getOrDefault(route, 1);
        for (int i = 0; i < damaged.size(); i++) {
            String shape = damaged.get(i);
            for (int j = i % step; j < VALUES.size(); j += step) {
                String value = VALUES.get(j);
                if (value.length() > LONG && i % FEW != 0) {
                    continue;
                }
                String what = route + " with " + head(value) + " at " + place(shape);
                try {
                    send("PUT", route, shape.replace("\"" + MARK + "\"", value));
                    asked++;
                    requireStorable(what);
                } catch (RuntimeException | AssertionError | StackOverflowError fault) {
                    wrong.add(what + ": " + fault);
                }
                faults.forEach(fault -> wrong.add(what + ": " + fault));
                faults.clear();
                if (!shape.contains(MARK)) {
                    break;
                }
            }
        }
        assertTrue(asked > VALUES.size(), route + ": " + asked);
        assertEquals(List.of(), wrong.stream().limit(40).toList(), wrong.size() + " faults");
    }

    private void requireStorable(String what) throws Exception {
        for (JobSpec job : newJobs()) {
            List<Change> change = List.of(new Change.JobPut(SampleCluster.jobRow(job)));
            assertEquals(change, ChangeCodec.decode(ChangeCodec.encode(change)), what);
            assertEquals(job, JobConversion.toSpec(JobConversion.toJob(job, STORED)), what);
        }
        for (VolumeRow volume : newVolumes()) {
            List<Change> change = List.of(new Change.VolumePut(volume));
            assertEquals(change, ChangeCodec.decode(ChangeCodec.encode(change)), what);
        }
        seen = state().version();
    }

    private List<JobSpec> newJobs() {
        return state().jobs().stream()
                .filter(row -> row.jobModifyVersion() > seen)
                .map(JobRow::spec)
                .toList();
    }

    private List<VolumeRow> newVolumes() {
        return state().volumes().stream()
                .filter(row -> row.modifyVersion() > seen)
                .toList();
    }

    private Reply send(String method, String target, String body) throws InterruptedException, Trouble {
        try {
            Reply reply = dispatcher.answer(Request.of(method, target, Map.of(), body.getBytes(UTF_8), Request.UNIX));
            if (reply.body() instanceof Reply.Json(Object value)) {
                Json.write(value);
            }
            return reply;
        } catch (Refused refused) {
            return Reply.text(400, refused.refusal().message());
        }
    }

    /** The body once for each of its parts, which is replaced by the mark; and with more names. */
    private static List<String> damaged(JsonNode body) {
        List<String> all = new ArrayList<>();
        damage(body, body, all);
        return all;
    }

    private static void damage(JsonNode whole, JsonNode part, List<String> all) {
        if (part instanceof ObjectNode object) {
            for (String name : List.copyOf(object.propertyNames())) {
                JsonNode before = object.get(name);
                object.put(name, MARK);
                all.add(Json.text(whole));
                object.set(name, before);
                damage(whole, before, all);
            }
            for (String name : List.of("", "..", "a/b", "\n\u001b", "x".repeat(5_000))) {
                object.put(name, "a");
                all.add(Json.text(whole));
                object.remove(name);
            }
        } else if (part instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                JsonNode before = array.get(i);
                array.set(i, MARK);
                all.add(Json.text(whole));
                array.set(i, before);
                damage(whole, before, all);
            }
        }
    }

    private static String place(String shape) {
        int at = shape.indexOf(MARK);
        return at < 0 ? "one more name" : head(shape.substring(Math.max(0, at - 40), at));
    }

    private static String head(String text) {
        return text.length() > 60 ? text.substring(0, 60) + "... " + text.length() : text;
    }
}
