package io.cleat.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The flags of what is measured are written twice: in the launcher, and here for what runs without it. */
final class JvmTest {
    private static final Pattern ARRAY = Pattern.compile("\\b(jvm|compiler)=\\(([^)]*)\\)");
    /** Of those that say how code runs, and not what is logged of it or how large its heap is. */
    private static final Pattern FLAG = Pattern.compile("-(?:XX:|D|-)\\S+");

    @Test
    void whatIsMeasured_hasTheFlagsThatTheLauncherGivesAnAgent() throws IOException {
        String launcher = Files.readString(Path.of(System.getProperty("cleat.root", ".."), "cleat"));
        // Of the two roles, the first that is written is the agent's.
        List<String> arrays =
                ARRAY.matcher(launcher).results().map(found -> found.group(2)).toList();
        assertTrue(arrays.size() >= 2, "the launcher was not read");
        Set<String> wanted = new TreeSet<>();
        for (String array : arrays.subList(0, 2)) {
            FLAG.matcher(array).results().map(MatchResult::group).forEach(wanted::add);
        }
        Set<String> given = Jvm.server("256m").stream()
                .takeWhile(word -> !word.equals("-cp"))
                .filter(word -> FLAG.matcher(word).matches() && !word.startsWith("-Dcleat."))
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(wanted, given);
    }
}
