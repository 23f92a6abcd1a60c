package io.cleat.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
            Pattern.compile(
                    "^\\| `([a-z][^`]*)` \\| (?:same|better: .+|own: .+) \\|$", Pattern.MULTILINE);

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
