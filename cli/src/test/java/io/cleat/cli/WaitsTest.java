package io.cleat.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What {@code job status} says of a job that found no place. */
final class WaitsTest {
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

    /** The job's evaluations are this one, once those that the cluster was made with were read. */
    private void evaluation(String status, String description) {
        agent.answers("GET /v1/job/web2/evaluations", """
                [{"ID": "%s", "JobID": "web2", "Status": "%s", "CreateIndex": 40,
                  "StatusDescription": "%s"}]
                """.formatted(RecordedCluster.EVAL, status, description));
        session.run("job status web2");
    }

    @Test
    void aJobThatWaitsForAPluginOrAPlace_saysSoThoughNoVolumeIsNamed() {
        evaluation("blocked", "it has waited for a node that can take it (CSI plugin hp is missing from client n1)");
        assertEquals(0, session.run("job status web2"));
        assertTrue(
                session.out.contains(
                        "\nWaiting\nit has waited for a node that can take it (CSI plugin hp is missing from client "
                                + "n1)\n"),
                session.out);
    }

    /** A replacement that waited on a dead node was told by {@code volume why} alone. */
    @Test
    void anAllocationWhoseClaimWaits_saysSo_andSoDoesItsJob() {
        String alloc = "7c3edf3d-a9a8-15bd-ec14-632c3b289daa";
        agent.answers("GET /v1/allocation/" + alloc, """
                {"ID": "%s", "Name": "web.g[0]", "Namespace": "default", "JobID": "web",
                 "TaskGroup": "g", "ClientStatus": "pending", "DesiredStatus": "run",
                 "EvalID": "%s", "NodeID": "%s", "NodeName": "vm",
                 "Job": {"ID": "web", "TaskGroups": [{"Name": "g", "Tasks": [], "Volumes": {
                     "own": {"Name": "own", "Type": "csi", "Source": "v", "PerAlloc": true},
                     "here": {"Name": "here", "Type": "host", "Source": "h"}}}]}}
                """.formatted(alloc, RecordedCluster.EVAL, RecordedCluster.NODE));
        agent.answers("GET /v1/allocations?prefix=7c3edf3d", "[{\"ID\": \"" + alloc + "\"}]");
        agent.answers("GET /v1/volume/csi/v%5B0%5D/why", """
                {"ID": "v[0]", "Namespace": "default", "State": "held", "Events": [],
                 "Waiting": [], "Claims": [
                  {"AllocID": "another", "BlockedBy": {"Holder": "nobody", "Hint": "x"}},
                  {"AllocID": "%s", "BlockedBy": {
                     "Holder": "node old, which is down", "Hint": "until it has booted"}}]}
                """.formatted(alloc));
        String told =
                "  * claim of volume v[0] has waited for node old, which is down;\n" + "    until it has booted.\n";
        assertEquals(0, session.run("alloc status 7c3edf3d"), () -> session.err);
        assertTrue(session.out.contains("\nWaiting\n" + told), session.out);
        agent.answers("GET /v1/job/web/allocations", """
                [{"ID": "%s", "Name": "web.g[0]", "ClientStatus": "pending"}]
                """.formatted(alloc));
        session.run("job status web");
        assertEquals(0, session.run("job status web"), () -> session.err);
        assertTrue(session.out.endsWith("\nWaiting To Start\nAllocation 7c3edf3d: web.g[0]\n" + told), session.out);
    }

    /** It showed none, as if they were free. */
    @Test
    void aNodeThatIsDown_showsTheVolumesThatItHolds() {
        String node = "GET /v1/node/" + RecordedCluster.NODE;
        agent.answers(
                node,
                FakeAgent.recording("55-node")
                        .get("body")
                        .toString()
                        .replace("\"Status\":\"ready\"", "\"Status\":\"down\""));
        agent.answers(node + "/allocations", "[]");
        agent.answers(
                "GET /v1/volumes?namespace=*&node_id=" + RecordedCluster.NODE + "&type=csi",
                "[{\"ID\": \"held\", \"Namespace\": \"team\"}]");
        session.run("node status c4c0");
        assertEquals(0, session.run("node status c4c0"), () -> session.err);
        assertTrue(session.out.contains("\nStatus          = down\n"), session.out);
        assertTrue(session.out.contains("\nCSI Volumes     = held\n"), session.out);
    }

    @Test
    void aSystemJobThatNoNodeTakes_saysSo() {
        evaluation("complete", "no node takes group g (missing drivers (docker))");
        assertEquals(0, session.run("job status web2"));
        assertTrue(
                session.out.contains("\nNot Placed\nno node takes group g (missing drivers (docker))\n"), session.out);
    }
}
