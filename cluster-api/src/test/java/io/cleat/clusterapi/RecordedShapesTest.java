package io.cleat.clusterapi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.api.JobParseRequest;
import io.cleat.api.JobPlanRequest;
import io.cleat.api.JobPlanResponse;
import io.cleat.api.JobValidateRequest;
import io.cleat.api.Json;
import io.cleat.api.ParsedJob;
import io.cleat.api.SearchRequest;
import io.cleat.http.ListQuery;
import io.cleat.http.ReadQuery;
import io.cleat.http.WriteQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Holds the views to the recorded answers: the same names, the same nulls, the same types. What this version does not
 * have (deployments, networks) is named in {@link #NOT_HERE}.
 */
final class RecordedShapesTest {
    private static final ReadQuery NOW = ReadQuery.now("default");
    private static final ListQuery ALL = ListQuery.all("default");
    private static final WriteQuery WRITE = new WriteQuery("default", "");

    /** Ends of paths whose presence or nullness may differ, since Nomad has more parts. */
    private static final Set<String> NOT_HERE = Set.of(
            "DeploymentStatus",
            "DeploymentID",
            "SigningKeyID",
            "CreatedEvals[].JobModifyIndex",
            "MissingNonNodeResources",
            "NodeResources.Processors");

    /** Ends of paths of maps whose names are the machine's. */
    private static final Set<String> FREE_NAMES = Set.of("Attributes", "Meta", "Scores");

    @Test
    void pluginsAreAsRecorded() throws Exception {
        ServerCluster cluster = SampleCluster.start().node().plugin().volume().cluster();
        check("13-plugins", cluster.plugins().list(ALL).body());
        check("14-plugin", cluster.plugins().get(NOW, "hp").body().orElseThrow());
        check("16-volumes", cluster.volumes().list(ALL, "", "").body());
        check("17-volume", cluster.volumes().get(NOW, "v1").body().orElseThrow());
    }

    @Test
    void volumesInUseAreAsRecorded() throws Exception {
        ServerCluster cluster = SampleCluster.whole().cluster();
        check("43-volume-claimed", cluster.volumes().get(NOW, "v1").body().orElseThrow());
        check("44-volumes-claimed", cluster.volumes().list(ALL, "", "").body());
    }

    @Test
    void jobsAreAsRecorded() throws Exception {
        ServerCluster cluster = SampleCluster.whole().cluster();
        check(
                "30-job-allocations",
                cluster.allocations().ofJob(NOW, "web", false).body());
        check("31-jobs", cluster.jobs().list(ALL, false).body());
        check("32-job", cluster.jobs().get(NOW, "web").body().orElseThrow());
        check("33-job-summary", cluster.jobs().summary(NOW, "web").body().orElseThrow());
        check("34-job-evaluations", cluster.evaluations().ofJob(NOW, "web").body());
        check(
                "35-job-versions",
                cluster.jobVersions()
                        .versions(NOW, "web", false, OptionalLong.empty(), "")
                        .body()
                        .orElseThrow());
    }

    @Test
    void allocationsAndEvaluationsAreAsRecorded() throws Exception {
        ServerCluster cluster = SampleCluster.whole().cluster();
        check("37-allocations", cluster.allocations().list(ALL, false, true).body());
        check(
                "38-allocation",
                cluster.allocations().get(NOW, SampleCluster.WEB_ALLOC).body().orElseThrow());
        check("54-evaluations", cluster.evaluations().list(ALL, "", "").body());
    }

    @Test
    void nodesAreAsRecorded() throws Exception {
        ServerCluster cluster = SampleCluster.whole().cluster();
        check("45-nodes", cluster.nodes().list(ALL, false).body());
        check("55-node", cluster.nodes().get(NOW, SampleCluster.NODE).body().orElseThrow());
        check(
                "56-node-allocations",
                cluster.allocations().ofNode(NOW, SampleCluster.NODE).body());
    }

    @Test
    void theClusterIsAsRecorded() throws Exception {
        ServerCluster cluster = SampleCluster.whole().cluster();
        check("46-agent-members", cluster.operator().members());
        check("49-status-leader", cluster.operator().leader());
        check("50-status-peers", cluster.operator().peers());
        check("51-regions", cluster.operator().regions());
        check("52-namespaces", cluster.namespaces().list(ALL).body());
        check("53-raft-configuration", cluster.operator().raftConfiguration());
        check(
                "57-search",
                cluster.search().find(NOW, new SearchRequest("all", "v")).body());
    }

    @Test
    void aPlanIsAsRecorded() throws Exception {
        assertPlan("11-plan-plugin-job", "hostpath", SampleCluster.start().node());
        assertPlan("27-plan", "web", SampleCluster.start().node().plugin().volume());
        assertPlan("59-second-writer-plan", "web2", SampleCluster.whole());
    }

    @Test
    void parsingAndValidatingAreAsRecorded() throws Exception {
        ServerCluster cluster = SampleCluster.start().cluster();
        Recording validated = Recording.of("10-validate-plugin-job");
        check(
                "10-validate-plugin-job",
                cluster.jobDrafts()
                        .validate(WRITE, Json.fromTree(validated.request().get("body"), JobValidateRequest.class)));
        for (String name : List.of("24-parse", "25-parse-canonical")) {
            JobParseRequest request = Json.fromTree(Recording.of(name).request().get("body"), JobParseRequest.class);
            check(name, ParsedJob.json(cluster.jobDrafts().parse(request)));
        }
    }

    private static void assertPlan(String recording, String id, SampleCluster sample) throws Exception {
        JobPlanRequest request = Json.fromTree(Recording.of(recording).request().get("body"), JobPlanRequest.class);
        JobPlanResponse plan;
        try (Intake intake = Intake.over(sample.state())) {
            plan = intake.cluster().jobDrafts().plan(WRITE, id, request).body();
        }
        check(recording, plan);
        JsonNode recorded = Recording.of(recording).body();
        for (String part : List.of("Diff", "Annotations")) {
            assertEquals(
                    recorded.get(part).toString(), Json.toTree(plan).get(part).toString(), recording);
        }
        JsonNode failed = recorded.get("FailedTGAllocs");
        if (!failed.isNull()) {
            assertEquals(
                    failed.get("g").get("ConstraintFiltered"),
                    Json.toTree(plan).get("FailedTGAllocs").get("g").get("ConstraintFiltered"));
        }
    }

    private static void check(String recording, Object view) {
        List<String> differences = new ArrayList<>();
        compare("", Recording.of(recording).body(), Json.toTree(view), differences);
        assertEquals(List.of(), differences, recording);
    }

    private static void compare(String path, JsonNode recorded, JsonNode shown, List<String> differences) {
        if (NOT_HERE.stream().anyMatch(path::endsWith)) {
            return;
        }
        if (recorded.isObject() && shown.isObject()) {
            compareObjects(path, recorded, shown, differences);
        } else if (recorded.isArray() && shown.isArray()) {
            if (recorded.isEmpty() != shown.isEmpty()) {
                differences.add(path + ": " + recorded.size() + " against " + shown.size());
            }
            for (int i = 0; i < shown.size() && !recorded.isEmpty(); i++) {
                compare(path + "[]", sameOne(shown.get(i), recorded, i), shown.get(i), differences);
            }
        } else if (!kind(recorded).equals(kind(shown))) {
            differences.add(path + ": " + kind(recorded) + " against " + kind(shown));
        }
    }

    /**
     * The recorded object of the same id, since Nomad's lists of allocations are in no order; else the one at that
     * place, nulls left out, of which Nomad has some.
     */
    private static JsonNode sameOne(JsonNode shown, JsonNode recorded, int index) {
        List<JsonNode> there = new ArrayList<>();
        recorded.forEach(each -> {
            if (!each.isNull()) {
                there.add(each);
            }
        });
        return there.stream()
                .filter(each -> shown.has("ID") && shown.get("ID").equals(each.get("ID")))
                .findFirst()
                .orElse(there.get(Math.min(index, there.size() - 1)));
    }

    private static void compareObjects(String path, JsonNode recorded, JsonNode shown, List<String> differences) {
        if (FREE_NAMES.stream().anyMatch(path::endsWith)) {
            return;
        }
        Set<String> names = new TreeSet<>(recorded.propertyNames());
        names.addAll(shown.propertyNames());
        for (String name : names) {
            String inner = path + "." + name;
            if (NOT_HERE.stream().anyMatch(inner::endsWith)) {
                continue;
            }
            if (!recorded.has(name) || !shown.has(name)) {
                differences.add(inner + ": only " + (recorded.has(name) ? "recorded" : "shown"));
            } else {
                compare(inner, recorded.get(name), shown.get(name), differences);
            }
        }
    }

    /** All numbers are one kind: JSON does not tell 1 from 1.0. */
    private static String kind(JsonNode node) {
        return node.getNodeType().toString();
    }
}
