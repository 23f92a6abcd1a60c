package io.cleat.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.Json;
import io.cleat.api.Namespace;
import io.cleat.api.NamespaceCapabilities;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is sent for a namespace; what is printed is in the transcript. */
class NamespaceVerbsTest {
    private static final String FILE = """
            name        = "team"
            description = "of the team"
            meta {
              owner = "a"
            }
            capabilities {
              enabled_task_drivers  = ["exec"]
              disabled_task_drivers = ["raw_exec"]
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
    }

    @AfterEach
    void close() {
        agent.close();
    }

    private Namespace sent() throws Exception {
        String body = agent.bodyOf("PUT /v1/namespace/team");
        return Json.read(body.getBytes(StandardCharsets.UTF_8), Namespace.class);
    }

    @Test
    void aFile_isSentWhole() throws Exception {
        Files.writeString(directory.resolve("team.hcl"), FILE);
        assertEquals(0, session.run("namespace apply team.hcl"), () -> session.err);
        assertEquals("Successfully applied namespace \"team\"!\n", session.out);
        assertEquals("of the team", sent().Description());
        assertEquals(Map.of("owner", "a"), sent().Meta());
        assertEquals(
                new NamespaceCapabilities(List.of("exec"), List.of("raw_exec"), null, null), sent().Capabilities());
    }

    @Test
    void whatItPrints_canBeGivenBack() throws Exception {
        assertEquals(0, session.run("namespace inspect team"), () -> session.err);
        Files.writeString(directory.resolve("team.json"), session.out);
        assertEquals(0, session.run("namespace apply -json team.json"), () -> session.err);
        assertEquals(Map.of("owner", "ops"), sent().Meta());
    }

    /** Only what the flags say is another. */
    @Test
    void aNameAlone_keepsWhatIsSaidOfIt() throws Exception {
        assertEquals(0, session.run("namespace apply -description=mine team"), () -> session.err);
        assertEquals("mine", sent().Description());
        assertEquals(Map.of("owner", "ops"), sent().Meta());
    }

    @Test
    void whatIsNotSupportedInAFile_isSaidWithItsPlace() throws Exception {
        Files.writeString(directory.resolve("team.hcl"), FILE + "vault {\n  default = \"x\"\n}\n");
        assertEquals(1, session.run("namespace apply team.hcl"));
        assertTrue(session.err.contains("team.hcl line 10"), session.err);
        assertTrue(session.err.contains("\"vault\" in a namespace"), session.err);
    }
}
