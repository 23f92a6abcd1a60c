package io.cleat.clusterapi.jobs;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.Job;
import io.cleat.api.JobDiff;
import io.cleat.api.JobVersionsResponse;
import io.cleat.api.Json;
import io.cleat.base.Meter;
import io.cleat.base.Refused;
import io.cleat.clusterapi.SampleCluster;
import io.cleat.http.ReadQuery;
import io.cleat.model.JobId;
import io.cleat.model.JobSpec;
import io.cleat.model.JobTag;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.JobRow;
import io.cleat.state.JobVersionId;
import io.cleat.state.PlannedCounts;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Diffs of jobs that somebody wrote to make them dear. */
final class JobDiffsTest {
    private static Job job(String constraints, String config) throws Refused {
        return Json.read("""
                {"ID": "web", "Name": "web", "Constraints": [%s],
                 "TaskGroups": [{"Name": "g", "Tasks": [
                    {"Name": "t", "Driver": "exec", "Config": %s}]}]}
                """.formatted(constraints, config), Job.class);
    }

    private static Meter meter() {
        return new Meter(Diffs.LIMITS);
    }

    @Test
    void aServiceIsMatchedByItsName_andItsChecksByTheirs() throws Refused {
        String text = """
                {"ID": "web", "Name": "web", "TaskGroups": [{"Name": "g", "Services": [
                  {"Name": "a", "PortLabel": "%s", "Checks": [{"Name": "c", "Path": "%s"}]},
                  {"Name": "b", "PortLabel": "9"}], "Tasks": []}]}
                """;
        JobDiff diff = JobDiffs.between(
                Json.read(text.formatted("1", "/old"), Job.class),
                Json.read(text.formatted("1", "/new"), Job.class),
                meter());
        String shown = Json.text(requireNonNull(diff.TaskGroups()).getFirst());
        assertTrue(
                shown.contains("\"Objects\":[{\"Fields\":null,\"Name\":\"Service\",\"Objects\":[{\"Fields\":"
                        + "[{\"Annotations\":null,\"Name\":\"Path\",\"New\":\"/new\","
                        + "\"Old\":\"/old\",\"Type\":\"Edited\"}],\"Name\":\"Check\""),
                shown);
    }

    /** Each value is named by all names around it: here 90 of 4,000 characters. */
    @Test
    void longNamesInsideEachOtherAreRefusedWithTheirPlace() throws Refused {
        String values = IntStream.range(0, 1000)
                .mapToObj(number -> "\"v" + number + "\": 1")
                .collect(Collectors.joining(",", "{", "}"));
        String config = ("{\"" + "n".repeat(4000) + "\": ").repeat(90) + values + "}".repeat(90);
        Job dear = job("", config);
        String refused = assertThrows(Refused.class, () -> JobDiffs.planned(null, dear, Map.of()))
                .refusal()
                .message();
        assertTrue(
                refused.startsWith("cannot compare the versions of job \"web\", group \"g\", task \"t\":"
                        + " it needs more than 16,777,216 characters in memory"),
                refused);
        assertTrue(refused.endsWith("or ask without the diff"), refused);
    }

    /** Texts of {@code Aa} and {@code BB} all have one hash. */
    @Test
    void blocksOfOneHashAreNotComparedEachWithEach() throws Refused {
        int pairs = 14;
        String constraints = IntStream.range(0, 1 << pairs)
                .mapToObj(number -> IntStream.range(0, pairs)
                        .mapToObj(bit -> (number >> bit & 1) == 0 ? "Aa" : "BB")
                        .collect(Collectors.joining("", "{\"LTarget\":\"", "\"}")))
                .collect(Collectors.joining(","));
        Job many = job(constraints, "{}");
        Job none = job("", "{}");
        JobDiff diff = JobDiffs.between(none, many, meter());
        assertEquals(1 << pairs, Objects.requireNonNull(diff.Objects()).size());
        assertEquals("None", JobDiffs.between(many, many, meter()).Type());
    }

    @Test
    void allDiffsOfOneAnswerShareAMeter() throws Refused {
        String texts = IntStream.range(0, 40_000)
                .mapToObj(number -> "\"v" + number + "\"")
                .collect(Collectors.joining(",", "{\"args\": [", "]}"));
        Job old = job("", "{}");
        Job now = job("", texts);
        Meter shared = meter();
        JobDiffs.between(old, now, shared);
        assertThrows(Refused.class, () -> {
            for (int i = 0; i < 10; i++) {
                JobDiffs.between(old, now, shared);
            }
        });
    }

    private static Change.JobPut version(JobSpec spec, long number, int priority) {
        JobSpec other = new JobSpec(
                spec.id(),
                spec.name(),
                spec.type(),
                spec.region(),
                spec.nodePool(),
                priority,
                spec.allAtOnce(),
                spec.datacenters(),
                spec.meta(),
                spec.constraints(),
                spec.groups());
        return new Change.JobPut(new JobRow(other, number, false, SampleCluster.AT, 0, 0, 0));
    }

    private static List<String> priorities(Optional<JobVersionsResponse> answer) {
        return requireNonNull(answer.orElseThrow().Diffs()).stream()
                .map(diff -> requireNonNull(diff.Fields()).getFirst())
                .map(field -> field.Old() + " -> " + field.New())
                .toList();
    }

    /** Whoever asked to compare with one version got each compared with the one before it. */
    @Test
    void versionsAreComparedWithTheOneThatIsAskedFor() throws Exception {
        JobSpec spec = SampleCluster.recordedJob("28-register-job");
        SampleCluster sample = SampleCluster.start();
        for (int number = 0; number < 4; number++) {
            sample.apply(version(spec, number, 10 * (number + 1)));
        }
        JobVersions jobs = sample.cluster().jobVersions();
        ReadQuery now = ReadQuery.now("default");
        assertEquals(
                List.of("30 -> 40", "20 -> 30", "10 -> 20"),
                priorities(jobs.versions(now, "web", true, OptionalLong.empty(), "")
                        .body()));
        assertEquals(
                List.of("20 -> 40", "20 -> 30", "20 -> 10"),
                priorities(
                        jobs.versions(now, "web", true, OptionalLong.of(1), "").body()));
        JobId id = new JobId("default", "web");
        long second = sample.state().jobVersions(id).get(1).createVersion();
        sample.apply(new Change.JobTagged(new JobVersionId(id, second), new JobTag("golden", "", Instant.EPOCH)));
        JobVersions tagged = sample.cluster().jobVersions();
        assertEquals(
                List.of("20 -> 40", "20 -> 30", "20 -> 10"),
                priorities(tagged.versions(now, "web", true, OptionalLong.empty(), "golden")
                        .body()));
        Refused untagged =
                assertThrows(Refused.class, () -> tagged.versions(now, "web", true, OptionalLong.empty(), "silver"));
        assertTrue(untagged.refusal().message().contains("no version with the tag \"silver\""));
        Refused none = assertThrows(Refused.class, () -> jobs.versions(now, "web", true, OptionalLong.of(9), ""));
        assertEquals(
                "job \"web\" has no version 9 to compare with; it has [3, 2, 1, 0]",
                none.refusal().message());
    }

    /** A plan with a canary said what it ignores, and nothing of the canary. */
    @Test
    void whatBecomesOfAllocationsIsSaid_canariesToo() throws Exception {
        ClusterState state = SampleCluster.whole().state();
        Job job = JobView.job(state, state.job(new JobId("default", "web")).orElseThrow());
        assertEquals(
                Map.of("canary", 1L, "create", 2L, "ignore", 3L),
                requireNonNull(JobDiffs.planned(
                                        null,
                                        job,
                                        Map.of(
                                                requireNonNull(job.TaskGroups())
                                                        .getFirst()
                                                        .Name(),
                                                new PlannedCounts(2, 0, 3, 0, 0, 0, 0, 1)))
                                .TaskGroups())
                        .getFirst()
                        .Updates());
    }

    @Test
    void anOrdinaryDiffTakesLittleOfItsMeter() throws Refused {
        Job old = job("{\"LTarget\": \"a\"}", "{\"command\": \"x\", \"args\": [\"1\", \"2\"]}");
        Job now = job("{\"LTarget\": \"b\"}", "{\"command\": \"y\", \"args\": [\"1\", \"3\"]}");
        Meter meter = meter();
        JobDiff diff = JobDiffs.between(old, now, meter);
        assertEquals("Edited", diff.Type());
        assertEquals(
                List.of("Constraint", "Constraint"),
                Objects.requireNonNull(diff.Objects()).stream()
                        .map(each -> each.Name())
                        .toList());
        assertTrue(meter.stepsLeft() > Diffs.LIMITS.steps() - 1000, "" + meter.stepsLeft());
    }
}
