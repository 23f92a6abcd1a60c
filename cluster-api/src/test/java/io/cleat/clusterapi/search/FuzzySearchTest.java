package io.cleat.clusterapi.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.FuzzySearchRequest;
import io.cleat.api.FuzzySearchResponse;
import io.cleat.api.FuzzySearchResponse.Match;
import io.cleat.api.Json;
import io.cleat.base.Refused;
import io.cleat.clusterapi.SampleCluster;
import io.cleat.http.ReadQuery;
import io.cleat.state.Change;
import io.cleat.state.JobRow;
import io.cleat.testkit.FullJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Names with a text in them. */
final class FuzzySearchTest {
    private static FuzzySearchResponse find(SampleCluster sample, String namespace, String context, String text)
            throws Exception {
        return sample.cluster()
                .search()
                .findFuzzily(ReadQuery.now(namespace), new FuzzySearchRequest(context, text))
                .body();
    }

    private static List<Match> of(FuzzySearchResponse found, String kind) {
        return Objects.requireNonNull(found.Matches().get(kind));
    }

    @Test
    void aJob_isFoundByAnyPartOfItsNames_inAnyCase() throws Exception {
        SampleCluster sample = SampleCluster.whole();
        FuzzySearchResponse jobs = find(sample, "default", "jobs", "EB");
        assertEquals(
                List.of(new Match("web", List.of("default", "web"))),
                jobs.Matches().get("jobs"));
        assertEquals(Map.of("jobs", false), jobs.Truncations());
        FuzzySearchResponse raw = find(sample, "default", "jobs", "bin");
        assertTrue(raw.Matches().containsKey("commands"), () -> raw.Matches().toString());
        Match command = of(raw, "commands").getFirst();
        assertEquals(4, command.Scope().size(), "namespace, job, group and task");
        assertFalse(raw.Matches().containsKey("jobs"));
    }

    @Test
    void aService_isFoundWithWhoseItIs() throws Exception {
        SampleCluster sample = SampleCluster.start()
                .apply(new Change.JobPut(new JobRow(FullJob.serving(), 0, false, SampleCluster.AT, 0, 0, 0)));
        assertEquals(
                List.of(new Match("web", List.of("default", "shop", "front"))),
                of(find(sample, "default", "jobs", "we"), "services"));
        assertEquals(
                List.of("default", "shop", "front", "server"),
                of(find(sample, "default", "jobs", "api-"), "services")
                        .getFirst()
                        .Scope());
    }

    @Test
    void everything_isSearchedByName_andWhatHasNone_byTheBeginningOfItsId() throws Exception {
        SampleCluster sample = SampleCluster.whole();
        FuzzySearchResponse all = find(sample, "*", "all", "vm");
        assertEquals(
                List.of(new Match("vm", List.of(SampleCluster.NODE))),
                all.Matches().get("nodes"));
        assertEquals(
                Set.of(
                        "allocs",
                        "deployment",
                        "evals",
                        "jobs",
                        "namespaces",
                        "node_pools",
                        "nodes",
                        "plugins",
                        "scaling_policy",
                        "vars",
                        "volumes"),
                all.Truncations().keySet());
        FuzzySearchResponse evaluation = find(sample, "*", "all", SampleCluster.WEB_EVAL.substring(0, 6));
        assertEquals(
                List.of(new Match(SampleCluster.WEB_EVAL, List.of())),
                evaluation.Matches().get("evals"));
        assertEquals(
                "{\"ID\":\"" + SampleCluster.WEB_EVAL + "\"}",
                Json.text(of(evaluation, "evals").getFirst()));
        Match alloc = of(find(sample, "*", "allocs", "eb.g["), "allocs").getFirst();
        assertEquals(new Match("web.g[0]", List.of("default", SampleCluster.WEB_ALLOC)), alloc);
    }

    @Test
    void anotherNamespace_isNotLookedAt() throws Exception {
        SampleCluster sample = SampleCluster.whole();
        assertEquals(Map.of(), find(sample, "team", "jobs", "we").Matches());
        assertEquals(Map.of(), find(sample, "team", "allocs", "we").Matches());
    }

    @Test
    void ofTooMany_theClosestAreShown_andItIsSaid() throws Exception {
        SampleCluster sample = SampleCluster.start();
        for (int i = 0; i < 150; i++) {
            sample.apply(new Change.NodePut(SampleCluster.nodeRow("n%03d".formatted(i), "rack-web-" + i, List.of())));
        }
        sample.apply(new Change.NodePut(SampleCluster.nodeRow("z1", "web", List.of())));
        sample.apply(new Change.NodePut(SampleCluster.nodeRow("z2", "web-1", List.of())));
        FuzzySearchResponse found = find(sample, "default", "nodes", "web");
        assertEquals(Map.of("nodes", true), found.Truncations());
        List<String> names = new ArrayList<>();
        of(found, "nodes").forEach(match -> names.add(match.ID()));
        assertEquals(100, names.size());
        assertEquals(List.of("web", "web-1", "rack-web-0"), names.subList(0, 3));
    }

    @Test
    void aShortTextAndAnUnknownContext_areRefused() {
        SampleCluster sample = SampleCluster.start();
        Refused tooShort = assertThrows(Refused.class, () -> find(sample, "default", "jobs", "w"));
        assertEquals(
                "fuzzy search query must be at least 2 characters, got 1",
                tooShort.refusal().message());
        Refused odd = assertThrows(Refused.class, () -> find(sample, "default", "odd", "ww"));
        assertTrue(
                odd.refusal().message().startsWith("invalid context \"odd\"; expected all or one"),
                odd.refusal().message());
    }
}
