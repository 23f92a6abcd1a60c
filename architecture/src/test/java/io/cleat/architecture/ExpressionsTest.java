package io.cleat.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Expressions of users are compiled by {@code LinearPattern}, whose time is linear. The JDK's own backtrack, so they
 * are only for expressions that stand in the source.
 */
final class ExpressionsTest {
    private static final Map<String, Set<String>> COMPILING = Map.of(
            "java.util.regex.Pattern",
            Set.of("compile", "matches"),
            "java.lang.String",
            Set.of("matches", "replaceAll", "replaceFirst", "split"));

    /** Class and call, and why its expression is nobody else's. */
    private static final Map<String, String> MAY_COMPILE = Map.of(
            "io.cleat.agent.template.Timestamps compile",
            "the parts of layouts, joined from a list of constants",
            "io.cleat.artifact.ConfinedJava split",
            "the sign between paths, which the JDK says");

    @Test
    void whatIsCompiledByTheJdk_standsInTheSource() {
        Set<String> wrong = new TreeSet<>();
        Set<String> unused = new HashSet<>(MAY_COMPILE.keySet());
        for (JavaClass type : Tree.classes()) {
            for (JavaAccess<?> access : type.getAccessesFromSelf()) {
                String call = access.getTarget().getName();
                if (!COMPILING
                                .getOrDefault(access.getTargetOwner().getName(), Set.of())
                                .contains(call)
                        || isConstant(type, call, access.getLineNumber())) {
                    continue;
                }
                String name = type.getName();
                int inner = name.indexOf('$');
                String who = (inner < 0 ? name : name.substring(0, inner)) + " " + call;
                unused.remove(who);
                if (!MAY_COMPILE.containsKey(who)) {
                    wrong.add(who + " " + access.getSourceCodeLocation());
                }
            }
        }
        assertEquals(Set.of(), wrong);
        assertEquals(Set.of(), unused, "these exceptions are no longer needed");
    }

    /** Whether the call at a line begins with a text in quotes. */
    private static boolean isConstant(JavaClass type, String call, int line) {
        String file = type.getPackageName().replace('.', '/')
                + "/"
                + type.getSource().flatMap(source -> source.getFileName()).orElse("");
        return sourcesOf(file).stream().anyMatch(source -> isConstant(source, call, line));
    }

    private static boolean isConstant(Path source, String call, int line) {
        List<String> lines = Tree.text(source).lines().toList();
        String near = lines.subList(Math.max(0, line - 2), Math.min(lines.size(), line + 3)).stream()
                .collect(Collectors.joining(" "));
        return Pattern.compile("\\b" + call + "\\(\\s*\"").matcher(near).find();
    }

    private static List<Path> sourcesOf(String file) {
        return Tree.mainSources().stream().filter(path -> path.endsWith(file)).toList();
    }
}
