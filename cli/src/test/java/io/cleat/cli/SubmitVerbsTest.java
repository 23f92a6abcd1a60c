package io.cleat.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.Json;
import io.cleat.base.Refused;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class SubmitVerbsTest {
    private static final String JOB = """
            variable "count" {
              type    = number
              default = 1
            }
            job "web2" {
              group "g" {
                count = var.count
                task "t" {
                  driver = "raw_exec"
                  config {
                    command = "/bin/true"
                  }
                }
              }
            }
            """;

    private static final String VOLUME = """
            id        = "v1"
            name      = "v1"
            type      = "csi"
            plugin_id = "hp"
            capacity_min = "10MiB"
            capability {
              access_mode     = "single-node-writer"
              attachment_mode = "file-system"
            }
            secrets {
              pass = "hunter2"
            }
            """;

    @TempDir
    Path directory = Path.of("");

    private FakeAgent agent;
    private Session session;

    @BeforeEach
    void open() throws IOException {
        agent = RecordedCluster.open();
        session = new Session();
        session.directory = directory;
        session.variables.put("NOMAD_ADDR", agent.address());
        Files.writeString(directory.resolve("web2.hcl"), JOB);
        Files.writeString(directory.resolve("v1.hcl"), VOLUME);
    }

    @AfterEach
    void close() {
        agent.close();
    }

    private void assertRun(int code, String out, String err, String line) {
        assertEquals(code, session.run(line), () -> session.err);
        assertEquals(out, session.out);
        assertEquals(err, session.err);
    }

    private JsonNode sent(String request) throws Refused {
        return Json.tree(agent.bodyOf(request).getBytes(StandardCharsets.UTF_8));
    }

    private void acceptsJobs() {
        agent.answers(
                "PUT /v1/jobs",
                "{\"EvalID\": \"%s\", \"Index\": 30, \"JobModifyIndex\": 30, \"Warnings\": \"\"}"
                        .formatted(RecordedCluster.FAILED_EVAL));
    }

    @Test
    void runReturnsTwoWhenNotEverythingCouldBePlaced() throws Refused {
        acceptsJobs();
        assertEquals(ExitCodes.NOT_PLACED, session.run("run -var=count=3 web2.hcl"));
        assertEquals("", session.err);
        assertTrue(
                session.out.startsWith("==> 2026-11-21T12:00:00Z: Monitoring evaluation \"aaaa0000\"\n"), session.out);
        assertTrue(
                session.out.contains("    2026-11-21T12:00:00Z: Volume \"v1\": in use by 1 writer on node vm\n"),
                session.out);
        JsonNode request = sent("PUT /v1/jobs");
        assertEquals("web2", request.at("/Job/ID").asString());
        assertEquals(3, request.at("/Job/TaskGroups/0/Count").asInt());
        assertFalse(request.get("EnforceIndex").asBoolean());
        assertTrue(request.at("/Submission/Source").asString().contains("job \"web2\""), "the text goes along");
        assertEquals("hcl2", request.at("/Submission/Format").asString());
        assertEquals("3", request.at("/Submission/VariableFlags/count").asString());
    }

    @Test
    void detachPrintsTheEvaluation() throws Refused {
        acceptsJobs();
        assertRun(
                0,
                "Job registration successful\nEvaluation ID: " + RecordedCluster.FAILED_EVAL + "\n",
                "",
                "job run -detach -check-index=7 -eval-priority 60 web2.hcl");
        JsonNode request = sent("PUT /v1/jobs");
        assertTrue(request.get("EnforceIndex").asBoolean());
        assertEquals(7, request.get("JobModifyIndex").asInt());
        assertEquals(60, request.get("EvalPriority").asInt());
    }

    @Test
    void aNamedNamespaceIsTheJobs() throws Refused {
        String request = "PUT /v1/jobs?namespace=storage";
        agent.answers(request, "{\"EvalID\": \"\", \"Warnings\": \"\"}");
        session.variables.put("NOMAD_NAMESPACE", "storage");
        assertRun(0, "Job registration successful\n", "", "job run web2.hcl");
        assertEquals("storage", sent(request).at("/Job/Namespace").asString());
    }

    @Test
    void outputSubmitsNothing() throws Refused {
        assertEquals(0, session.run("job run -output web2.hcl"));
        JsonNode printed = Json.tree(session.out.getBytes(StandardCharsets.UTF_8));
        assertEquals("web2", printed.at("/Job/ID").asString());
        assertEquals(List.of(), agent.requests());
    }

    @Test
    void standardInputIsAFileToo() {
        acceptsJobs();
        session.typed.addAll(JOB.lines().toList());
        assertEquals(0, session.run("job run -detach -"));
        assertTrue(agent.bodyOf("PUT /v1/jobs").contains("\"ID\":\"web2\""));
    }

    /** Who took one out met the next: what the reader refuses came before what the rules do. */
    @Test
    void allThatIsNotSupported_isSaidAtOnce() throws IOException {
        Files.writeString(directory.resolve("later.hcl"), """
                job "later" {
                  multiregion {
                    strategy {}
                  }
                  group "g" {
                    prevent_reschedule_on_lost = true
                    task "t" {
                      driver = "raw_exec"
                      vault {}
                      resources {
                        cores = 2
                      }
                    }
                  }
                }
                """);
        assertEquals(1, session.run("job run later.hcl"));
        for (String part : List.of("\"multiregion\"", "\"vault\"", "prevent_reschedule_on_lost", "cores")) {
            assertTrue(session.err.contains(part), part + ": " + session.err);
        }
        assertTrue(session.err.endsWith("later.hcl has 3 faults\n  nothing was sent\n"), session.err);
    }

    @Test
    void allFaultsOfAFileAreShownAndNothingIsSent() throws IOException {
        Files.writeString(directory.resolve("bad.hcl"), """
                job "bad" {
                  prority = 50
                  group "g" {
                    cuont = 1
                    task "t" {
                      driver = "raw_exec"
                    }
                  }
                }
                """);
        assertEquals(1, session.run("job run bad.hcl"));
        assertEquals("", session.out);
        assertTrue(session.err.contains("line 2") && session.err.contains("line 4"), session.err);
        assertTrue(session.err.contains("prority"), session.err);
        assertTrue(session.err.endsWith("bad.hcl has 2 faults\n  nothing was sent\n"), session.err);
        assertEquals(ExitCodes.PLAN_FAILED, session.run("job plan bad.hcl"));
        assertEquals(1, session.run("job validate bad.hcl"));
        assertEquals(List.of(), agent.requests());
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        assertEquals(1, session.run("job run nothing.hcl"));
        assertTrue(session.err.startsWith("Error: there is no file "), session.err);
        assertTrue(session.err.contains("nothing.hcl"), session.err);
    }

    @Test
    void planOfASecondWriterSaysWhyItWouldWait() {
        agent.recorded("PUT /v1/job/web2/plan", "59-second-writer-plan");
        assertRun(1, """
                Scheduler dry-run:
                - WARNING: Failed to place all allocations.
                  Task Group "g" (failed to place 1 allocation):
                    * Constraint "CSI volume v1 has exhausted its available writer claims": 1 nodes excluded by filter

                Job Modify Index: 0
                To submit the job as planned, and only if nobody changed it meanwhile:

                cleat job run -check-index 0 web2.hcl
                """, "", "job plan web2.hcl");
    }

    @Test
    void planOfANewJobShowsWhatIsMade() {
        agent.recorded("PUT /v1/job/web2/plan", "27-plan");
        assertEquals(1, session.run("job plan web2.hcl"));
        assertTrue(session.out.startsWith("""
                        + Job: "web"
                        + Task Group: "g" (1 create)
                          + Task: "t" (forces create)

                        Scheduler dry-run:
                        - All tasks successfully allocated.
                        """), session.out);
        assertEquals(1, session.run("job plan -verbose web2.hcl"));
        assertTrue(session.out.contains("\n  + Count: "), session.out);
    }

    @Test
    void planWithoutChangesReturnsZero() {
        agent.answers(
                "PUT /v1/job/web2/plan",
                "{\"Annotations\": {\"DesiredTGUpdates\": {\"g\": {\"Ignore\": 1}}},"
                        + " \"Diff\": {\"Type\": \"None\", \"ID\": \"web2\"}, \"JobModifyIndex\": 12, \"Warnings\": "
                        + "\"\"}");
        assertEquals(0, session.run("plan web2.hcl"));
        assertTrue(session.out.contains("- All tasks successfully allocated.\n"), session.out);
        assertTrue(session.out.contains("-check-index 12 web2.hcl\n"), session.out);
    }

    @Test
    void planShowsWhatIsEdited() {
        agent.answers("PUT /v1/job/web2/plan", """
                {"Annotations": {"DesiredTGUpdates": {"g": {"InPlaceUpdate": 1}}},
                 "Diff": {"Type": "Edited", "ID": "web2", "TaskGroups": [
                   {"Type": "Edited", "Name": "g", "Updates": {"in-place update": 1},
                    "Fields": [{"Type": "Edited", "Name": "Count", "Old": "1", "New": "2", "Annotations": ["forces create"]},
                               {"Type": "None", "Name": "Name", "Old": "g", "New": "g"}],
                    "Objects": [{"Type": "Added", "Name": "Constraint", "Fields": [
                        {"Type": "Added", "Name": "LTarget", "New": "${attr.x}"},
                        {"Type": "Added", "Name": "Operand", "New": "="}]}],
                    "Tasks": [{"Type": "Deleted", "Name": "old"}]}]},
                 "JobModifyIndex": 12, "Warnings": "be careful"}
                """);
        assertEquals(1, session.run("plan web2.hcl"));
        assertTrue(session.out.startsWith("""
                        +/- Job: "web2"
                        +/- Task Group: "g" (1 in-place update)
                          +/- Count: "1" => "2" (forces create)
                          +   Constraint {
                            + LTarget: "${attr.x}"
                            + Operand: "="
                              }
                          - Task: "old"

                        Scheduler dry-run:
                        - All tasks successfully allocated.
                        - be careful
                        """), session.out);
    }

    @Test
    void aFailedPlanReturns255() {
        agent.answers("PUT /v1/job/web2/plan", 500, "no scheduler");
        assertRun(255, "", "Error: Unexpected response code: 500 (no scheduler)\n", "job plan web2.hcl");
    }

    @Test
    void validateShowsEveryFault() {
        agent.answers(
                "PUT /v1/validate/job",
                "{\"Error\": \"2 errors\", \"ValidationErrors\": [\"a is wrong\", \"b too\"], \"Warnings\": \"hm\"}");
        assertRun(1, "", """
                Warnings:
                hm
                Job validation errors:
                  * a is wrong
                  * b too
                """, "validate web2.hcl");
    }

    @Test
    void validateOfAGoodJob() {
        agent.recorded("PUT /v1/validate/job", "10-validate-plugin-job");
        assertRun(0, "Job validation successful\n", "", "job validate web2.hcl");
    }

    @Test
    void createSaysTheIdAtTheProvider() throws Refused {
        String create = "PUT /v1/volume/csi/v1/create";
        agent.recorded(create, "15-create");
        assertRun(
                0,
                "Created external volume b3c17a9e-e55c-11f1-823e-7ee81890f4c1 with ID v1\n",
                "",
                "volume create v1.hcl");
        JsonNode volume = sent(create).at("/Volumes/0");
        assertEquals(10 << 20, volume.get("RequestedCapacityMin").asInt());
        assertEquals("hunter2", volume.at("/Secrets/pass").asString());
    }

    @Test
    void registerSaysTheId() {
        JsonNode created = FakeAgent.recording("15-create").get("body");
        agent.answers("PUT /v1/volumes", Json.text(created));
        assertRun(0, "Volume \"v1\" registered\n", "", "volume register v1.hcl");
    }

    @Test
    void aRefusedVolumeIsSaidInTheServersWords() {
        agent.answers("PUT /v1/volumes", 500, "validation: missing plugin id");
        assertRun(
                1,
                "",
                "Error: Unexpected response code: 500 (validation: missing plugin id)\n",
                "volume register v1.hcl");
    }

    @Test
    void theExampleOfInitIsAVolumeFile() {
        for (String name : List.of("volume.hcl", "volume.json")) {
            assertEquals(0, session.run("volume init" + (name.endsWith("json") ? " -json" : "")));
            agent.answers(
                    "PUT /v1/volume/csi/example/create",
                    "{\"Volumes\": [{\"ID\": \"example\", \"ExternalID\": \"e\"}], \"Warnings\": \"\"}");
            assertRun(0, "Created external volume e with ID example\n", "", "volume create " + name);
        }
    }
}
