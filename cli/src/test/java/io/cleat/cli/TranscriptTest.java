package io.cleat.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Whole commands and what they print, to the character, over a recorded cluster. In a transcript a line {@code $
 * command} is followed by its output; lines that begin with {@code ! } are those of the error writer, and {@code ? } is
 * the exit code when it is not 0. {@code -Dcleat.transcripts=DIR} writes the present output to DIR instead of
 * comparing.
 */
class TranscriptTest {
    static final List<String> NAMES = List.of(
            "volumes",
            "plugins",
            "jobs",
            "launches",
            "allocations",
            "nodes",
            "evaluations",
            "deployments",
            "namespaces",
            "variables",
            "servers",
            "help");

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

    @TestFactory
    Stream<DynamicTest> transcripts() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (String name : NAMES) {
            String expected = read(name);
            List<String> commands = commands(name);
            assertFalse(commands.isEmpty(), name);
            StringBuilder actual = new StringBuilder();
            for (String command : commands) {
                actual.append("$ ").append(command).append('\n').append(run(command));
            }
            String write = System.getProperty("cleat.transcripts");
            if (write != null) {
                Files.writeString(Path.of(write, name + ".txt"), actual);
            }
            tests.add(DynamicTest.dynamicTest(name, () -> assertEquals(expected, actual.toString())));
        }
        return tests.stream();
    }

    private String run(String command) {
        // An underlined blank belongs to its word.
        List<String> words = Arrays.stream(command.split(" ", -1))
                .map(word -> word.replace('⎵', ' '))
                .toList();
        int code = session.run(words);
        StringBuilder text = new StringBuilder(session.out);
        session.err
                .lines()
                .forEach(line ->
                        text.append(line.isEmpty() ? "!" : "! ").append(line).append('\n'));
        if (code != 0) {
            text.append("? ").append(code).append('\n');
        }
        return text.toString().replace(agent.address(), "http://agent");
    }

    /** The commands of a transcript. */
    static List<String> commands(String name) throws IOException {
        return read(name)
                .lines()
                .filter(line -> line.startsWith("$ "))
                .map(line -> line.substring(2))
                .toList();
    }

    private static String read(String name) throws IOException {
        try (InputStream in = TranscriptTest.class.getResourceAsStream("/transcripts/" + name + ".txt")) {
            if (in == null) {
                throw new AssertionError("there is no transcript " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
