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
        agent.answers(
                "GET /v1/job/web2/evaluations",
                """
                [{"ID": "%s", "JobID": "web2", "Status": "%s", "CreateIndex": 40,
                  "StatusDescription": "%s"}]
                """
                        .formatted(RecordedCluster.EVAL, status, description));
        session.run("job status web2");
    }

    @Test
    void aJobThatWaitsForAPluginOrAPlace_saysSoThoughNoVolumeIsNamed() {
        evaluation(
                "blocked",
                "it has waited for a node that can take it (CSI plugin hp is missing from client"
                        + " n1)");
        assertEquals(0, session.run("job status web2"));
        assertTrue(
                session.out.contains(
                        "\nWaiting\nit has waited for a node that can take it (CSI plugin hp is"
                                + " missing from client n1)\n"),
                session.out);
    }

    @Test
    void aSystemJobThatNoNodeTakes_saysSo() {
        evaluation("complete", "no node takes group g (missing drivers (docker))");
        assertEquals(0, session.run("job status web2"));
        assertTrue(
                session.out.contains(
                        "\nNot Placed\nno node takes group g (missing drivers (docker))\n"),
                session.out);
    }
}
