package io.cleat.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.Json;
import io.cleat.api.Variable;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is sent for a variable; what is printed is in the transcript. */
class VariableVerbsTest {
    private static final String PUT = "PUT /v1/var/nomad/jobs/web?cas=40";
    private static final String FORCED = "PUT /v1/var/nomad/jobs/web";

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

    private Map<String, String> sent(String request) throws Exception {
        String body = agent.bodyOf(request);
        Variable variable = Json.read(body.getBytes(StandardCharsets.UTF_8), Variable.class);
        return VariableText.items(variable);
    }

    private void file(String name, String text) throws IOException {
        Files.writeString(directory.resolve(name), text);
    }

    @Test
    void aSpecification_isSent_andTheCommandsWordsWin() throws Exception {
        file("spec.nv.hcl", "path = \"elsewhere\"\nitems {\n  a = \"1\"\n  b = \"2\"\n}\n");
        file("cert", "line 1\nline 2\n");
        assertEquals(0, session.run("var put -force nomad/jobs/web @spec.nv.hcl b=3 c=@cert d=x=y"), () -> session.err);
        assertEquals(Map.of("a", "1", "b", "3", "c", "line 1\nline 2\n", "d", "x=y"), sent(FORCED));
    }

    @Test
    void whatOneVerbPrints_theOtherTakes_withItsIndex() throws Exception {
        for (String form : new String[] {"json", "hcl"}) {
            assertEquals(0, session.run("var get -out=" + form + " nomad/jobs/web"));
            session.typed.clear();
            session.typed.add(session.out);
            assertEquals(0, session.run("var put -in=" + form + " - user=dba"), () -> session.err);
            assertEquals(Map.of("cert", "a\nb ${c}", "password", "s3cr3t", "user", "dba"), sent(PUT));
        }
    }

    @Test
    void aValue_comesFromStandardInput_once() throws Exception {
        session.typed.add("s3cr3t");
        assertEquals(0, session.run("var put -force nomad/jobs/web a=-"), () -> session.err);
        assertEquals("s3cr3t", String.valueOf(sent(FORCED).get("a")).strip());
        assertEquals(1, session.run("var put -force nomad/jobs/web a=- b=-"));
        assertTrue(session.err.contains("read for two things"), session.err);
    }

    @ParameterizedTest
    @ValueSource(strings = {"hcl", "json"})
    void theExample_canBeStored(String form) throws Exception {
        assertEquals(0, session.run("var init -out=" + form));
        String name = "spec.nv." + form;
        assertEquals("Example variable specification written to " + name + "\n", session.out);
        assertEquals(0, session.run("var put -force nomad/jobs/web @" + name), () -> session.err);
        assertEquals(Map.of("key1", "value 1", "key2", "value 2"), sent(FORCED));
        assertEquals(1, session.run("var init -out=" + form));
        assertTrue(session.err.contains("there is a file " + name), session.err);
        assertEquals(0, session.run("var init -quiet other"));
        assertEquals("", session.out);
    }

    /** The lines of a file of secrets are secret. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "items {\n  a = s3cr3t\n}\n",
                "items {\n  a = \"s3cr3t\n}\n",
                "items = {\n  a = { s3cr3t = 1 }\n}\n",
                "s3cr3t = 1\n",
                "{\"Items\": {\"a\": [\"s3cr3t\"]}}",
                "{\"items\": {\"a\": \"s3cr3t}}",
            })
    void whatCannotBeRead_isSaidWithItsPlace_andShowsNoLine(String text) throws Exception {
        file("bad", text);
        assertEquals(1, session.run("var put x @bad"));
        assertTrue(session.err.contains("bad line"), session.err);
        assertTrue(session.err.contains("may hold a secret"), session.err);
        assertFalse(session.err.contains("s3cr3t"), session.err);
    }

    @Test
    void onATerminal_aWriteSaysThatItWasDone_andShowsNoValue() {
        session.atKeyboard = true;
        assertEquals(0, session.run("var put -force nomad/jobs/web a=s3cr3t"), () -> session.err);
        assertEquals("Successfully created variable \"nomad/jobs/web\"!\n", session.out);
    }

    @Test
    void oneValueAlone_isPrintedAsItIs_withoutALineEnd() {
        assertEquals(0, session.run("var get -item=password nomad/jobs/web"));
        assertEquals("s3cr3t", session.out);
        assertEquals(0, session.run("var get -item=cert nomad/jobs/web"));
        assertEquals("a\nb ${c}", session.out);
    }

    @Test
    void aTemplate_printsWhatItsWriterAsksFor() {
        assertEquals(
                0,
                session.run("var get -out=go-template -template={{.Items.password}} nomad/jobs/web"),
                () -> session.err);
        assertEquals("s3cr3t\n", session.out);
        assertEquals(
                0, session.run(List.of("var", "list", "-out=go-template", "-template={{range .}}{{.Path}};{{end}}")));
        assertEquals("leader;nomad/jobs/web;\n", session.out);
    }

    @Test
    void aFileOfAnotherForm_isRefused() throws Exception {
        file("spec", "{\"Items\":{\"a\":\"b\"}}");
        assertEquals(1, session.run("var put -in=hcl x @spec"));
        assertTrue(session.err.contains("spec is JSON, and -in says hcl"), session.err);
        Files.write(directory.resolve("bytes"), new byte[] {(byte) 0xff});
        assertEquals(1, session.run("var put x a=@bytes"));
        assertTrue(session.err.contains("is not UTF-8"), session.err);
    }
}
