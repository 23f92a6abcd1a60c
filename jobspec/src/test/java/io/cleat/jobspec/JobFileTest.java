package io.cleat.jobspec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.CheckRestart;
import io.cleat.api.Job;
import io.cleat.api.Json;
import io.cleat.api.Service;
import io.cleat.api.ServiceCheck;
import io.cleat.api.TaskGroup;
import io.cleat.jobspec.hcl.FaultText;
import io.cleat.jobspec.hcl.FixedRuntime;
import io.cleat.jobspec.hcl.Source;
import io.cleat.jobspec.hcl.Variables;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

final class JobFileTest {
    @ParameterizedTest
    @ValueSource(strings = {"synthetic", "plugin", "claim", "fleet", "periodic", "parameterized"})
    void aRealFileGivesTheJobBesideIt(String name) throws Exception {
        Variables values =
                name.equals("plugin") ? Variables.none().withFlag("launcher", "/opt/cleat/cleat") : Variables.none();
        Job job = good(Source.of(name + ".hcl", resource(name + ".hcl")), values);
        String given = new String(Json.writePretty(withoutNulls(Json.toTree(job))), StandardCharsets.UTF_8);
        assertEquals(resource(name + ".json"), given);
    }

    @Test
    void theSyntheticJobThatALibraryGotWrong() throws Exception {
        Job job = good(Source.of("synthetic.hcl", resource("synthetic.hcl")), Variables.none());
        var group = Objects.requireNonNull(job.TaskGroups()).getFirst();
        var task = Objects.requireNonNull(group.Tasks()).getFirst();
        assertEquals(List.of("dc3"), job.Datacenters());
        assertEquals(5, group.Count());
        var volume = Objects.requireNonNull(group.Volumes()).get("data");
        assertEquals("vol[003]", Objects.requireNonNull(volume).Source());
        assertEquals(Map.of("LOUD", "AB3-BUSYBOX:1.36"), task.Env());
        assertEquals(Map.of("admin", "port-8080", "http", "port-80"), job.Meta());
        assertEquals(
                "image=busybox:1.36\n  literal=${HOME}\n",
                Objects.requireNonNull(task.Templates()).getFirst().EmbeddedTmpl());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "job \"a\" { meta = { k = \"x\\u0000y\" } }",
                "job \"a\\u0000\" {}",
                "job \"a\" { meta = { \"k\\u0000\" = \"x\" } }",
                "job \"a\" { meta = { k = jsondecode(\"\\\"\\\\ud800\\\"\") } }",
                "{\"ID\":\"a\",\"Name\":\"\\ud800\"}",
                "{\"ID\":\"a\",\"Meta\":{\"k\":\"\\u0000\"}}",
            })
    void aTextThatIsNotUnicodeOrHoldsNul_isAFaultWithItsPlace(String text) {
        Parsed<Job> parsed = JobFile.parse(Source.of("a", text), Variables.none(), FixedRuntime.runtime());
        String faults = assertInstanceOf(Parsed.Bad.class, parsed, text).lines();
        assertTrue(faults.contains("NUL") || faults.contains("Unicode"), text + ": " + faults);
    }

    @Test
    void aParsedJobIsWhatTheRecordedAnswerShows() throws Exception {
        String source = """
                job "web" {
                  group "g" {
                    volume "data" {
                      type = "csi"
                      source = "v1"
                      access_mode = "single-node-writer"
                      attachment_mode = "file-system"
                    }
                    task "t" {
                      driver = "exec"
                      config {
                        command = "/bin/sh"
                        args = ["-c", "echo hello; while true; do sleep 1; done"]
                      }
                      volume_mount {
                        volume = "data"
                        destination = "/data"
                      }
                      resources {
                        cpu = 50
                        memory = 32
                      }
                    }
                  }
                }\
                """;
        Job job = good(Source.of("input.hcl", source), Variables.none());
        // Which of the keys that are not set are shown as null is the route's affair.
        assertEquals(
                withoutNulls(Json.tree(resource("recorded-parse.json").getBytes(StandardCharsets.UTF_8))),
                withoutNulls(Json.tree(Json.write(job))));
    }

    @Test
    void aPluginWhoseInstancesMayOverlap_isReadSo() throws Exception {
        String source = """
                job "p" {
                  group "g" {
                    task "t" {
                      driver = "exec"
                      csi_plugin {
                        id      = "p"
                        type    = "node"
                        overlap = true
                      }
                    }
                  }
                }\
                """;
        String json =
                new String(Json.write(good(Source.of("input.hcl", source), Variables.none())), StandardCharsets.UTF_8);
        assertTrue(json.contains("\"Overlap\":true"), json);
    }

    @Test
    void servicesOfGroupsAndTasks_areReadWithTheirChecks() throws Exception {
        String source = """
                job "s" {
                  group "g" {
                    service {
                      name         = "web"
                      port         = "http"
                      provider     = "nomad"
                      tags         = ["a", "b"]
                      canary_tags  = ["c"]
                      meta { tier  = "1" }
                      check_restart { limit = 3 }
                      check {
                        type     = "http"
                        path     = "/health"
                        interval = "10s"
                        timeout  = "2s"
                        header {
                          Authorization = ["Basic x"]
                        }
                      }
                    }
                    task "t" {
                      driver = "exec"
                      service {
                        port     = 8080
                        provider = "nomad"
                        check {
                          type     = "script"
                          command  = "/bin/check"
                          args     = ["-v"]
                          interval = "30s"
                          timeout  = "5s"
                          check_restart {
                            limit           = 2
                            grace           = "90s"
                            ignore_warnings = true
                          }
                        }
                      }
                    }
                  }
                }\
                """;
        Job job = good(Source.of("input.hcl", source), Variables.none());
        TaskGroup group = Objects.requireNonNull(job.TaskGroups()).getFirst();
        Service web = Objects.requireNonNull(group.Services()).getFirst();
        assertEquals(List.of("web", "http"), List.of(web.Name(), web.PortLabel()));
        assertEquals(List.of("a", "b"), web.Tags());
        assertEquals(Map.of("tier", "1"), web.Meta());
        ServiceCheck check = Objects.requireNonNull(web.Checks()).getFirst();
        assertEquals(Map.of("Authorization", List.of("Basic x")), check.Header());
        assertEquals(10_000_000_000L, check.Interval());
        assertEquals(new CheckRestart(null, false, 3), web.CheckRestart());
        Service own = Objects.requireNonNull(
                        Objects.requireNonNull(group.Tasks()).getFirst().Services())
                .getFirst();
        assertEquals("8080", own.PortLabel());
        assertEquals(
                new CheckRestart(90_000_000_000L, true, 2),
                Objects.requireNonNull(own.Checks()).getFirst().CheckRestart());
        String json = Json.text(job);
        assertEquals(job, good(Source.of("s.json", json), Variables.none()));
    }

    @Test
    void theRecordedFaultHasItsRecordedLine() {
        Source source = Source.of("input.hcl", "job \"x\" {\n  groop \"g\" {}\n}");
        var bad = assertInstanceOf(Parsed.Bad.class, JobFile.parse(source, Variables.none(), FixedRuntime.runtime()));
        assertTrue(
                bad.lines()
                        .contains("input.hcl:2,3-8: Unsupported block type; Blocks of type \"groop\""
                                + " are not expected here. Did you mean \"group\"?"),
                bad.lines());
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"Job\": %s}", "%s", " \n{\"job\": %s, \"EnforceIndex\": true}"})
    void jsonGivesTheSameJobAsHcl(String wrapping) throws Exception {
        Job job = good(Source.of("claim.hcl", resource("claim.hcl")), Variables.none());
        String json = wrapping.formatted(Json.text(job));
        assertEquals(job, good(Source.of("claim.json", json), Variables.none()));
    }

    @Test
    void filesAreReadBesideTheJobFile(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("motd"), "hello");
        Path file = folder.resolve("x.hcl");
        Files.writeString(file, """
                job "x" {
                  meta = { text = file("motd"), path = abspath("motd") }
                  group "g" {
                    task "t" { driver = "raw_exec" }
                  }
                }
                """);
        Job job = good(Source.read(file), Variables.none());
        assertEquals(Map.of("text", "hello", "path", folder.resolve("motd").toString()), job.Meta());
    }

    @Test
    void anIdInTheJobBlock_isTheJobs_andItsLabelIsTheName() {
        Job job = good(Source.of("input.hcl", """
                                job "web" {
                                  id = uuidv5("dns", "web.example.org")
                                  group "g" {
                                    task "t" { driver = "raw_exec" }
                                  }
                                }
                                """), Variables.none());
        assertEquals("web", job.Name());
        assertEquals("e0615bd0-1e8c-5d18-8a85-3895358d945c", job.ID());
    }

    @Test
    void theHomeDirectoryIsThatOfWhoReadsTheFile(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("x.hcl");
        String text = """
                job "x" {
                  meta = { home = pathexpand("~/data") }
                  group "g" {
                    task "t" { driver = "raw_exec" }
                  }
                }
                """;
        Files.writeString(file, text);
        Job job = good(Source.read(file), Variables.none());
        assertEquals(Map.of("home", System.getProperty("user.home") + "/data"), job.Meta());
        var sent = assertInstanceOf(
                Parsed.Bad.class,
                JobFile.parse(Source.of("input.hcl", text), Variables.none(), FixedRuntime.runtime()));
        assertTrue(sent.lines().contains("not in a text that was sent"), sent.lines());
    }

    private static JsonNode withoutNulls(JsonNode node) {
        JsonNode copy = node.deepCopy();
        prune(copy);
        return copy;
    }

    private static void prune(JsonNode node) {
        if (node instanceof tools.jackson.databind.node.ObjectNode object) {
            object.propertyNames().stream()
                    .filter(name -> object.get(name).isNull())
                    .toList()
                    .forEach(object::remove);
        }
        node.forEach(JobFileTest::prune);
    }

    private static Job good(Source source, Variables variables) {
        return switch (JobFile.parse(source, variables, FixedRuntime.runtime())) {
            case Parsed.Good<Job>(Job job) -> job;
            case Parsed.Bad<Job> bad ->
                throw new AssertionError(FaultText.plain().render(bad.faults()));
        };
    }

    static String resource(String name) throws IOException {
        try (InputStream in = JobFileTest.class.getResourceAsStream("/jobs/" + name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
