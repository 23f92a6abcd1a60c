package io.cleat.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How full a volume is, where its status is shown. */
class VolumeUsageTest {
    private static final String ASK = "GET /v1/client/allocation/" + RecordedCluster.ALLOC + "/volumes";

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

    private static String use(String id, String rest) {
        return "{\"data\":{\"VolumeID\":\"" + id + "\",\"Namespace\":\"default\"," + rest + "}}";
    }

    @Test
    void eachUserIsShownWithWhatItsPluginSays() {
        agent.answers(
                ASK,
                use(
                        "v1",
                        "\"Bytes\":{\"Available\":6291456,\"Total\":10485760,\"Used\":4194304},"
                                + "\"Inodes\":{\"Available\":989,\"Total\":1000,\"Used\":11}"));
        assertEquals(0, session.run("volume status v1"), () -> session.err);
        assertTrue(session.out.contains("Usage\n"), session.out);
        assertTrue(session.out.matches("(?s).*2849ded8 +4\\.0 MiB +10 MiB +11/1000 +ok.*"), session.out);
    }

    @Test
    void machinesAreToldTheSame() {
        agent.answers(ASK, use("v1", "\"Bytes\":{\"Available\":6,\"Total\":10,\"Used\":4}"));
        assertEquals(
                0,
                session.run(List.of(
                        "volume",
                        "status",
                        "-t",
                        "{{.ID}}{{range .Usage}} {{.Bytes.Used}} of {{.Bytes.Total}}{{end}}",
                        "v1")),
                () -> session.err);
        assertEquals("v1 4 of 10\n", session.out);
        assertEquals(0, session.run("volume status -json v1"), () -> session.err);
        assertTrue(session.out.contains("\"Usage\""), session.out);
    }

    @Test
    void whatIsNotKnownIsSaid() {
        agent.answers(ASK, use("v1", "\"Trouble\":\"plugin hp is not there\""));
        assertEquals(0, session.run("volume status v1"), () -> session.err);
        assertTrue(session.out.contains("unknown: plugin hp is not there"), session.out);
    }

    @Test
    void aNodeThatCannotBeAskedHidesNothingElse() {
        agent.answers(ASK, 404, "No path to node");
        assertEquals(0, session.run("volume status v1"), () -> session.err);
        assertFalse(session.out.contains("Usage\n"), session.out);
    }
}
