package io.cleat.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Verbs that change something: what they ask of the person, and what of the cluster. */
class ChangingVerbsTest {
    private static final String DEREGISTER = "DELETE /v1/volume/csi/v1";
    private static final String STOP_EVAL = "2e049499-a09a-2505-83b9-fddc8f484265";

    private FakeAgent agent;
    private Session session;

    @BeforeEach
    void open() throws IOException {
        agent = RecordedCluster.open();
        session = new Session();
        session.variables.put("NOMAD_ADDR", agent.address());
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

    private String lastRequest() {
        return agent.requests().getLast();
    }

    @Test
    void deregisterAsksNothingAndSaysSo() {
        agent.answers(DEREGISTER, "");
        session.atKeyboard = true;
        assertRun(0, "Successfully deregistered volume \"v1\"!\n", "", "volume deregister v1");
        assertEquals(DEREGISTER, lastRequest());
    }

    /** The version that all are compared with is no one of those that are compared. */
    @Test
    void historyComparesWithTheVersionThatIsAskedFor() {
        String request = "GET /v1/job/web/versions?diff_version=1&diffs=true";
        agent.answers(request, """
                {"Versions": [{"ID": "web", "Version": 2}, {"ID": "web", "Version": 1},
                              {"ID": "web", "Version": 0}],
                 "Diffs": [{"Type": "Edited", "ID": "web", "Fields": [
                              {"Type": "Edited", "Name": "Priority", "Old": "20", "New": "30"}]},
                           {"Type": "Edited", "ID": "web", "Fields": [
                              {"Type": "Edited", "Name": "Priority", "Old": "20", "New": "10"}]}]}
                """);
        assertEquals(0, session.run("job history -p -diff-version=1 web"), () -> session.err);
        String[] shown = session.out.split("Version     = ", -1);
        assertTrue(shown[1].contains("\"20\" => \"30\""), session.out);
        assertFalse(shown[2].contains("=>"), session.out);
        assertTrue(shown[3].contains("\"20\" => \"10\""), session.out);
    }

    @Test
    void inspectPrintsWhatWasWritten() {
        String path = "GET /v1/job/web/submission";
        agent.answers(path + "?version=2", """
                {"Format": "hcl2", "Source": "job \\"web\\" {\\n}\\n", "VariableFlags": {"n": "3"},
                 "Variables": "m = 4\\n"}""");
        assertRun(
                0,
                "job \"web\" {\n}\n",
                "It was given -var=n=3\nIt was given files of variables:\nm = 4\n",
                "job inspect -hcl -version=2 web");
        agent.answers(path, 404, "job source not found");
        assertEquals(1, session.run("job inspect -hcl web"));
        assertTrue(session.err.contains("is not known: it came over the API"), session.err);
    }

    @Test
    void deregisterOfAVolumeInUseNamesTheRefusalAndWhereToLook() {
        agent.recorded(DEREGISTER, "58-deregister-in-use");
        assertRun(1, "", """
                Error: Unexpected response code: 500 (volume in use: v1)
                  by whom: cleat volume why v1
                """, "volume deregister v1");
    }

    @Test
    void forcedDeregisterAsksOnATerminalOnly() {
        agent.answers(DEREGISTER + "?force=true", "");
        String question = "Are you sure you want to force deregister volume \"v1\"? [y/N] ";
        session.atKeyboard = true;
        session.typed.add("n");
        assertRun(1, "", question + "Error: not confirmed: nothing was changed\n", "volume deregister -force v1");
        assertFalse(agent.requests().contains(DEREGISTER + "?force=true"));
        session.typed.add("y");
        assertRun(0, "Successfully deregistered volume \"v1\"!\n", question, "volume deregister -force v1");
        assertRun(0, "Successfully deregistered volume \"v1\"!\n", "", "volume deregister -force -yes v1");
        session.atKeyboard = false;
        assertRun(0, "Successfully deregistered volume \"v1\"!\n", "", "volume deregister -force v1");
    }

    @Test
    void aJobIsEvaluatedThoughNothingHasChanged() {
        agent.answers(
                "PUT /v1/job/web/evaluate",
                "{\"EvalID\":\"2e049499-a09a-2505-83b9-fddc8f484265\",\"EvalCreateIndex\":9}");
        assertRun(0, "Created eval ID: \"2e049499\"\n", "", "job eval -detach -force-reschedule web");
        assertEquals("PUT /v1/job/web/evaluate", lastRequest());
        assertTrue(agent.bodyOf(lastRequest()).contains("\"ForceReschedule\":true"), agent.bodyOf(lastRequest()));
    }

    @Test
    void deleteSendsItsSecretsAndNeverPrintsThem() {
        String delete = "DELETE /v1/volume/csi/v1/delete";
        agent.answers(delete, "");
        assertRun(
                0,
                "Successfully deleted volume \"v1\"!\n",
                "",
                "volume delete -secret user=me -secret pass=hunter2 v1");
        assertEquals("pass=hunter2,user=me", sorted(agent.secretsOf(delete)));
        assertEquals(1, session.run("volume delete -secret pass=hunter2,x v1"));
        assertEquals(1, session.run("volume delete -secret hunter2 v1"));
        assertFalse(session.err.contains("hunter2"), session.err);
    }

    /** It destroyed what began with the given word, and asked nobody. */
    @Test
    void deleteByTheBeginningOfAName_wantsTheNameTyped() {
        String delete = "DELETE /v1/volume/csi/vol/delete";
        String found = FakeAgent.recording("44-volumes-claimed").get("body").toString();
        agent.answers(delete, "").answers("GET /v1/volumes?prefix=vo&type=csi", found.replace("v1", "vol"));
        session.atKeyboard = false;
        assertEquals(1, session.run("volume delete vo"));
        assertTrue(session.err.contains("to go on: -yes=vol"), session.err);
        assertFalse(agent.requests().contains(delete));
        assertRun(0, "Successfully deleted volume \"vol\"!\n", "", "volume delete -yes=vol vo");
    }

    private static String sorted(String header) {
        return String.join(",", List.of(header.split(",", -1)).stream().sorted().toList());
    }

    @Test
    void detachIsSilentAndFindsTheNode() {
        String detach = "DELETE /v1/volume/csi/v1/detach?node=" + RecordedCluster.NODE;
        agent.answers(detach, "");
        assertRun(0, "", "", "volume detach v1 c4c0");
        assertEquals(detach, lastRequest());
    }

    @Test
    void detachFromANodeThatIsGoneSendsTheIdAsItWasGiven() {
        String node = "dddddddd-039e-d829-5462-6ef84844221c";
        agent.answers("DELETE /v1/volume/csi/v1/detach?node=" + node, "");
        assertRun(0, "", "", "volume detach v1 " + node);
    }

    @Test
    void abandoningWantsTheNameTyped() {
        String abandon = "DELETE /v1/volume/csi/v1/detach?abandon=true&node=" + RecordedCluster.NODE;
        agent.answers(abandon, "");
        String deed = "abandon the release of volume \"v1\" on node " + RecordedCluster.NODE;
        assertRun(
                1,
                "",
                "Error: this would " + deed + ", and there is no terminal to ask on\n  to go on: -yes=v1\n",
                "volume detach -abandon v1 c4c0");
        session.atKeyboard = true;
        session.typed.add("yes");
        assertRun(
                1,
                "",
                "This would " + deed + ".\nType \"v1\" to go on: Error: not confirmed: nothing was changed\n",
                "volume detach -abandon v1 c4c0");
        assertRun(
                1,
                "",
                "Error: -yes names \"v2\", but this would " + deed + "\n  to go on: -yes=v1\n",
                "volume detach -abandon -yes=v2 v1 c4c0");
        assertFalse(agent.requests().contains(abandon));
        session.typed.add("v1");
        assertEquals(0, session.run("volume detach -abandon v1 c4c0"));
        assertEquals(abandon, lastRequest());
        session.atKeyboard = false;
        String given = "Nothing holds volume \"v1\" on node " + RecordedCluster.NODE + " any more.\n";
        assertRun(0, given, "", "volume detach -abandon -yes=v1 v1 c4c0");
    }

    @Test
    void thatAMachineIsOffIsSentAsItWasTyped() {
        String off = "DELETE /v1/volume/csi/v1/detach?abandon=true&machine_is_off=web-1&node=" + RecordedCluster.NODE;
        agent.answers(off, "");
        String given = "Nothing holds volume \"v1\" on node " + RecordedCluster.NODE + " any more.\n";
        assertRun(0, given, "", "volume detach -abandon -yes=v1 -machine-is-off=web-1 v1 c4c0");
        assertEquals(off, lastRequest());
        assertRun(
                1,
                "",
                "Error: -machine-is-off is a word for -abandon: give both\n",
                "volume detach -machine-is-off=web-1 v1 c4c0");
    }

    @Test
    void aQuarantineIsEndedInOneOfTwoWays() {
        String quarantine = "PUT /v1/node/" + RecordedCluster.NODE + "/quarantine";
        agent.answers(quarantine, "{\"EvalCreateIndex\":0,\"EvalIDs\":null,\"Index\":9,\"NodeModifyIndex\":9}");
        assertRun(
                0,
                "Node \"" + RecordedCluster.NODE + "\" quarantine ended: it is as it was\n",
                "",
                "node quarantine -dismiss c4c0");
        assertTrue(agent.bodyOf(quarantine).contains("\"Accept\":false"));
        assertEquals(0, session.run("node quarantine -accept -machine-is-off=web-1 c4c0"));
        assertTrue(agent.bodyOf(quarantine).contains("\"Accept\":true"));
        assertTrue(agent.bodyOf(quarantine).contains("\"MachineIsOff\":\"web-1\""));
        assertRun(1, "", """
                Error: -accept needs your word that the node's former machine is off
                  to go on: -machine-is-off=NAME, the node's name
                """, "node quarantine -accept c4c0");
        assertEquals(1, session.run("node quarantine c4c0"));
    }

    @Test
    void jobStopWatchesItsEvaluation() {
        agent.recorded("DELETE /v1/job/web", "60-stop-job");
        agent.answers(
                "GET /v1/evaluation/" + STOP_EVAL,
                "{\"ID\": \"%s\", \"JobID\": \"web\", \"Status\": \"pending\", \"TriggeredBy\": \"job-deregister\"}"
                        .formatted(STOP_EVAL));
        agent.answers(
                "GET /v1/evaluation/" + STOP_EVAL,
                "{\"ID\": \"%s\", \"JobID\": \"web\", \"Status\": \"complete\", \"TriggeredBy\": \"job-deregister\"}"
                        .formatted(STOP_EVAL));
        agent.answers("GET /v1/evaluation/" + STOP_EVAL + "/allocations", "[]");
        assertRun(0, """
                ==> 2026-11-21T12:00:00Z: Monitoring evaluation "2e049499"
                    2026-11-21T12:00:00Z: Evaluation triggered by job "web"
                    2026-11-21T12:00:00Z: Evaluation status changed: "pending" -> "complete"
                ==> 2026-11-21T12:00:00Z: Evaluation "2e049499" finished with status "complete"
                """, "", "job stop web");
        assertEquals(1, session.slept.size());
        assertRun(0, STOP_EVAL + "\n", "", "stop -detach web");
    }

    @Test
    void jobStopByABeginningAsksFirst() {
        agent.answers(
                "GET /v1/jobs?prefix=hos",
                Json.text(List.of(FakeAgent.recording("31-jobs").get("body").get(0))));
        session.atKeyboard = true;
        assertRun(
                1,
                "",
                "Are you sure you want to stop job \"hostpath\"? [y/N] Error: not confirmed: nothing was changed\n",
                "job stop hos");
        assertTrue(agent.requests().stream().noneMatch(request -> request.startsWith("DELETE")));
    }

    @Test
    void allocStopPrintsTheReplacement() {
        agent.answers(
                "PUT /v1/allocation/" + RecordedCluster.ALLOC + "/stop",
                "{\"EvalID\": \"%s\", \"Index\": 9}".formatted(STOP_EVAL));
        agent.answers(
                "GET /v1/evaluation/" + STOP_EVAL,
                "{\"ID\": \"%s\", \"JobID\": \"web\", \"Status\": \"complete\", \"TriggeredBy\": \"alloc-stop\"}"
                        .formatted(STOP_EVAL));
        agent.recorded("GET /v1/evaluation/" + STOP_EVAL + "/allocations", "30-job-allocations");
        assertRun(0, """
                ==> 2026-11-21T12:00:00Z: Monitoring evaluation "2e049499"
                    2026-11-21T12:00:00Z: Evaluation triggered by alloc-stop of job "web"
                    2026-11-21T12:00:00Z: Allocation "2849ded8" created: node "c4c061ed", group "g"
                    2026-11-21T12:00:00Z: Evaluation status changed: "pending" -> "complete"
                ==> 2026-11-21T12:00:00Z: Evaluation "2e049499" finished with status "complete"
                """, "", "alloc stop 2849ded8");
        assertRun(0, STOP_EVAL + "\n", "", "alloc stop -detach 2849ded8");
    }

    @Test
    void anAllocationThatChangesWhileWatchedIsSaid() {
        String eval = "GET /v1/evaluation/" + STOP_EVAL;
        agent.answers(eval, "{\"ID\": \"%s\", \"JobID\": \"web\", \"Status\": \"pending\"}".formatted(STOP_EVAL));
        agent.answers(
                eval,
                "{\"ID\": \"%s\", \"JobID\": \"web\", \"Status\": \"failed\", \"StatusDescription\": \"no plan\"}"
                        .formatted(STOP_EVAL));
        String allocations = Json.text(FakeAgent.recording("30-job-allocations").get("body"));
        agent.answers(eval + "/allocations", allocations.replace("\"running\"", "\"pending\""));
        agent.answers(eval + "/allocations", allocations);
        assertRun(1, """
                ==> 2026-11-21T12:00:00Z: Monitoring evaluation "2e049499"
                    2026-11-21T12:00:00Z: Evaluation triggered by job "web"
                    2026-11-21T12:00:00Z: Allocation "2849ded8" created: node "c4c061ed", group "g"
                    2026-11-21T12:00:00Z: Allocation "2849ded8" status changed: "pending" -> "running" (Tasks are running)
                    2026-11-21T12:00:00Z: Evaluation status changed: "pending" -> "failed"
                ==> 2026-11-21T12:00:00Z: Evaluation "2e049499" finished with status "failed"
                    2026-11-21T12:00:00Z: no plan
                """, "", "eval status -monitor " + STOP_EVAL);
    }

    @Test
    void aRetryLaterIsWaitedFor() {
        String later = "5e049499-a09a-2505-83b9-fddc8f484265";
        agent.answers(
                "GET /v1/evaluation/" + STOP_EVAL,
                "{\"ID\": \"%s\", \"JobID\": \"web\", \"Status\": \"complete\", \"NextEval\": \"%s\"}"
                        .formatted(STOP_EVAL, later));
        agent.answers(
                "GET /v1/evaluation/" + later,
                ("{\"ID\": \"%s\", \"JobID\": \"web\", \"Status\": \"complete\", \"WaitUntil\": "
                                + "\"2026-11-21T12:00:30Z\"}")
                        .formatted(later));
        agent.answers("GET /v1/evaluation/" + STOP_EVAL + "/allocations", "[]");
        agent.answers("GET /v1/evaluation/" + later + "/allocations", "[]");
        assertEquals(0, session.run("eval status -monitor " + STOP_EVAL));
        assertTrue(session.out.contains("12:00:00Z: Monitoring next evaluation \"5e049499\" in 30s"), session.out);
        assertTrue(session.out.contains("12:00:30Z: Monitoring evaluation \"5e049499\""));
    }

    @Test
    void initWritesAFileOnceAndNeverOverOne(@TempDir Path directory) throws IOException {
        session.directory = directory;
        assertRun(0, "Example volume specification written to volume.hcl\n", "", "volume init");
        assertTrue(Files.readString(directory.resolve("volume.hcl")).contains("capability {"));
        assertRun(1, "", """
                Error: there is a file volume.hcl already
                  another name: cleat volume init NAME
                """, "volume init");
        assertRun(0, "Example volume specification written to d.json\n", "", "volume init -json d.json");
    }

    @Test
    void noAgentIsSaidWithItsAddress() {
        agent.close();
        assertEquals(1, session.run("job status"));
        assertEquals("", session.out);
        assertTrue(session.err.startsWith("Error: no answer from the server at " + agent.address()), session.err);
        session.variables.put("CLEAT_ADDR", "https://elsewhere");
        assertEquals(1, session.run("job status"));
        assertTrue(session.err.contains("it comes from -address, CLEAT_ADDR or NOMAD_ADDR"), session.err);
    }

    @Test
    void aVersionIsTagged_andTheTagTakenAway() {
        String path = "/v1/job/web/versions/golden/tag";
        String tag = "{\"Name\": \"golden\", \"Description\": \"d\", \"TaggedTime\": 1}";
        agent.answers("PUT " + path, tag);
        agent.answers("DELETE " + path, tag);
        assertEquals(0, session.run("job tag apply -name=golden -version=3 -description=d web"), () -> session.err);
        assertEquals("{\"Description\":\"d\",\"Version\":3}", agent.bodyOf("PUT " + path));
        assertTrue(session.out.contains("Job version 3 tagged with name \"golden\""), session.out);
        assertEquals(0, session.run("job tag unset -name=golden web"), () -> session.err);
        assertEquals(1, session.run("job tag apply web"));
        assertTrue(session.err.contains("name the tag"), session.err);
    }

    @Test
    void aTaggedVersion_isShownBroughtBackAndComparedWith() {
        String versions = """
                {"Versions": [{"ID": "web", "Version": 1}, {"ID": "web", "Version": 0,
                   "VersionTag": {"Name": "golden", "Description": "good", "TaggedTime": 1}}],
                 "Diffs": [{"Type": "Edited", "ID": "web", "Fields": [
                   {"Type": "Edited", "Name": "Priority", "Old": "20", "New": "30"}]}]}
                """;
        agent.answers("GET /v1/job/web/versions?diff_tag=golden&diffs=true", versions);
        agent.answersInstead("GET /v1/job/web/versions", versions);
        assertEquals(0, session.run("job history -p -diff-tag=golden web"), () -> session.err);
        assertTrue(session.out.contains("golden"), session.out);
        assertTrue(session.out.contains("\"20\" => \"30\""), session.out);
        assertEquals(0, session.run("job revert -detach web golden"), () -> session.err);
        String sent = agent.bodyOf("PUT /v1/job/web/revert");
        assertTrue(sent.contains("\"JobVersion\":0"), sent);
        assertEquals(1, session.run("job revert web silver"));
        assertTrue(session.err.contains("no version of job \"web\" has the tag"), session.err);
    }

    @Test
    void scalingsAreListed_withWhatWasSaid() {
        agent.answersInstead("GET /v1/job/web/scale", """
                {"JobID": "web", "TaskGroups": {"g": {"Desired": 3, "Events": [
                   {"Count": 3, "PreviousCount": 1, "Time": 2000000000, "EvalID": "e1"},
                   {"Error": true, "Message": "no metrics", "PreviousCount": 1,
                    "Time": 1000000000}]}}}
                """);
        assertEquals(0, session.run("job scaling-events -verbose web"), () -> session.err);
        List<String> lines = session.out.lines().toList();
        assertTrue(lines.getFirst().contains("PrevCount"), session.out);
        assertTrue(lines.get(1).contains("g") && lines.get(1).contains("e1"), session.out);
        assertTrue(lines.get(2).contains("no metrics"), session.out);
    }

    @Test
    void scalingPoliciesAreListed_andOneIsShownByTheBeginningOfItsId() {
        String id = "5e9f9ef2-5223-3d35-bac1-be0f3cb974ad";
        String target = "\"Target\": {\"Namespace\": \"default\", \"Job\": \"web\", \"Group\": \"g\"}";
        String list = "[{\"ID\": \"" + id + "\", \"Enabled\": true, \"Type\": \"horizontal\"," + target + "}]";
        agent.answers("GET /v1/scaling/policies", list);
        agent.answers("GET /v1/scaling/policies?namespace=*", list);
        agent.answers(
                "GET /v1/scaling/policy/" + id,
                "{\"ID\": \"" + id + "\", \"Min\": 1, \"Max\": 9, \"Policy\": {\"cooldown\": \"1m\"}}");
        assertEquals(0, session.run("scaling policy list"), () -> session.err);
        assertTrue(session.out.contains("Namespace:default,Job:web,Group:g"), session.out);
        assertEquals(0, session.run("scaling policy info 5e9f"), () -> session.err);
        assertTrue(session.out.contains("cooldown"), session.out);
        assertTrue(session.out.contains("9"), session.out);
    }

    @Test
    void aJobWithOneGroup_isScaledWithoutItsName() {
        assertEquals(0, session.run("job scale -detach web 3"), () -> session.err);
        String sent = agent.bodyOf("PUT /v1/job/web/scale");
        assertTrue(sent.contains("\"Count\":3"), sent);
        assertTrue(sent.contains("\"Target\":{\"Group\":\"g\"}"), sent);
        assertEquals(0, session.run("job scale -detach web cache 0"), () -> session.err);
        sent = agent.bodyOf("PUT /v1/job/web/scale");
        assertTrue(sent.contains("\"Target\":{\"Group\":\"cache\"}"), sent);
        assertEquals(1, session.run("job scale web many"));
        assertTrue(session.err.contains("the count is a number, got \"many\""), session.err);
    }
}
