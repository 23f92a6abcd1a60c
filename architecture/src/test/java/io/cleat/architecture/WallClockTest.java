package io.cleat.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/clocks.md lists every class that reads the machine's clock, and no other. */
final class WallClockTest {
    private static final Pattern READING = Pattern.compile("[tT]ime(\\(\\))?\\s*\\.now\\(\\)"
            + "|(Instant|ZonedDateTime|LocalDateTime|LocalDate)\\.now\\("
            + "|currentTimeMillis|Clock\\.system");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| \\[`\\w+`]\\(\\.\\./([^)]+)\\)");

    @Test
    void whoReadsTheMachinesClockIsListed() {
        Set<String> readers = new TreeSet<>();
        for (Path file : Tree.mainSources()) {
            if (!Tree.relative(file).startsWith("testkit/")
                    && READING.matcher(SourceText.codeOf(Tree.text(file))).find()) {
                readers.add(Tree.relative(file));
            }
        }
        Set<String> listed = new TreeSet<>();
        Matcher rows = ROW.matcher(Tree.text(Tree.ROOT.resolve("docs/clocks.md")));
        while (rows.find()) {
            listed.add(rows.group(1));
        }
        assertEquals(listed, readers);
    }

    @Test
    void aReadingIsSeen() {
        for (String code : new String[] {
            "time.now()",
            "parts.time().now()",
            "parts.tasks().time()\n  .now()",
            "Instant.now()",
            "System.currentTimeMillis()"
        }) {
            assertTrue(READING.matcher(code).find(), code);
        }
        assertFalse(READING.matcher("marks.now()").find());
    }
}
