package io.cleat.driver.docker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of a task's output. */
class LogFilesTest {
    @TempDir
    Path directory;

    private LogFiles files() {
        return new LogFiles(directory, "web.stdout", 2, 10);
    }

    private static void write(LogFiles files, String text) throws IOException {
        files.write(ByteBuffer.wrap(text.getBytes(UTF_8)));
    }

    private Map<String, String> there() throws IOException {
        Map<String, String> there = new TreeMap<>();
        try (var all = Files.list(directory)) {
            for (Path file : all.toList()) {
                there.put(String.valueOf(file.getFileName()), Files.readString(file));
            }
        }
        return there;
    }

    @Test
    void aNewerFileGoesOnWhereItWas_andTheOldestGo() throws Exception {
        try (LogFiles files = files()) {
            files.goOn();
            write(files, "0123456789abc");
            write(files, "defghijKLM");
            assertEquals(Map.of("web.stdout.1", "abcdefghij", "web.stdout.2", "KLM"), there());
            assertEquals(new LogFiles.End(2, 3), files.end());
        }
        try (LogFiles next = files()) {
            next.goOn();
            write(next, "N");
        }
        assertEquals("KLMN", there().get("web.stdout.2"));
    }

    @Test
    void whatIsBehindAnEndIsCutOff() throws Exception {
        LogFiles.End end;
        try (LogFiles files = files()) {
            files.goOn();
            write(files, "01234");
            end = files.end();
            write(files, "56789abc");
        }
        try (LogFiles next = files()) {
            next.goOn(end);
            write(next, "again");
        }
        assertEquals(Map.of("web.stdout.0", "01234again"), there());
    }

    @Test
    void aLinkIsNotFollowed() throws Exception {
        Path other = Files.writeString(directory.resolve("other"), "mine");
        Files.createSymbolicLink(directory.resolve("web.stdout.0"), other);
        try (LogFiles files = files()) {
            assertThrows(IOException.class, files::goOn);
        }
        assertEquals("mine", Files.readString(other));
    }
}
