package io.cleat.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plugins' calls that take long: they are listed, and whoever waits for one is told for what. */
class CallWaitTest {
    private static final String ALL = "GET /v1/volumes/operations";
    private static final String ABOUT = "GET /v1/volumes/operations?about=v9";
    private static final String CREATE = "PUT /v1/volume/csi/v9/create";

    @TempDir
    Path directory;

    private FakeAgent agent;
    private Session session;

    @BeforeEach
    void open() throws IOException {
        agent = new FakeAgent();
        session = new Session();
        session.directory = directory;
        session.realWait = Duration.ofMillis(20);
        session.variables.put("NOMAD_ADDR", agent.address());
        Files.writeString(directory.resolve("v9.hcl"), """
                id = "v9"
                name = "v9"
                type = "csi"
                plugin_id = "hp"
                capability {
                  access_mode = "single-node-writer"
                  attachment_mode = "file-system"
                }
                """);
    }

    @AfterEach
    void close() {
        agent.close();
    }

    private static String operation(String state, String words) {
        return """
                [{"BlockedBy": {"Hint": "the plugin is working on CreateVolume",
                                "Holder": "plugin hp%s", "NextTry": null,
                                "Since": "2026-11-21T11:59:00Z", "Step": "call", "What": ""},
                  "Call": "CreateVolume", "Cancelling": false, "ID": "2e049499-a09a-2505-83b9-fddc8f484265",
                  "Namespace": "default", "PluginID": "hp", "Since": "2026-11-21T11:59:00Z",
                  "SnapshotID": "", "State": "%s", "Tries": 2, "VolumeID": "v9", "Words": "%s"}]
                """.formatted(words.isEmpty() ? "" : " (" + words + ")", state, words);
    }

    /** For minutes nothing was said; then that it was given up. */
    @Test
    void aCreateThatTakesLong_saysWhatItWaitsFor_andEachNewWordOfThePlugin() {
        agent.holds(
                CREATE, () -> agent.requests().stream().filter(ABOUT::equals).count() >= 4);
        agent.answers(CREATE, "{\"Volumes\":[{\"ID\":\"v9\",\"ExternalID\":\"e9\"}]}");
        agent.answers(ABOUT, "[]")
                .answers(ABOUT, operation("sent", ""))
                .answers(ABOUT, operation("unknown", "no quota"))
                .answers(ABOUT, operation("sent", "no quota"));
        assertEquals(0, session.run("volume create v9.hcl"), () -> session.err);
        assertEquals("""
                Waiting for plugin hp: the plugin is working on CreateVolume
                Waiting for plugin hp (no quota): the plugin is working on CreateVolume
                """, session.err);
        assertEquals("Created external volume e9 with ID v9\n", session.out);
    }

    @Test
    void aCreateThatIsNotWaitedFor_goesOn_andSaysHowToLookAfterIt() {
        agent.holds(CREATE, () -> !session.err.isEmpty());
        agent.answers(CREATE, "{\"Volumes\":[]}").answers(ABOUT, operation("sent", ""));
        String goesOn = """
                CreateVolume goes on: operation 2e049499
                  look: cleat volume why v9
                  cancel: cleat volume cancel 2e049499
                """;
        assertEquals(0, session.run("volume create -detach v9.hcl"), () -> session.err);
        assertEquals(goesOn, session.err);
        session.err = "";
        session.patience = 3;
        assertEquals(1, session.run("volume create v9.hcl"), () -> session.err);
        assertTrue(session.err.contains(goesOn), session.err);
        assertTrue(session.err.endsWith("Error: interrupted\n"), session.err);
        Thread.interrupted();
    }

    @Test
    void aCallIsCancelled_byItsNameOrTheBeginningOfItsId() {
        String cancel = "PUT /v1/volumes/operation/2e049499-a09a-2505-83b9-fddc8f484265/cancel";
        agent.answers(ALL, operation("unknown", "no quota"))
                .answers(cancel, "{\"Index\": 7, \"Message\": \"it is being cancelled\"}");
        for (String given : new String[] {"v9", "2e04"}) {
            assertEquals(0, session.run("volume cancel " + given), () -> session.err);
            assertEquals("it is being cancelled\n", session.out);
            assertEquals("  how far it is: cleat volume why v9\n", session.err);
            assertEquals(cancel, agent.requests().getLast());
        }
        assertEquals(1, session.run("volume cancel v8"));
        assertTrue(session.err.contains("No operation with prefix or ID \"v8\""), session.err);
    }

    /** It was said not to be found, and its name was busy. */
    @Test
    void aVolumeThatIsBeingMade_isListedAndShown() {
        agent.answers("GET /v1/volumes?per_page=1000&type=csi", "[]")
                .answers("GET /v1/volumes?type=csi", "[]")
                .answers("GET /v1/volumes?prefix=v9&type=csi", "[]")
                .answers(ALL, operation("unknown", "no quota"))
                .answers(ABOUT, operation("unknown", "no quota"));
        assertEquals(0, session.run("volume status"), () -> session.err);
        assertEquals("""

                Operations
                ID        Volume  Snapshot  Plugin ID  Call          State    Since   Last Words
                2e049499  v9      <none>    hp         CreateVolume  unknown  1m ago  no quota
                """, session.out);
        assertEquals(0, session.run("volume status v9"), () -> session.err);
        assertEquals("""
                ID        = v9
                Namespace = default
                Plugin ID = hp
                State     = not registered: a call about it has no known end

                  * call CreateVolume (unknown, tries 2) has waited 1m for plugin hp (no quota);
                    the plugin is working on CreateVolume.
                """, session.out);
        assertEquals(0, session.run("volume status -json"), () -> session.err);
        assertTrue(session.out.contains("\"Words\": \"no quota\""), session.out);
        assertTrue(session.out.contains("\"ID\": \"v9\""), session.out);
    }
}
