package io.cleat.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** More volumes than are read at once. */
class VolumePagesTest {
    private static String volume(String id) {
        return "[{\"ID\":\"" + id + "\",\"Namespace\":\"default\",\"PluginID\":\"hp\"}]";
    }

    @Test
    void allPagesAreShown() throws IOException {
        try (FakeAgent agent = new FakeAgent()) {
            String first = "GET /v1/volumes?per_page=1000&type=csi";
            String second = "GET /v1/volumes?next_token=default.b&per_page=1000&type=csi";
            agent.answersPage(first, volume("a"), "default.b").answers(second, volume("b"));
            Session session = new Session();
            session.variables.put("NOMAD_ADDR", agent.address());
            assertEquals(0, session.run("volume status"), () -> session.err);
            assertTrue(session.out.matches("(?s).*\na +.*\nb +.*"), session.out);
        }
    }
}
