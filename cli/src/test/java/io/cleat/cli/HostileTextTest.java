package io.cleat.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.Json;
import io.cleat.api.LogFrame;
import io.cleat.base.Refused;
import io.cleat.base.VisibleText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Every command of the transcripts, of a cluster in which each text holds what acts on terminals: nothing of it reaches
 * the terminal, and no line is one that somebody made up.
 */
class HostileTextTest {
    private static final String HOSTILE =
            " \u001b[2J\u001b]0;pwned\u0007\u009b31m\u202e\u2066\u200b\u2028\u007f\b\r\nforged = line";

    private static final Pattern DATE = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT.*");

    /** Maps whose keys are texts. */
    private static final Pattern REASONS = Pattern.compile(".*(Filtered|Exhausted|Available|Scores)");

    private static final Pattern BOLD = Pattern.compile("\u001b\\[[01]m");

    /** Commands that print a line which somebody made up. */
    private final List<String> forged = new ArrayList<>();

    private FakeAgent agent;
    private Session session;

    /** Which texts of an answer are hostile. */
    @SuppressWarnings("ImmutableEnumChecker")
    enum Damage {
        /** All but what other requests are made of. */
        TEXTS(name -> !name.endsWith("ID") && !name.equals("Namespace")),
        ALL(name -> true),
        NAMES(name -> name.endsWith("Name") || name.endsWith("Description")),
        MESSAGES(name -> name.endsWith("Message") || name.equals("Status"));

        private final Predicate<String> hits;

        Damage(Predicate<String> hits) {
            this.hits = hits;
        }
    }

    @BeforeEach
    void open() throws IOException {
        agent = RecordedCluster.open();
        session = new Session();
        session.patience = 3;
        session.variables.put("NOMAD_ADDR", agent.address());
    }

    @AfterEach
    void close() {
        agent.close();
    }

    private static String damaged(String body, Damage damage) {
        try {
            return Json.text(damaged(Json.tree(body.getBytes(StandardCharsets.UTF_8)), "", damage));
        } catch (Refused noJson) {
            return body + HOSTILE;
        }
    }

    private static JsonNode damaged(JsonNode node, String name, Damage damage) {
        if (node instanceof ObjectNode object) {
            for (String field : List.copyOf(object.propertyNames())) {
                JsonNode value = object.remove(field);
                object.set(REASONS.matcher(name).matches() ? field + HOSTILE : field, damaged(value, field, damage));
            }
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                array.set(i, damaged(array.get(i), name, damage));
            }
        } else if (node.isString()
                && damage.hits.test(name)
                && !DATE.matcher(node.asString()).matches()) {
            return StringNode.valueOf(node.asString() + HOSTILE);
        }
        return node;
    }

    private static List<String> commands() throws IOException {
        List<String> commands = new ArrayList<>();
        for (String name : TranscriptTest.NAMES) {
            commands.addAll(TranscriptTest.commands(name));
        }
        return commands;
    }

    private void harmless(String command) {
        session.slept.clear();
        session.run(Arrays.stream(command.split(" ", -1))
                .map(word -> word.replace('⎵', ' '))
                .toList());
        // A monitor of what never ends was.
        assertEquals(session.slept.size() > session.patience, Thread.interrupted());
        for (String text : List.of(session.out, session.err)) {
            String plain = BOLD.matcher(text).replaceAll("");
            plain.codePoints()
                    .filter(point -> point != '\n' && point != '\t')
                    .forEach(point -> assertTrue(
                            VisibleText.isVisible(point),
                            () -> command
                                    + " printed "
                                    + Integer.toHexString(point)
                                    + " in "
                                    + VisibleText.lines(plain)));
            // Of a template the lines are the caller's.
            plain.lines()
                    .filter(line -> line.startsWith("forged") && !command.contains(" -t "))
                    .forEach(line -> forged.add(command + ": " + VisibleText.lines(plain)));
        }
    }

    @ParameterizedTest
    @EnumSource(Damage.class)
    void noTextActsOnTheTerminal(Damage damage) throws Exception {
        agent.twist = body -> damaged(body, damage);
        session.atKeyboard = true;
        int shown = 0;
        for (String command : commands()) {
            harmless(command);
            shown += session.out.contains("u202e") ? 1 : 0;
        }
        assertEquals(List.of(), forged);
        assertTrue(shown > 5, "only " + shown + " commands showed a text of others");
    }

    @Test
    void noRefusalActsOnTheTerminal() throws Exception {
        agent.twist = UnaryOperator.identity();
        for (String command : commands()) {
            agent.twist = body -> HOSTILE;
            harmless(command);
        }
        assertEquals(List.of(), forged);
    }

    @Test
    void anUnknownWordIsShownAsWell() {
        session.run(List.of("\u001b[2J"));
        assertEquals("Error: cleat has no verb \"\\u001b[2J\"\n  all verbs: cleat -h\n", session.err);
    }

    @Test
    void jsonHasEscapesAndTheSameValues() throws Exception {
        agent.twist = body -> damaged(body, Damage.NAMES);
        session.run("node status -json");
        assertTrue(session.out.contains("\\u202e"), session.out);
        JsonNode read = Json.tree(session.out.getBytes(StandardCharsets.UTF_8));
        assertEquals("vm" + HOSTILE, read.get(0).get("Name").asString());
    }

    private void prints(String... pieces) {
        StringBuilder frames = new StringBuilder();
        for (String piece : pieces) {
            frames.append(Json.text(LogFrame.of(piece.getBytes(StandardCharsets.UTF_8), "alloc/logs/t.stdout.0", 1)));
        }
        agent.answers(
                "GET /v1/client/fs/logs/" + RecordedCluster.ALLOC + "?offset=0&origin=start&task=t&type=stdout",
                frames.toString());
    }

    @Test
    void logsOnATerminalKeepTheirColoursAndNothingElse() {
        session.atKeyboard = true;
        prints("\u001b", "[3", "1mred\u001b[0m\r", "\n\u001b[2", "J\u001b]0;x\u0007 \u202e", "\r100%\r");
        assertEquals(0, session.run("alloc logs 2849ded8"));
        assertEquals(
                "\u001b[31mred\u001b[0m\r\n\\u001b[2J\\u001b]0;x\\u0007 \\u202e\\u000d100%\\u000d\u001b[0m",
                session.out);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void logsInAFileOrAskedForAreAsTheyAre(boolean atKeyboard) {
        session.atKeyboard = atKeyboard;
        prints("\u001b[2J", "\u202e\r");
        assertEquals(0, session.run(atKeyboard ? "alloc logs -raw 2849ded8" : "alloc logs 2849ded8"));
        assertEquals("\u001b[2J\u202e\r", session.out);
    }
}
