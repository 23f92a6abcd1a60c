package io.cleat.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/bounds.md lists every class that goes over rows while something is decided. */
final class BoundsTest {
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| \\[`([A-Za-z]+)`\\]\\(\\.\\./([^)]+)\\) \\| (\\S.*) \\| (\\S.*) \\|$");

    private static final String DECIDING = "io.cleat.server.decide";

    /** The image, and the views of parts of it. */
    private static final Pattern IMAGE =
            Pattern.compile("io\\.cleat\\.state\\.(ClusterState|Scans|StickyClaims|\\w+Rows)");

    private static final List<Class<?>> MANY = List.of(Collection.class, List.class, Stream.class);

    @Test
    void everyDecisionThatGoesOverRowsIsListedWithItsBound() {
        assertEquals(listed(), found());
    }

    private static Set<String> listed() {
        Set<String> rows = new TreeSet<>();
        Matcher row = ROW.matcher(Tree.text(Tree.ROOT.resolve("docs/bounds.md")));
        while (row.find()) {
            assertTrue(row.group(2).endsWith("/" + row.group(1) + ".java"), row.group());
            assertTrue(rows.add(row.group(1)), "twice: " + row.group(1));
        }
        return rows;
    }

    private static Set<String> found() {
        Set<String> going = new TreeSet<>();
        for (JavaClass type : Tree.classes()) {
            if (!type.getPackageName().equals(DECIDING)) {
                continue;
            }
            for (JavaMethodCall call : type.getMethodCallsFromSelf()) {
                boolean isOfMany = MANY.stream()
                        .anyMatch(many -> call.getTarget().getRawReturnType().isEquivalentTo(many));
                if (IMAGE.matcher(call.getTargetOwner().getName()).matches() && isOfMany) {
                    going.add(type.getName().replaceAll("\\$.*", "").substring(DECIDING.length() + 1));
                }
            }
        }
        assertTrue(going.size() > 15, "the classes were not read: " + going);
        return going;
    }
}
