package io.cleat.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.api.Json;
import io.cleat.api.LogFrame;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AllocationFsTest {
    private static final String FS = "GET /v1/client/fs/%s/" + RecordedCluster.ALLOC + "?";
    private static final String FILE = """
            {"ContentType": "text/plain; charset=utf-8", "FileMode": "-rw-r--r--", "IsDir": false,
             "ModTime": "2026-11-21T11:00:00.5Z", "Name": "f", "Size": 2048}""";
    private static final String DIRECTORY = """
            {"FileMode": "drwxrwxrwx", "IsDir": true, "ModTime": "2026-11-21T11:00:00Z",
             "Name": "data", "Size": 4096}""";

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

    private static String fs(String what, String query) {
        return FS.formatted(what) + query;
    }

    @Test
    void aDirectoryIsListed() {
        agent.answers(fs("stat", "path=%2F"), DIRECTORY);
        agent.answers(fs("ls", "path=%2F"), "[" + DIRECTORY + "," + FILE + "]");
        assertEquals(0, session.run("alloc fs 2849ded8"));
        assertEquals("""
                Mode        Size     Modified Time         Name
                drwxrwxrwx  4.0 KiB  2026-11-21T11:00:00Z  data/
                -rw-r--r--  2.0 KiB  2026-11-21T11:00:00Z  f
                """, session.out);
        assertEquals(0, session.run(List.of("alloc", "fs", "-t", "{{range .}}{{.Name}};{{end}}", "2849ded8")));
        assertEquals("data;f;\n", session.out);
    }

    @Test
    void aPathIsDescribed() {
        agent.answers(fs("stat", "path=alloc%2Ff"), FILE);
        assertEquals(0, session.run("alloc fs -stat -H 2849ded8 alloc/f"));
        assertEquals("""
                Mode        Size  Modified Time         Content Type               Name
                -rw-r--r--  2048  2026-11-21T11:00:00Z  text/plain; charset=utf-8  f
                """, session.out);
    }

    @Test
    void aFileComesByteForByte() {
        agent.answers(fs("stat", "path=f"), FILE);
        agent.answers(fs("cat", "path=f"), "a\u0000\u00e9z");
        assertEquals(0, session.run("alloc fs 2849ded8 f"));
        assertArrayEquals("a\u0000\u00e9z".getBytes(StandardCharsets.UTF_8), session.bytes.toByteArray());
    }

    @Test
    void aFileIsFollowedFromItsLastLinesWithWhatHappensToIt() {
        agent.answers(fs("stat", "path=f"), FILE);
        agent.answers(
                fs("stream", "follow=true&offset=2048&origin=end&path=f"),
                Json.text(LogFrame.of("1\n2\n3\n".getBytes(StandardCharsets.UTF_8), "f", 6))
                        + Json.text(new LogFrame("", "f", "file truncated", 0))
                        + Json.text(LogFrame.of("4\n".getBytes(StandardCharsets.UTF_8), "f", 2)));
        assertEquals(0, session.run("alloc fs -f -n 2 2849ded8 f"));
        assertEquals("2\n3\n4\n", session.out);
        assertEquals("cleat: \"file truncated\": f\n", session.err);
    }
}
