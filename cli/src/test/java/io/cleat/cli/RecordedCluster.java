package io.cleat.cli;

import io.cleat.api.AllocMetric;
import io.cleat.api.Json;
import io.cleat.api.VolumeWhy;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The cluster of the recordings: node {@code vm}, plugin {@code hp} run by job {@code hostpath}, volume {@code v1}
 * claimed by job {@code web}. Added by hand: job {@code web2}, which waits for that volume.
 */
final class RecordedCluster {
    static final String ALLOC = "2849ded8-c520-74d0-6e49-2a300b1810ee";
    static final String NODE = "c4c061ed-039e-d829-5462-6ef84844221c";
    static final String EVAL = "3edf3d51-a9a8-15bd-ec14-632c3b289daa";
    static final String FAILED_EVAL = "aaaa0000-a9a8-15bd-ec14-632c3b289daa";
    static final String BLOCKED_EVAL = "bbbb0000-a9a8-15bd-ec14-632c3b289daa";

    private RecordedCluster() {}

    static FakeAgent open() throws IOException {
        FakeAgent agent = new FakeAgent();
        agent.recorded("GET /v1/volumes?type=csi", "44-volumes-claimed");
        agent.recorded("GET /v1/volumes?per_page=1000&type=csi", "44-volumes-claimed");
        agent.recorded("GET /v1/volumes?prefix=v1&type=csi", "44-volumes-claimed");
        agent.answers("GET /v1/volumes?prefix=nothing&type=csi", "[]");
        agent.recorded("GET /v1/volume/csi/v1", "43-volume-claimed");
        agent.answers("GET /v1/volume/csi/v1/why", Json.text(why()));
        agent.answers("GET /v1/volumes?prefix=v&type=csi", Json.text(twoVolumes()));
        agent.recorded("GET /v1/plugins?type=csi", "13-plugins");
        agent.recorded("GET /v1/plugins?prefix=hp&type=csi", "13-plugins");
        agent.recorded("GET /v1/plugin/csi/hp", "14-plugin");
        agent.answers(
                "GET /v1/plugin/csi/hp/lanes",
                "[{\"Name\":\"attach\",\"Depth\":0,\"InFlight\":0,\"OldestAge\":0,\"Width\":16},"
                        + "{\"Name\":\"detach\",\"Depth\":2000,\"InFlight\":8,"
                        + "\"OldestAge\":185000000000,\"Width\":8}]");
        agent.recorded("PUT /v1/volumes/snapshot", "22-snapshot-create");
        agent.recorded("GET /v1/volumes/snapshot?per_page=30&plugin_id=hp", "23-snapshots");
        agent.recorded(
                "DELETE /v1/volumes/snapshot?plugin_id=hp&snapshot_id=b3c6b239-e55c-11f1-823e-7ee81890f4c1",
                "62-snapshot-delete");
        agent.recorded("GET /v1/volumes/external?per_page=30&plugin_id=hp", "21-external");
        jobs(agent);
        allocations(agent);
        agent.recorded("GET /v1/nodes", "45-nodes");
        agent.recorded("GET /v1/nodes?prefix=c4c0", "45-nodes");
        agent.recorded("GET /v1/node/" + NODE, "55-node");
        agent.recorded("GET /v1/node/" + NODE + "/allocations", "56-node-allocations");
        agent.answers("GET /v1/client/stats?node_id=" + NODE, """
                {"AllocDirStats": {"Size": 1073741824, "Used": 536870912},
                 "CPU": [{"CPU": "cpu0", "TotalPercent": 10}, {"CPU": "cpu1", "TotalPercent": 30}],
                 "DiskStats": [], "Memory": {"Total": 4294967296, "Used": 1073741824}, "Uptime": 3725}
                """);
        agent.recorded("GET /v1/agent/members", "46-agent-members");
        agent.recorded("GET /v1/agent/self", "47-agent-self");
        agent.recorded("GET /v1/status/leader", "49-status-leader");
        agent.recorded("GET /v1/operator/raft/configuration", "53-raft-configuration");
        agent.answers("DELETE /v1/evaluations", "{\"Count\": 1, \"Index\": 9, \"Kept\": 2}");
        agent.answers("GET /v1/evaluations/count?filter=Status%20%3D%3D%20complete", "{\"Count\": 3}");
        agent.answers("GET /v1/evaluations/count?filter=Status%20%3D%3D%20failed", "{\"Count\": 0}");
        agent.answers("GET /v1/client/allocation/" + ALLOC + "/checks", "{}");
        agent.answers("GET /v1/agent/servers", "[\"127.0.0.1:4647\"]");
        agent.answers("GET /v1/operator/autopilot/health", """
                {"Healthy": true, "FailureTolerance": 0, "Leader": "b886835e", "Voters": ["b886835e"],
                 "Servers": [{"ID": "b886835e", "Name": "vm.global", "Address": "127.0.0.1:4647",
                   "SerfStatus": "alive", "Version": "2.0.6", "Leader": true, "LastContact": "0s",
                   "LastTerm": 2, "LastIndex": 46, "Healthy": true, "Voter": true,
                   "StableSince": "2026-03-04T05:06:07Z"}]}
                """);
        agent.answers("GET /v1/operator/autopilot/configuration", """
                {"CleanupDeadServers": false, "LastContactThreshold": "0s", "MaxTrailingLogs": 0,
                 "MinQuorum": 0, "ServerStabilizationTime": "0s", "EnableRedundancyZones": false,
                 "DisableUpgradeMigration": false, "EnableCustomUpgrades": false, "CreateIndex": 0,
                 "ModifyIndex": 0}
                """);
        String pools = """
                [{"CreateIndex": 1, "Description": "Node pool with all nodes in the cluster.",
                  "Meta": null, "ModifyIndex": 1, "Name": "all", "SchedulerConfiguration": null}]
                """;
        agent.answers("GET /v1/node/pools", pools);
        agent.answers("GET /v1/node/pools?prefix=al", pools);
        agent.answers("GET /v1/node/pools?prefix=gpu", "[]");
        agent.recorded("GET /v1/node/pool/all/nodes", "45-nodes");
        agent.answers("GET /v1/node/pool/all/jobs", "[]");
        String meta = """
                {"Dynamic": {"owner": null, "rack": "r7"}, "Meta": {"rack": "r7", "zone": "a"},
                 "Static": {"owner": "team", "zone": "a"}}
                """;
        agent.answers("GET /v1/client/metadata", meta);
        agent.answers("GET /v1/client/metadata?node_id=" + NODE, meta);
        agent.answers("PUT /v1/client/metadata?node_id=" + NODE, meta);
        agent.answers("PUT /v1/system/gc", "");
        agent.answers("GET /v1/operator/scheduler/configuration", """
                {"Index": 5, "KnownLeader": true, "LastContact": 0, "NextToken": "",
                 "SchedulerConfig": {"CreateIndex": 5, "MemoryOversubscriptionEnabled": false,
                   "ModifyIndex": 5, "NodeLimitForFeasibilityChecks": 0, "PauseEvalBroker": false,
                   "PreemptionConfig": {"BatchSchedulerEnabled": false,
                     "ServiceSchedulerEnabled": false, "SysBatchSchedulerEnabled": false,
                     "SystemSchedulerEnabled": false},
                   "RejectJobRegistration": false, "SchedulerAlgorithm": "binpack"}}
                """);
        agent.answers("PUT /v1/operator/scheduler/configuration?cas=5", "{\"Index\": 9, \"Updated\": true}");
        agent.answers("PUT /v1/operator/scheduler/configuration?cas=4", "{\"Index\": 9, \"Updated\": false}");
        agent.answers("GET /v1/operator/recovery", """
                {"Active": true,
                 "Description": "the cluster is in recovery since 2026-03-04T05:06:07Z: node one has \
                acted on version 812, and the servers, then at version 640, do not know that",
                 "Nodes": [{"ID": "c4c061ed-039e-d829-5462-6ef84844221c", "Name": "one",
                   "Version": 812, "Reign": "r", "KnownVersion": 640,
                   "Since": "2026-03-04T05:06:07Z"}],
                 "NotHeard": ["two"],
                 "Holdings": [{"NodeID": "c4c061ed-039e-d829-5462-6ef84844221c", "AllocID": "a7",
                   "Alias": "data", "PluginID": "ebs", "ExternalID": "vol-1",
                   "Since": "2026-03-04T05:06:09Z"}]}
                """);
        namespaces(agent);
        variables(agent);
        launches(agent);
        agent.answers("PUT /v1/node/" + NODE + "/purge", "{\"NodeModifyIndex\": 9}");
        agent.answers("PUT /v1/operator/recovery/end", "{\"Count\": 1}");
        agent.answers("PUT /v1/operator/recovery/abandon", "{\"Count\": 1}");
        return agent;
    }

    private static final String DEPLOYMENT_ID = "d0d01234-a9a8-15bd-ec14-632c3b289daa";
    private static final String DEPLOYMENT = """
            {"ID": "%s", "JobID": "web", "JobVersion": 1, "Namespace": "default",
             "Status": "running",
             "StatusDescription": "Deployment is running but requires manual promotion",
             "TaskGroups": {"g": {"AutoRevert": true, "DesiredCanaries": 1, "DesiredTotal": 3,
               "PlacedAllocs": 1, "HealthyAllocs": 1, "PlacedCanaries": ["a"],
               "RequireProgressBy": "2026-11-21T12:10:00Z"}}}
            """.formatted(DEPLOYMENT_ID);

    private static void namespaces(FakeAgent agent) {
        ArrayNode all = (ArrayNode) body("52-namespaces");
        ObjectNode team = all.get(0).deepCopy().asObject();
        team.put("Name", "team").put("Description", "of the team");
        team.putObject("Meta").put("owner", "ops");
        team.putObject("Capabilities")
                .putArray("EnabledTaskDrivers")
                .add("exec")
                .add("raw_exec");
        ObjectNode tools = all.get(0).deepCopy().asObject();
        tools.put("Name", "tools").put("Description", "");
        all.add(team).add(tools);
        agent.answers("GET /v1/namespaces", Json.text(all));
        for (String prefix : List.of("default", "t", "team", "nope", "db", "a_b")) {
            List<JsonNode> matching = new ArrayList<>();
            all.forEach(each -> {
                if (each.get("Name").asString().startsWith(prefix)) {
                    matching.add(each);
                }
            });
            agent.answers("GET /v1/namespaces?prefix=" + prefix, Json.text(matching));
        }
        agent.answers("PUT /v1/namespace/db", "");
        agent.answers("PUT /v1/namespace/team", "");
        agent.answers("DELETE /v1/namespace/tools", "");
    }

    private static void variables(FakeAgent agent) {
        String head = "\"CreateIndex\":40,\"CreateTime\":1795262400000000000,\"ModifyIndex\":%d,"
                + "\"ModifyTime\":%d,\"Namespace\":\"default\",\"Path\":\"%s\"";
        String web = head.formatted(40, 1795262400000000000L, "nomad/jobs/web");
        String lock = head.formatted(41, 1795262460000000000L, "leader");
        String locked = ",\"Lock\":{\"LockDelay\":\"15s\",\"TTL\":\"30s\"}";
        agent.answers("GET /v1/vars", "[{" + lock + locked + "},{" + web + "}]");
        agent.answers("GET /v1/vars?prefix=nomad", "[{" + web + "}]");
        agent.answers("GET /v1/vars?prefix=nothing", "[]");
        agent.answersPage("GET /v1/vars?per_page=1", "[{" + lock + "}]", "default.nomad/jobs/web");
        String whole = "{" + web + ",\"Items\":{\"cert\":\"a\\nb ${c}\",\"password\":\"s3cr3t\"}}";
        agent.answers("GET /v1/var/nomad/jobs/web", whole);
        agent.answers("GET /v1/var/leader", "{" + lock + locked + "}");
        agent.answers("PUT /v1/var/nomad/jobs/web?cas=0", 409, whole);
        agent.answers("PUT /v1/var/nomad/jobs/web?cas=40", whole);
        agent.answers("PUT /v1/var/nomad/jobs/web", whole);
        agent.answers("PUT /v1/var/leader", 409, "{" + lock + locked + "}");
        agent.answers("PUT /v1/var/new?cas=3", 409, "{}");
        agent.answers("DELETE /v1/var/nomad/jobs/web", "{\"Index\": 50}");
        agent.answers("DELETE /v1/var/nomad/jobs/web?cas=3", 409, whole);
    }

    private static void jobs(FakeAgent agent) {
        ArrayNode jobs = (ArrayNode) body("31-jobs");
        ObjectNode waiting = jobs.get(1).deepCopy().asObject();
        waiting.put("ID", "web2").put("Name", "web2").put("Status", "pending");
        jobs.add(waiting);
        agent.answers("GET /v1/jobs", Json.text(jobs));
        agent.answers("GET /v1/jobs?namespace=*", Json.text(jobs));
        agent.answers("GET /v1/jobs?prefix=w", Json.text(jobs));
        agent.answers("GET /v1/jobs?prefix=web", Json.text(jobs));
        agent.answers("GET /v1/jobs?prefix=web2", Json.text(List.of(waiting)));
        agent.answers("GET /v1/jobs?prefix=nothing", "[]");
        agent.recorded("GET /v1/job/web", "32-job");
        agent.recorded("GET /v1/job/web/summary", "33-job-summary");
        agent.recorded("GET /v1/job/web/evaluations", "34-job-evaluations");
        agent.recorded("GET /v1/job/web/allocations", "30-job-allocations");
        ObjectNode job = (ObjectNode) body("32-job");
        agent.answers(
                "GET /v1/job/web2",
                Json.text(job.put("ID", "web2").put("Name", "web2").put("Status", "pending")));
        agent.answers(
                "GET /v1/job/web2/summary",
                Json.text(body("33-job-summary"))
                        .replace("\"Running\":1", "\"Running\":0")
                        .replace("\"Queued\":0", "\"Queued\":1"));
        agent.answers("GET /v1/job/web2/allocations", "[]");
        agent.answers("GET /v1/job/web2/deployments", "[]");
        agent.answers("GET /v1/job/web/deployments", "[" + DEPLOYMENT + "]");
        agent.answers("GET /v1/job/web/deployments?all=true", "[" + DEPLOYMENT + "]");
        agent.answers("GET /v1/deployments", "[" + DEPLOYMENT + "]");
        agent.answers("GET /v1/deployments?prefix=d0d0", "[" + DEPLOYMENT + "]");
        agent.answers("GET /v1/deployment/" + DEPLOYMENT_ID, DEPLOYMENT);
        agent.answers("GET /v1/deployment/allocations/" + DEPLOYMENT_ID, Json.text(List.of()));
        String changed = "{\"EvalID\": \"" + EVAL + "\", \"RevertedJobVersion\": 0}";
        agent.answers("PUT /v1/deployment/pause/" + DEPLOYMENT_ID, "{\"EvalID\": \"\"}");
        agent.answers("PUT /v1/deployment/promote/" + DEPLOYMENT_ID, changed);
        agent.answers("PUT /v1/deployment/fail/" + DEPLOYMENT_ID, changed);
        agent.answers(
                "GET /v1/job/web/versions",
                "{\"Versions\": [" + Json.text(job.put("ID", "web").put("Stable", true)) + "]}");
        agent.answers("PUT /v1/job/web/scale", "{\"EvalID\": \"" + EVAL + "\"}");
        agent.answers("GET /v1/job/web/scale", "{\"JobID\": \"web\", \"TaskGroups\": {\"g\": {\"Desired\": 1}}}");
        agent.answers("PUT /v1/job/web/revert", "{\"EvalID\": \"" + EVAL + "\"}");
        agent.answers("GET /v1/job/web2/evaluations", Json.text(List.of(failed(), blocked())));
        agent.recorded("GET /v1/evaluations", "54-evaluations");
        agent.recorded("GET /v1/evaluations?prefix=3edf3d51", "54-evaluations");
        JsonNode complete = body("54-evaluations").get(0);
        agent.answers("GET /v1/evaluation/" + complete.get("ID").asString(), Json.text(complete));
        agent.answers("GET /v1/evaluations?prefix=619bfd32", "[" + Json.text(complete) + "]");
        agent.answers("GET /v1/evaluations?status=blocked", "[" + Json.text(blocked()) + "]");
        agent.recorded("GET /v1/evaluation/" + EVAL, "29-evaluation");
        agent.answers("GET /v1/evaluation/" + FAILED_EVAL, Json.text(failed()));
        agent.answers("GET /v1/evaluation/" + FAILED_EVAL + "/allocations", "[]");
        agent.answers("GET /v1/evaluation/" + BLOCKED_EVAL, Json.text(blocked()));
    }

    /** A job that is run each night, and one that is run when somebody asks. */
    private static void launches(FakeAgent agent) {
        ObjectNode stub = (ObjectNode) body("31-jobs").get(1);
        ObjectNode backup = stub.deepCopy().put("ID", "backup").put("Type", "batch");
        ObjectNode copy = backup.deepCopy().put("ID", "backup/periodic-1795230000");
        ObjectNode restore = stub.deepCopy().put("ID", "restore").put("Type", "batch");
        agent.answers("GET /v1/jobs?prefix=backup", Json.text(List.of(backup.put("Periodic", true), copy)));
        agent.answers(
                "GET /v1/jobs?prefix=backup%2F",
                Json.text(List.of(copy.put("ParentID", "backup").put("Status", "dead"))));
        agent.answers("GET /v1/jobs?prefix=restore", Json.text(List.of(restore.put("ParameterizedJob", true))));
        agent.answers("GET /v1/jobs?prefix=restore%2F", "[]");
        String job = Json.text(((ObjectNode) body("32-job")).put("Type", "batch"));
        agent.answers(
                "GET /v1/job/backup",
                job.replace("\"ID\":\"web\"", "\"ID\":\"backup\"").replace("\"Periodic\":null", """
                                "Periodic":{"Enabled":true,"Spec":"0 3 * * *","SpecType":"cron",\
                                "ProhibitOverlap":false,"Specs":null,"TimeZone":"UTC"}"""));
        agent.answers(
                "GET /v1/job/restore",
                job.replace("\"ID\":\"web\"", "\"ID\":\"restore\"").replace("\"ParameterizedJob\":null", """
                                "ParameterizedJob":{"Payload":"required","MetaRequired":["volume"],\
                                "MetaOptional":null}"""));
        String summary = Json.text(body("33-job-summary"));
        String children = "\"Children\":{\"Dead\":1,\"Pending\":0,\"Running\":0}";
        agent.answers("GET /v1/job/backup/summary", summary.replaceAll("\"Children\":\\{[^}]*}", children));
        agent.answers("GET /v1/job/restore/summary", summary);
        agent.answers("PUT /v1/job/backup/periodic/force", "{\"EvalID\": \"" + EVAL + "\"}");
        agent.answers("PUT /v1/job/restore/dispatch", """
                {"DispatchedJobID": "restore/dispatch-1795262400-0b1c2d3e", "EvalID": "%s"}
                """.formatted(EVAL));
    }

    private static void allocations(FakeAgent agent) {
        agent.recorded("GET /v1/allocations", "30-job-allocations");
        agent.recorded("GET /v1/allocations?prefix=2849ded8", "30-job-allocations");
        agent.answers("GET /v1/allocations?prefix=ffff", "[]");
        agent.recorded("GET /v1/allocation/" + ALLOC, "38-allocation");
        agent.answers("GET /v1/client/allocation/" + ALLOC + "/stats", """
                {"ResourceUsage": {"CpuStats": {"TotalTicks": 12.4}, "DeviceStats": [], "MemoryStats": {"RSS": 2097152}},
                 "Tasks": {"t": {"Pids": null, "Timestamp": 1,
                   "ResourceUsage": {"CpuStats": {"TotalTicks": 12.4}, "DeviceStats": [], "MemoryStats": {"RSS": 2097152}}}},
                 "Timestamp": 1}
                """);
    }

    private static JsonNode body(String name) {
        return FakeAgent.recording(name).get("body");
    }

    private static ArrayNode twoVolumes() {
        ArrayNode volumes = (ArrayNode) body("44-volumes-claimed");
        ObjectNode other = volumes.get(0).deepCopy().asObject();
        volumes.add(other.put("ID", "v2").put("Name", "second").put("AccessMode", ""));
        return volumes;
    }

    private static JsonNode failed() {
        ObjectNode evaluation = (ObjectNode) body("29-evaluation");
        return evaluation
                .put("ID", FAILED_EVAL)
                .put("JobID", "web2")
                .put("Status", "complete")
                .put("BlockedEval", BLOCKED_EVAL)
                .set("FailedTGAllocs", Json.toTree(Map.of("g", metric())));
    }

    private static JsonNode blocked() {
        ObjectNode evaluation = (ObjectNode) body("29-evaluation");
        evaluation
                .put("ID", BLOCKED_EVAL)
                .put("JobID", "web2")
                .put("Status", "blocked")
                .put("CreateIndex", 31)
                .put("PreviousEval", FAILED_EVAL)
                .put("TriggeredBy", "queued-allocs")
                .put("StatusDescription", "created to place remaining allocations");
        evaluation.putArray("MissingNonNodeResources").add("csi-volume:default:v1");
        return evaluation;
    }

    static AllocMetric metric() {
        return new AllocMetric(
                1000,
                null,
                null,
                0,
                Map.of("CSI volume v1 has exhausted its available writer claims", 1),
                null,
                "default",
                Map.of("dc1", 1),
                1,
                0,
                1,
                1,
                null,
                null,
                null,
                null);
    }

    private static VolumeWhy why() {
        return new VolumeWhy(
                List.of(
                        claim(ALLOC, "web.g[0]", "web", "granted", 24, null, 245),
                        claim(
                                "7777ded8-c520-74d0-6e49-2a300b1810ee",
                                "web.g[0]",
                                "web",
                                "waiting",
                                0,
                                new VolumeWhy.Waiting(
                                        "granted by itself when web.g[0] has ended",
                                        "web.g[0] (2849ded8)",
                                        null,
                                        Session.START.minusSeconds(5),
                                        "",
                                        ""),
                                5)),
                List.of(
                        new VolumeWhy.Event(
                                "ControllerPublishVolume", "OK", 12_000_000, "", NODE, Session.START.minusSeconds(245)),
                        new VolumeWhy.Event(
                                "NodeStageVolume",
                                "UNAVAILABLE",
                                2_500_000,
                                "socket closed",
                                NODE,
                                Session.START.minusSeconds(244))),
                "v1",
                "default",
                "in use by 1 writer on node vm",
                List.of(new VolumeWhy.Waiting(
                        "placed by itself when the writer's claim is free",
                        "web.g[0] (2849ded8) on node vm",
                        Session.START.plus(Duration.ofSeconds(30)),
                        Session.START.minusSeconds(65),
                        "place",
                        "evaluation bbbb0000 of job web2")));
    }

    private static VolumeWhy.Claim claim(
            String alloc,
            String name,
            String job,
            String state,
            long epoch,
            VolumeWhy.@Nullable Waiting blockedBy,
            long age) {
        Instant since = Session.START.minusSeconds(age);
        return new VolumeWhy.Claim(
                "single-node-writer", alloc, name, blockedBy, epoch, job, NODE, "vm", false, since, state, "");
    }
}
