package io.cleat.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Events of a volume, as they come. */
class VolumeEventsTest {
    private static final String WHY = "GET /v1/volume/csi/v9/why";
    private static final String STAGE = """
            {"Call":"NodeStageVolume","Code":"OK","Duration":2500000,"Message":"","NodeID":\
            "c4c061ed-039e-d829-5462-6ef84844221c","Time":"2026-11-21T12:00:00Z"}""";
    private static final String PUBLISH = STAGE.replace("NodeStageVolume", "NodePublishVolume")
            .replace("\"OK\"", "\"Internal\"")
            .replace("\"Message\":\"\"", "\"Message\":\"busy bus\"");

    private FakeAgent agent;
    private Session session;

    @BeforeEach
    void open() throws IOException {
        agent = RecordedCluster.open();
        session = new Session();
        session.variables.put("NOMAD_ADDR", agent.address());
        agent.answers(
                "GET /v1/volumes?prefix=v9&type=csi", "[{\"ID\":\"v9\",\"Name\":\"v9\",\"Namespace\":\"default\"}]");
    }

    @AfterEach
    void close() {
        agent.close();
    }

    private static String why(String events) {
        return "{\"Claims\":[],\"Events\":[%s],\"ID\":\"v9\",\"Namespace\":\"default\",\"State\":\"\",\"Waiting\":[]}"
                .formatted(events);
    }

    @Test
    void eachIsToldOnceUntilTheVolumeIsGone() {
        agent.answers(WHY, why(STAGE))
                .answers(WHY + "?index=7&wait=30000ms", why(STAGE))
                .answers(WHY + "?index=7&wait=30000ms", why(STAGE + "," + PUBLISH))
                .answers(WHY + "?index=7&wait=30000ms", 404, "volume not found");
        assertEquals(0, session.run("volume events -watch v9"), () -> session.err);
        assertEquals("""
                2026-11-21T12:00:00Z  NodeStageVolume  OK  2.5 ms  node c4c061ed
                2026-11-21T12:00:00Z  NodePublishVolume  Internal  2.5 ms  node c4c061ed  busy bus
                """, session.out);
        assertEquals("The volume is gone\n", session.err);
    }
}
