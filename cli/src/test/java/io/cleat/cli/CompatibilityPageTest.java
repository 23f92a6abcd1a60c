package io.cleat.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page for people who come with habits lists the verbs that there are. */
class CompatibilityPageTest {
    private static final Pattern ROW =
            Pattern.compile("^\\| `([a-z][^`]*)` \\| (?:same|better: .+|own: .+) \\|$", Pattern.MULTILINE);

    private static final Pattern ABSENT = Pattern.compile("^\\| (`[a-z].*`) \\| absent: .+ \\|$", Pattern.MULTILINE);
    private static final Pattern NAME = Pattern.compile("`([^`]+)`");

    @Test
    void noVerbThatIsThere_isListedAsAbsent() throws IOException {
        Set<String> absent = new TreeSet<>();
        ABSENT.matcher(Files.readString(Path.of("../docs/compatibility.md")))
                .results()
                .forEach(row -> NAME.matcher(row.group(1)).results().forEach(name -> absent.add(name.group(1))));
        assertTrue(absent.contains("job restart"), absent.toString());
        for (String each : absent) {
            assertTrue(
                    Verbs.all().stream()
                            .map(Verb::name)
                            .noneMatch(verb -> verb.equals(each) || verb.startsWith(each + " ")),
                    each);
        }
    }

    @Test
    void eachVerb_isListed_andNoOther() throws IOException {
        Set<String> verbs = new TreeSet<>();
        Verbs.all().forEach(verb -> verbs.add(verb.name()));
        Set<String> listed = new TreeSet<>();
        ROW.matcher(Files.readString(Path.of("../docs/compatibility.md")))
                .results()
                .forEach(row -> listed.add(row.group(1)));
        assertEquals(verbs, listed);
    }
}
