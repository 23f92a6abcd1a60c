package io.cleat.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/formats.md lists every format that is stored or sent, with its version and a sample that a test reads. */
final class FormatsTest {
    private static final Pattern CODEC =
            Pattern.compile("RecordCodec\\s*\\.\\s*(stored|sent)\\(\\s*\"(\\w{4})\",\\s*(\\w+)\\s*,");
    private static final Pattern LINK = Pattern.compile("\\]\\(\\.\\./([^)]+)\\)");

    private static final Path TABLE = Tree.ROOT.resolve("docs/formats.md");

    @Test
    void everyCodecIsListedWithItsVersion() {
        Set<String> wrong = new TreeSet<>();
        int codecs = 0;
        for (Path file : Tree.mainSources()) {
            String text = Tree.text(file);
            Matcher codec = CODEC.matcher(text);
            while (codec.find()) {
                codecs++;
                String version = valueOf(codec.group(3), text);
                String row = "| `" + codec.group(2) + "` | " + version + " |";
                if (rows().stream().noneMatch(listed -> listed.startsWith(row))) {
                    wrong.add(Tree.relative(file) + ": no row '" + row + "'");
                }
            }
        }
        assertTrue(codecs >= 7, "the sources were not read: " + codecs + " formats");
        assertEquals(Set.of(), wrong);
    }

    @Test
    void everyListedFormatHasASampleThatATestReads() {
        String tests =
                String.join("\n", Tree.testSources().stream().map(Tree::text).toList());
        Set<String> wrong = new TreeSet<>();
        for (String row : rows()) {
            List<Path> samples = LINK.matcher(row)
                    .results()
                    .map(link -> Tree.ROOT.resolve(link.group(1)))
                    .filter(file -> file.toString().matches(".*/(history|samples)/.*"))
                    .toList();
            if (samples.isEmpty()) {
                wrong.add("no sample: " + row);
            }
            for (Path sample : samples) {
                if (!Files.exists(sample)) {
                    wrong.add("not there: " + Tree.relative(sample));
                } else if (!isNamed(sample.getFileName().toString(), tests)) {
                    wrong.add("no test names " + Tree.relative(sample));
                }
            }
        }
        assertTrue(rows().size() > 10, "docs/formats.md was not read");
        assertEquals(Set.of(), wrong);
    }

    @Test
    void everySampleIsListed() {
        String table = Tree.text(TABLE);
        Set<String> wrong = new TreeSet<>();
        for (String module : Tree.modules()) {
            for (Path sample : Tree.filesBelow(Tree.ROOT.resolve(module).resolve("src/test/resources/history"))) {
                if (!table.contains("](../" + Tree.relative(sample) + ")")) {
                    wrong.add(Tree.relative(sample));
                }
            }
        }
        for (Path sample : Tree.filesBelow(Tree.ROOT.resolve("shim/samples"))) {
            if (!table.contains("](../" + Tree.relative(sample) + ")")) {
                wrong.add(Tree.relative(sample));
            }
        }
        assertEquals(Set.of(), wrong);
    }

    /** A test names a sample in full, or puts the name together at its dash, its dot, or before each version. */
    private static boolean isNamed(String sample, String tests) {
        int dot = sample.lastIndexOf('.');
        int dash = sample.indexOf('-');
        int version = sample.lastIndexOf('-') + 1;
        return tests.contains("\"" + sample + "\"")
                || tests.contains("/" + sample + "\"")
                || (dot > 0 && tests.contains("\"" + sample.substring(0, dot) + "\""))
                || (dash > 0
                        && tests.contains("\"" + sample.substring(0, dash) + "\"")
                        && tests.contains("\"" + sample.substring(dash) + "\""))
                || (sample.substring(version).matches("\\d+")
                        && tests.contains("\"" + sample.substring(0, version) + "\" + version"));
    }

    private static String valueOf(String word, String source) {
        if (word.matches("\\d+")) {
            return word;
        }
        Matcher constant = Pattern.compile("int " + word + " = (\\d+);").matcher(source);
        return constant.find() ? constant.group(1) : word;
    }

    private static List<String> rows() {
        return Tree.text(TABLE).lines().filter(line -> line.startsWith("| `")).toList();
    }
}
