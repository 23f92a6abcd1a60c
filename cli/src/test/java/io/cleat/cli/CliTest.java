package io.cleat.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class CliTest {
    private final Session session = new Session();

    @Test
    void versionPrintsTheVersionOfThePom() throws IOException {
        assertEquals(0, session.run("version"));
        assertEquals("Cleat v" + Version.CURRENT + "\n", session.out);
        assertEquals("", session.err);
        String pom = Files.readString(Path.of(System.getProperty("cleat.root"), "pom.xml"));
        assertTrue(pom.contains("<version>" + Version.CURRENT + "</version>"));
        for (String same : new String[] {"-v", "-version", "--version"}) {
            assertEquals(0, session.run(same));
            assertEquals("Cleat v" + Version.CURRENT + "\n", session.out);
        }
    }

    @Test
    void nothingAskedListsTheVerbsOnTheErrorWriter() {
        assertEquals(1, session.run(List.of()));
        assertEquals("", session.out);
        assertTrue(session.err.startsWith("Usage: cleat VERB"), session.err);
        assertTrue(session.err.contains("  dev "), session.err);
    }

    @Test
    void helpIsAnAnswerInEachSpelling() {
        for (String line : new String[] {"-h", "-help", "--help", "help"}) {
            assertEquals(0, session.run(line), line);
            assertTrue(session.out.startsWith("Usage: cleat VERB"), line);
        }
        assertEquals(0, session.run("help version"));
        String asVerb = session.out;
        assertEquals(0, session.run("version -h"));
        assertEquals(asVerb, session.out);
        assertTrue(asVerb.startsWith("Usage: cleat version\n"), asVerb);
    }

    @Test
    void aMistypedVerbIsAnsweredWithTheNearestOne() {
        assertEquals(1, session.run("verson"));
        assertEquals("", session.out);
        assertEquals("""
                Error: cleat has no verb "verson"
                  did you mean: cleat version
                """, session.err);
        assertEquals(1, session.run("xyzzy"));
        assertEquals("""
                Error: cleat has no verb "xyzzy"
                  all verbs: cleat -h
                """, session.err);
    }

    @Test
    void tooManyArgumentsAreRefused() {
        assertEquals(1, session.run("version now"));
        assertEquals("""
                Error: cleat version takes no arguments, got 1
                  more about it: cleat version -h
                """, session.err);
    }

    @Test
    void everyVerbHasASummaryAnExampleThatStartsWithItAndHelpThatFits() {
        for (Verb verb : Verbs.all()) {
            assertTrue(!verb.summary().isEmpty(), verb.name());
            assertTrue(!verb.examples().isEmpty(), verb.name());
            for (String example : verb.examples()) {
                assertTrue(example.contains("cleat " + verb.name()), example);
            }
            assertEquals(0, session.run(verb.name() + " -h"), verb.name());
            session.out.lines().forEach(line -> assertTrue(line.length() <= 100, verb.name() + ": " + line));
        }
    }

    @Test
    void theRehearsalGoesThrough() throws IOException {
        assertEquals(0, Rehearsal.play());
    }
}
