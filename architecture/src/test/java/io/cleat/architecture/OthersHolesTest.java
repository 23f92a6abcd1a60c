package io.cleat.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the table of others' holes in docs/threat-model.md names is there. */
final class OthersHolesTest {
    private static final Pattern NAME = Pattern.compile("`([^`]+)`");
    private static final Pattern TEST = Pattern.compile("(\\w+(?:Test|Properties))\\.(\\w+)");

    /** {@code area/what:where}, of the battery. */
    private static final Pattern ATTEMPT = Pattern.compile("([a-z]+)/(\\w*)(?::(\\S+))?");

    private static final Pattern BATTERY_CLASS = Pattern.compile("(Attack|PluginAttacks|HostileEffects).*\\.java");

    private static final String BATTERY = "process-tests/src/test/";

    /** The last cell of each row of the section. */
    private static List<String> cells() {
        String document = Tree.text(Tree.ROOT.resolve("docs/threat-model.md"));
        int begin = document.indexOf("\n## Others' holes");
        assertTrue(begin > 0, "the section is there");
        List<String> cells = new ArrayList<>();
        for (String line : document.substring(begin).split("\n## ", 3)[1].split("\n", -1)) {
            if (line.startsWith("| ")) {
                String row = line.substring(0, line.length() - 2);
                cells.add(row.substring(row.lastIndexOf('|') + 1));
            }
        }
        return cells;
    }

    @Test
    void everyTestThatTheTableNamesIsThere() {
        Map<String, String> sources = new HashMap<>();
        for (Path file : Tree.testSources()) {
            String name = file.getFileName().toString();
            sources.put(name.substring(0, name.length() - 5), Tree.text(file));
        }
        Set<String> missing = new TreeSet<>();
        int found = 0;
        for (String cell : cells()) {
            Matcher name = NAME.matcher(cell);
            while (name.find()) {
                Matcher test = TEST.matcher(name.group(1));
                if (test.matches()) {
                    found++;
                    Pattern method = Pattern.compile("void\\s+" + Pattern.quote(test.group(2)) + "\\(");
                    if (!method.matcher(sources.getOrDefault(test.group(1), "")).find()) {
                        missing.add(name.group(1));
                    }
                }
            }
        }
        assertTrue(found > 40, "the table was not read: only " + found + " tests");
        assertEquals(Set.of(), missing);
    }

    @Test
    void everyAttemptThatTheTableNamesIsInTheBattery() {
        StringBuilder battery = new StringBuilder();
        for (Path file : Tree.filesBelow(Tree.ROOT.resolve(BATTERY + "c"))) {
            battery.append(Tree.text(file));
        }
        for (Path file : Tree.testSources()) {
            if (BATTERY_CLASS.matcher(file.getFileName().toString()).matches()) {
                battery.append(Tree.text(file));
            }
        }
        String text = battery.toString().toLowerCase(Locale.ROOT);
        Set<String> missing = new TreeSet<>();
        int found = 0;
        for (String cell : cells()) {
            Matcher name = NAME.matcher(cell);
            while (name.find()) {
                if (TEST.matcher(name.group(1)).matches()) {
                    continue;
                }
                found++;
                Matcher attempt = ATTEMPT.matcher(name.group(1));
                if (!attempt.matches() || !isIn(text, attempt)) {
                    missing.add(name.group(1));
                }
            }
        }
        assertTrue(found > 40, "the table was not read: only " + found + " attempts");
        assertEquals(Set.of(), missing);
    }

    private static boolean isIn(String text, Matcher attempt) {
        String where = attempt.group(3);
        return text.contains("\"" + attempt.group(1))
                && isMadeOfWordsOf(text, attempt.group(2))
                && (where == null || text.contains(where));
    }

    /** A name is written whole, or a verb before what a table has: {@code unshare_} and user. */
    private static boolean isMadeOfWordsOf(String text, String name) {
        if (name.isEmpty() || text.contains(name)) {
            return true;
        }
        for (int at = name.indexOf('_'); at > 0; at = name.indexOf('_', at + 1)) {
            String rest = name.substring(at + 1).replaceAll("_(of|left).*", "");
            if (text.contains("\"" + name.substring(0, at) + "_%")
                    || text.contains("\"" + name.substring(0, at) + "\"")) {
                return text.contains(rest);
            }
        }
        return false;
    }
}
