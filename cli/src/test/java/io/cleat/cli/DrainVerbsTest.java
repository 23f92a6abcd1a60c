package io.cleat.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Draining nodes: what is asked of the cluster, and what is told meanwhile. */
class DrainVerbsTest {
    private static final String NODE = "c4c061ed-039e-d829-5462-6ef84844221c";
    private static final String DRAIN = "PUT /v1/node/" + NODE + "/drain";
    private static final String PROGRESS = "GET /v1/node/" + NODE + "/drain";
    private static final String LATER = PROGRESS + "?index=7&wait=30000ms";
    private static final String ELIGIBILITY = "PUT /v1/node/" + NODE + "/eligibility";
    private static final String DONE = "{\"EvalCreateIndex\":0,\"EvalIDs\":null,\"Index\":9,\"NodeModifyIndex\":9}";

    private FakeAgent agent;
    private Session session;

    @BeforeEach
    void open() throws IOException {
        agent = RecordedCluster.open();
        session = new Session();
        session.variables.put("NOMAD_ADDR", agent.address());
        agent.answers(DRAIN, DONE).answers(ELIGIBILITY, DONE);
    }

    @AfterEach
    void close() {
        agent.close();
    }

    private String ok(String line) {
        assertEquals(0, session.run(line), () -> session.err);
        return session.out;
    }

    private static String progress(String phase, String left) {
        return """
        {"DrainStrategy":{"Deadline":0,"ForceDeadline":null,"IgnoreSystemJobs":false,
         "StartedAt":null},"LastDrain":null,"Left":[%s],"NodeID":"n","NodeName":"vm","Phase":"%s"}
        """.formatted(left, phase);
    }

    private static String over(String status) {
        return """
        {"DrainStrategy":null,"LastDrain":{"AccessorID":"","Meta":null,"StartedAt":null,
         "Status":"%s","UpdatedAt":null},"Left":[],"NodeID":"n","NodeName":"vm","Phase":""}
        """.formatted(status);
    }

    @Test
    void drainTellsEachPhaseAndWhatItWaitsFor() {
        String waits = """
                {"Object":"volume v1","Phase":"unstage","Since":null,"WaitingFor":{"Hint":"it is \
                called again","Holder":"plugin local","NextTry":null,"Since":null,"Step":"unstage",\
                "What":""}}""";
        agent.answers(
                        PROGRESS,
                        progress(
                                "tasks",
                                "{\"Object\":\"allocation "
                                        + "a1\",\"Phase\":\"tasks\",\"Since\":null,\"WaitingFor\":null}"))
                .answers(LATER, progress("unstage", waits))
                .answers(LATER, progress("plugins", ""))
                .answers(LATER, over("complete"));
        String out = ok("node drain -enable -yes -m disk " + NODE);
        assertEquals("""
                Node "%s" drain strategy set
                Ctrl-C to stop monitoring: will not cancel the node drain
                Drain phase "tasks": 1 left
                  allocation a1
                Drain phase "unstage": 1 left
                  volume v1 waits for unstage: plugin local; it is called again
                Drain phase "plugins": 0 left
                Node "c4c061ed" drain complete
                """.formatted(NODE), out.replaceAll("(?m)^\\d{4}-\\d\\d-\\d\\dT[^ ]+: ", ""));
        String body = agent.bodyOf(DRAIN);
        assertTrue(body.contains("\"Deadline\":3600000000000"), body);
        assertTrue(body.contains("\"message\":\"disk\""), body);
    }

    @Test
    void forceIsASecondAgoAndDetachDoesNotWait() {
        ok("node drain -enable -yes -force -ignore-system -detach " + NODE);
        String body = agent.bodyOf(DRAIN);
        assertTrue(body.contains("\"Deadline\":-1000000000,\"IgnoreSystemJobs\":true"), body);
        assertFalse(agent.requests().contains(PROGRESS));
    }

    @Test
    void endingADrainMakesTheNodeEligibleUnlessToldNotTo() {
        ok("node drain -disable -yes " + NODE);
        assertTrue(agent.bodyOf(DRAIN).contains("\"DrainSpec\":null,\"MarkEligible\":true"));
        ok("node drain -disable -yes -keep-ineligible " + NODE);
        assertTrue(agent.bodyOf(DRAIN).contains("\"MarkEligible\":false"));
    }

    @Test
    void aDrainThatSomebodyEndsIsNoSuccess() {
        agent.answers(PROGRESS, progress("tasks", "")).answers(LATER, over("canceled"));
        assertEquals(1, session.run("node drain -monitor " + NODE));
        assertTrue(session.out.endsWith("drain canceled\n"), session.out);
    }

    @Test
    void eligibilityIsSetForTheAgentsOwnNode() {
        agent.recorded("GET /v1/agent/self", "47-agent-self");
        String out = ok("node eligibility -disable -self");
        assertEquals("Node \"" + NODE + "\" scheduling eligibility set: ineligible for scheduling\n", out);
        assertTrue(agent.bodyOf(ELIGIBILITY).contains("\"Eligibility\":\"ineligible\""));
    }

    @Test
    void contradictionsAreNamed() {
        assertEquals(1, session.run("node drain -enable -disable " + NODE));
        assertTrue(session.err.contains("exactly one of -enable, -disable, -monitor"));
        assertEquals(1, session.run("node drain -enable -force -no-deadline " + NODE));
        assertTrue(session.err.contains("exclude each other"), session.err);
        assertEquals(1, session.run("node drain -enable -deadline soon " + NODE));
        assertTrue(session.err.contains("is no length of time above 0"), session.err);
        assertEquals(1, session.run("node eligibility -enable -self " + NODE));
        assertTrue(session.err.contains("name a node, or give -self"), session.err);
    }
}
