package io.cleat.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/dependencies.md names what the poms ask for, in the versions that they ask for. */
final class DependenciesTest {
    private static final Pattern USE = Pattern.compile("<(dependency|plugin)>(.*?)</\\1>", Pattern.DOTALL);

    /** What runs inside the compiler, named within the configuration of its plugin. */
    private static final Pattern PROCESSOR = Pattern.compile("<(path)>(.*?)</path>", Pattern.DOTALL);

    private static final Pattern PROPERTY = Pattern.compile("<([a-z0-9.]+\\.version)>([^<]+)<");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `.*$");

    @Test
    void everyLibraryAndPluginIsListedWithItsVersion() {
        List<String> rows = rows();
        Set<String> wrong = new TreeSet<>();
        Map<String, String> used = used();
        assertTrue(used.size() > 15, "the poms were not read: " + used);
        used.forEach((artifact, version) -> {
            List<String> listed =
                    rows.stream().filter(row -> row.contains(artifact)).toList();
            if (listed.isEmpty()) {
                wrong.add(artifact + " is not in docs/dependencies.md");
            } else if (!version.isEmpty() && listed.stream().noneMatch(row -> names(row, version))) {
                wrong.add(artifact + " is listed, not with its version " + version);
            }
        });
        assertEquals(Set.of(), wrong);
    }

    @Test
    void nothingIsListedThatNoPomAsksFor() {
        Pattern name = Pattern.compile("`([a-z0-9.]+:)?([a-z][a-z0-9_-]+)`");
        Set<String> used = used().keySet();
        Set<String> wrong = new TreeSet<>();
        for (String row : rows()) {
            Matcher first = name.matcher(row.substring(0, row.indexOf('|', 1)));
            while (first.find()) {
                if (!used.contains(first.group(2))) {
                    wrong.add(first.group());
                }
            }
        }
        assertEquals(Set.of(), wrong);
    }

    private static boolean names(String row, String version) {
        // 4.36.2 is listed as 4.36: a repair changes no reason.
        int last = version.lastIndexOf('.');
        String minor = version.chars().filter(c -> c == '.').count() < 2 ? version : version.substring(0, last);
        return Pattern.compile("(?<![0-9.])" + Pattern.quote(minor) + "(?![0-9])")
                .matcher(row)
                .find();
    }

    private static List<String> rows() {
        List<String> rows = new ArrayList<>();
        Matcher row = ROW.matcher(Tree.text(Tree.ROOT.resolve("docs/dependencies.md")));
        while (row.find()) {
            rows.add(row.group());
        }
        return rows;
    }

    /** What the poms ask for that is not ours: artifact to version, empty where none is given. */
    private static Map<String, String> used() {
        List<Path> poms = new ArrayList<>();
        poms.add(Tree.ROOT.resolve("pom.xml"));
        poms.add(Tree.ROOT.resolve("scripts/pitest.xml"));
        Tree.modules().forEach(name -> poms.add(Tree.ROOT.resolve(name).resolve("pom.xml")));
        Map<String, String> used = new TreeMap<>();
        Map<String, String> properties = new TreeMap<>();
        for (Path pom : poms) {
            String text = Tree.text(pom);
            Matcher property = PROPERTY.matcher(text);
            while (property.find()) {
                properties.putIfAbsent("${" + property.group(1) + "}", property.group(2));
            }
            add(USE, text, properties, used);
            add(PROCESSOR, text, properties, used);
        }
        return used;
    }

    private static void add(Pattern kind, String pom, Map<String, String> properties, Map<String, String> used) {
        Matcher use = kind.matcher(pom);
        while (use.find()) {
            String body = use.group(2).replaceAll("(?s)<(executions|configuration)>.*", "");
            if (!body.contains("<groupId>io.cleat</groupId>")) {
                String version = element("version", body);
                used.merge(
                        element("artifactId", body),
                        properties.getOrDefault(version, version),
                        (one, other) -> one.isEmpty() ? other : one);
            }
        }
    }

    private static String element(String name, String xml) {
        Matcher matcher = Pattern.compile("<" + name + ">([^<]+)<").matcher(xml);
        return matcher.find() ? matcher.group(1) : "";
    }
}
