package io.cleat.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every link of the documents leads to something that is there. */
final class LinksTest {
    private static final Pattern LINK = Pattern.compile("\\[[^\\]\\n]*\\]\\(([^)\\s]+)\\)");
    private static final Pattern NAMED_TEST = Pattern.compile("`(\\w+(?:Test|Properties))\\.(\\w+)`");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```.*?^```");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.+?) *$");

    @Test
    void everyLinkOfTheDocumentsLeadsSomewhere() {
        Set<String> wrong = new TreeSet<>();
        int followed = 0;
        for (Path document : documents()) {
            Matcher link = LINK.matcher(BLOCK.matcher(Tree.text(document)).replaceAll(""));
            while (link.find()) {
                String target = link.group(1);
                if (target.contains("://")) {
                    continue;
                }
                followed++;
                if (!leadsSomewhere(document, target)) {
                    wrong.add(Tree.relative(document) + " -> " + target);
                }
            }
        }
        assertTrue(followed > 50, "the documents were not read: only " + followed + " links");
        assertEquals(Set.of(), wrong);
    }

    @Test
    void theRoadOfAClaimIsLinkedFromRequestToMount() {
        String road = Tree.text(Tree.ROOT.resolve("docs/follow-a-claim.md"));
        Set<String> missing = new TreeSet<>();
        for (String stage : List.of(
                "http", "jobspec", "api", "server", "state", "log", "schedule", "wire", "agent", "csi", "kernel")) {
            if (!road.contains("](../" + stage + "/src/main/java/")) {
                missing.add(stage);
            }
        }
        assertEquals(Set.of(), missing, "stages of the road without a link to their code");
    }

    @Test
    void everyTestThatTheListsOfPainsAndOfDamagedFilesNameIsThere() throws IOException {
        Map<String, String> tests = new TreeMap<>();
        try (Stream<Path> files = Files.walk(Tree.ROOT, 12)) {
            for (Path file : files.filter(LinksTest::isTest).toList()) {
                String name = file.getFileName().toString();
                tests.merge(name.substring(0, name.length() - 5), Tree.text(file), String::concat);
            }
        }
        Set<String> missing = new TreeSet<>();
        Matcher named = NAMED_TEST.matcher(
                Tree.text(Tree.ROOT.resolve("docs/pains.md")) + Tree.text(Tree.ROOT.resolve("docs/damaged-files.md")));
        int found = 0;
        while (named.find()) {
            found++;
            String method = Pattern.quote(named.group(2));
            if (!Pattern.compile("void\\s+" + method + "\\(")
                    .matcher(tests.getOrDefault(named.group(1), ""))
                    .find()) {
                missing.add(named.group());
            }
        }
        assertTrue(found > 40, "the lists were not read: only " + found + " tests");
        assertEquals(Set.of(), missing);
    }

    private static boolean isTest(Path file) {
        String name = file.toString();
        return name.contains("/src/test/java/") && (name.endsWith("Test.java") || name.endsWith("Properties.java"));
    }

    private static boolean leadsSomewhere(Path document, String target) {
        int hash = target.indexOf('#');
        String path = hash < 0 ? target : target.substring(0, hash);
        Path file = path.isEmpty() ? document : document.resolveSibling(path).normalize();
        if (!file.startsWith(Tree.ROOT) || !Files.exists(file)) {
            return false;
        }
        return hash < 0 || anchorsOf(file).contains(target.substring(hash + 1));
    }

    private static Set<String> anchorsOf(Path document) {
        Set<String> anchors = new TreeSet<>();
        Matcher heading = HEADING.matcher(Tree.text(document));
        while (heading.find()) {
            anchors.add(heading.group(1)
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^a-z0-9 _-]", "")
                    .replace(' ', '-'));
        }
        return anchors;
    }

    private static List<Path> documents() {
        List<Path> documents = new ArrayList<>();
        List<Path> places = new ArrayList<>();
        places.add(Tree.ROOT.resolve("docs"));
        Tree.modules().forEach(module -> places.add(Tree.ROOT.resolve(module)));
        places.add(Tree.ROOT.resolve("shim"));
        places.add(Tree.ROOT.resolve("examples"));
        for (Path place : places) {
            for (Path file : Tree.filesBelow(place)) {
                if (file.toString().endsWith(".md") && !file.toString().contains("/target/")) {
                    documents.add(file);
                }
            }
        }
        for (String name : List.of("README.md", "CHANGELOG.md", "CONTRIBUTING.md")) {
            documents.add(Tree.ROOT.resolve(name));
        }
        return documents;
    }
}
