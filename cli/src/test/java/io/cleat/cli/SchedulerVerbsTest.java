package io.cleat.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.Json;
import io.cleat.api.SchedulerConfiguration;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What is sent to say how jobs are placed; what is printed is in the transcript. */
class SchedulerVerbsTest {
    @Test
    void whatNoFlagNames_staysAsItWas_unlessSomebodyChangedItMeanwhile() throws Exception {
        try (FakeAgent agent = RecordedCluster.open()) {
            Session session = new Session();
            session.variables.put("NOMAD_ADDR", agent.address());
            assertEquals(
                    0, session.run("operator scheduler set-config -reject-job-registration=true"), () -> session.err);
            String body = agent.bodyOf("PUT /v1/operator/scheduler/configuration?cas=5");
            SchedulerConfiguration sent =
                    Json.read(body.getBytes(StandardCharsets.UTF_8), SchedulerConfiguration.class);
            assertEquals("binpack", sent.SchedulerAlgorithm());
            assertTrue(sent.RejectJobRegistration());
            assertFalse(sent.PauseEvalBroker());
        }
    }
}
