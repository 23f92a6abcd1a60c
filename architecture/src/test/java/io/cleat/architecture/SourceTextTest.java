package io.cleat.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class SourceTextTest {
    @Test
    void commentsAndTextsAreNoCode() {
        String source = """
                /* synchronized
                 */ int a = 1; // synchronized
                String b = "synchronized \\" // ";
                char c = '"'; synchronized (this) {}
                """;
        assertEquals(
                List.of(4), SourceText.linesWith(Pattern.compile("\\bsynchronized\\b"), SourceText.codeOf(source)));
    }

    @Test
    void aTextBlockIsNoCode() {
        String quotes = "\"".repeat(3);
        String source = "a = " + quotes + "\n \"x\" synchronized // \n" + quotes + ";\nwait();";
        assertEquals("a = \n\n;\nwait();", SourceText.codeOf(source));
    }
}
