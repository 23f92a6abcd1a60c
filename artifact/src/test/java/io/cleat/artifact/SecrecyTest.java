package io.cleat.artifact;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.model.TaskArtifact;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is taken out of words about an artifact. */
final class SecrecyTest {
    private static String clean(String source, String words) {
        return new Secrecy(new Artifact(source, Map.of(), Map.of(), TaskArtifact.Mode.ANY, false)).clean(words);
    }

    @Test
    void valuesOfAQueryAreTakenOutWhereverTheyStand() {
        assertEquals(
                "*** and *** and *** and main and plain",
                clean(
                        "https://h/p?key=first-secret&ref=main&plain&b=second=secret&?c?d=third!!",
                        "first-secret and second=secret and third!! and main and plain"));
    }

    @Test
    void ofValuesThatAreEmptyOrShortNothingIsTakenOut() {
        assertEquals("a bcd ?&=", clean("https://h/p?x=&y=a&=bcd&?&&z", "a bcd ?&="));
    }

    /** Where a password holds the sign that ends it, or is told as it is read. */
    @Test
    void credentialsAreTakenOutAsTheyAreWrittenAndAsTheyAreRead() {
        assertEquals(
                "https://h/p and *** and *** and ***",
                clean(
                        "https://user:p%40ss%2Fword@h/p",
                        "https://user:p%40ss%2Fword@h/p and p@ss/word and p%40ss%2Fword and p@ss/word"));
        assertEquals("https://h/p", clean("https://user:p@ss@h/p", "https://user:p@ss@h/p"));
    }

    /** A search from each question mark would take hours. */
    @Test
    void aSourceOfAMillionQuestionMarksIsReadInOnePass() {
        String marks = "?".repeat(2_000_000);
        assertEquals("words", clean("https://h/" + marks, "words"));
        assertEquals("***", clean("https://h/" + marks + "=secret", "secret"));
    }
}
