package io.cleat.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartsTest {
    @TempDir
    Path directory;

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final PrintStream err = new PrintStream(said, true, StandardCharsets.UTF_8);

    private String said() {
        String text = said.toString(StandardCharsets.UTF_8);
        said.reset();
        return text;
    }

    @Test
    void theThirdEndAtTheSamePlaceSaysThePlaceTheCommandAndTheWayOn() throws Exception {
        Files.createDirectory(directory.resolve("server"));
        for (int i = 0; i < 2; i++) {
            new Starts(directory).note("log entry 17", err);
            assertEquals("", said());
        }
        new Starts(directory).note("log entry 17", err);
        for (int i = 0; i < 2; i++) {
            String text = said();
            assertTrue(text.contains("log entry 17"), text);
            assertTrue(text.contains("cleat operator log inspect -data-dir=" + directory), text);
            assertTrue(text.contains("restore"), text);
            new Starts(directory).warn(err);
        }
    }

    @Test
    void theSampleOfVersionOneIsRead() throws Exception {
        try (InputStream sample = StartsTest.class.getResourceAsStream("/history/starts-1")) {
            Files.write(
                    directory.resolve(Starts.FILE),
                    Objects.requireNonNull(sample).readAllBytes());
        }
        new Starts(directory).warn(err);
        assertTrue(said().contains("of version 0.1.0, ended at the same place: log entry 17"));
    }

    @Test
    void endsAtDifferentPlacesOrBeforeAStartThatLastedSayNothing() throws Exception {
        Starts starts = new Starts(directory);
        for (String place : List.of("log entry 1", "log entry 1", "log entry 2")) {
            starts.note(place, err);
        }
        starts.note("log entry 2", err);
        assertEquals("", said());
        starts.settled();
        starts.settled();
        assertFalse(Files.exists(directory.resolve(Starts.FILE)));
        starts.note("log entry 2", err);
        assertEquals("", said());
    }

    @Test
    void theFileStaysSmallAndWhatIsNoSuchFileIsPassedOver() throws Exception {
        Starts starts = new Starts(directory);
        for (int i = 0; i < 50; i++) {
            starts.note("a\nb\u001b[31m" + "x".repeat(10_000), err);
        }
        assertTrue(Files.size(directory.resolve(Starts.FILE)) < 4096);
        said.reset();
        Files.write(directory.resolve(Starts.FILE), new byte[] {(byte) 0xff, 0, 10, 10, 10});
        starts.warn(err);
        assertEquals("", said());
    }
}
