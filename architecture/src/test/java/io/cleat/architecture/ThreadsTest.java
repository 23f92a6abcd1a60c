package io.cleat.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/threads.md lists every start of a thread with what its fault means. */
final class ThreadsTest {
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `([a-zA-Z.]+)` \\| `([^`]+)` \\| (vital|contained) \\| .+ \\|$");

    /** What a start is called in the source, and the first text or name that it is given. */
    private static final Pattern START =
            Pattern.compile("\\.\\s*(vital|vitalWork|contained)\\(\\s*(?:\"([^\"]*)\"|([a-zA-Z]+))");

    private static final Set<String> STARTS = Set.of("start", "vital", "vitalWork", "contained");
    private static final Set<String> PORTS = Set.of("io.cleat.base.Threads", "io.cleat.base.Lanes");

    /** Of the tools beside the program, and of what implements the port. */
    private static final List<String> NOT_OF_THE_PROGRAM =
            List.of("io.cleat.base.", "io.cleat.bench.", "io.cleat.sim.", "io.cleat.testkit.");

    @Test
    void everyStartOfAThreadIsListedWithWhatItsFaultMeans() {
        assertEquals(listed(), found());
    }

    private static Set<String> listed() {
        Set<String> rows = new TreeSet<>();
        Matcher row = ROW.matcher(Tree.text(Tree.ROOT.resolve("docs/threads.md")));
        while (row.find()) {
            rows.add(row.group(1) + " " + row.group(2) + " " + row.group(3));
        }
        assertTrue(rows.size() > 40, "the page was not read: " + rows.size() + " rows");
        return rows;
    }

    private static Set<String> found() {
        Set<String> starts = new TreeSet<>();
        int calls = 0;
        for (JavaClass type : Tree.classes()) {
            if (NOT_OF_THE_PROGRAM.stream().anyMatch(type.getName()::startsWith)) {
                continue;
            }
            for (JavaMethodCall call : type.getMethodCallsFromSelf()) {
                if (PORTS.contains(call.getTargetOwner().getName())
                        && STARTS.contains(call.getTarget().getName())) {
                    calls++;
                    starts.add(start(type, call));
                }
            }
        }
        assertTrue(calls > 40, "the classes were not read: " + calls + " starts");
        return starts;
    }

    /** As a row says it. */
    private static String start(JavaClass type, JavaMethodCall call) {
        String name = outermost(type);
        String text = Tree.text(source(name));
        int from = 0;
        for (int line = 1; line < call.getLineNumber(); line++) {
            from = text.indexOf('\n', from) + 1;
        }
        Matcher start = START.matcher(text);
        // The line is that of the call's name, or of what it is called on.
        boolean isFound = start.find(from) || start.find(0);
        while (isFound && !start.group(1).equals(call.getTarget().getName())) {
            isFound = start.find();
        }
        String kind = call.getTarget().getName().equals("contained") ? "contained" : "vital";
        String role = !isFound ? "?" : start.group(2) == null ? start.group(3) : start.group(2);
        return name + " " + role + " " + kind;
    }

    private static Path source(String name) {
        String end = name.replace('.', '/') + ".java";
        return Tree.mainSources().stream()
                .filter(file -> file.toString().endsWith(end))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no source of " + name));
    }

    private static String outermost(JavaClass type) {
        String name = type.getName();
        int inner = name.indexOf('$');
        return inner < 0 ? name : name.substring(0, inner);
    }
}
