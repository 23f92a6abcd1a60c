package io.cleat.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.AccessTarget.MethodCallTarget;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * What decides, applies and places is pure: the same input gives the same answer on every member, today and in a replay
 * next year. So it sees no file, socket, thread, clock or chance.
 */
final class PurityTest {
    private static final List<String> PURE = List.of("io.cleat.state", "io.cleat.schedule", "io.cleat.server.decide");

    private static final List<String> OUTSIDE = List.of(
            "java.io.",
            "java.net.",
            "java.nio.file.",
            "java.nio.channels.",
            "java.util.concurrent.",
            "java.util.random.",
            "java.util.Random",
            "java.security.SecureRandom",
            "java.time.Clock",
            "java.util.Timer",
            "java.lang.Thread",
            "java.lang.Process",
            "io.cleat.base.Time",
            "io.cleat.base.SystemTime",
            "io.cleat.base.Chance",
            "io.cleat.base.Ids",
            "io.cleat.base.Threads",
            "io.cleat.base.Lanes");

    /** Interfaces and values in those packages that touch nothing. */
    private static final Set<String> HARMLESS = Set.of("java.io.Serializable");

    /** Reads and writes the streams it is given: it opens none, and the format needs no other. */
    private static final String SNAPSHOT = "io.cleat.state.Snapshot";

    /** Names what it proposes; a plan is made once and logged, and never made again in a replay. */
    private static final String SCHEDULE = "io.cleat.schedule";

    private static final Set<String> STREAMS = Set.of(
            "java.io.InputStream",
            "java.io.OutputStream",
            "java.io.DataInputStream",
            "java.io.DataOutputStream",
            "java.io.IOException",
            "java.io.EOFException");

    @Test
    void whatDecidesAppliesAndPlacesSeesNothingOutside() {
        Set<String> wrong = new TreeSet<>();
        int read = 0;
        for (JavaClass type : Tree.classes()) {
            if (!PURE.contains(type.getPackageName())) {
                continue;
            }
            read++;
            for (Dependency arrow : type.getDirectDependenciesFromSelf()) {
                String target = arrow.getTargetClass().getBaseComponentType().getName();
                boolean allowed = HARMLESS.contains(target)
                        || (type.getName().startsWith(SNAPSHOT) && STREAMS.contains(target))
                        || (type.getPackageName().equals(SCHEDULE) && target.equals("io.cleat.base.Ids"));
                if (!allowed && isOutside(target)) {
                    wrong.add(arrow.getDescription());
                }
            }
        }
        assertTrue(read > 50, "the pure packages were not read: " + read + " classes");
        assertEquals(Set.of(), wrong);
    }

    /** The JDK draws the order of its own copies by lot, for each process. */
    @Test
    void whatIsDecidedUponIsGoneThroughInTheOrderOfItsKeys() {
        Set<String> wrong = new TreeSet<>();
        for (JavaClass type : Tree.classes()) {
            String where = type.getPackageName();
            if (PURE.contains(where) || where.equals("io.cleat.model")) {
                type.getMethodCallsFromSelf().stream()
                        .filter(call -> isDrawnByLot(call.getTarget()))
                        .forEach(call -> wrong.add(call.getDescription()));
            }
        }
        assertEquals(Set.of(), wrong);
    }

    /** One element has one order. */
    private static boolean isDrawnByLot(MethodCallTarget target) {
        List<JavaClass> parameters = target.getRawParameterTypes();
        boolean isMany = parameters.stream().anyMatch(JavaClass::isArray);
        return switch (target.getOwner().getName() + "." + target.getName()) {
            case "java.util.Map.of" -> parameters.size() > 2;
            case "java.util.Set.of" -> parameters.size() > 1 || isMany;
            case "java.util.Map.copyOf",
                    "java.util.Set.copyOf",
                    "java.util.Map.ofEntries",
                    "java.util.stream.Collectors.toUnmodifiableMap",
                    "java.util.stream.Collectors.toUnmodifiableSet" -> true;
            default -> false;
        };
    }

    /** The machine's clock may jump; whoever compares with times of decisions asks the decider. */
    @Test
    void onlyTheClockOfDecisionsReadsTheServersWallClock() {
        Set<String> readers = new TreeSet<>();
        for (JavaClass type : Tree.classes()) {
            if (type.getPackageName().startsWith("io.cleat.server")) {
                type.getMethodCallsFromSelf().stream()
                        .filter(call -> call.getTargetOwner().getName().equals("io.cleat.base.Time"))
                        .filter(call -> call.getName().equals("now"))
                        .forEach(call -> readers.add(type.getName()));
            }
        }
        assertEquals(Set.of("io.cleat.server.commit.DecidedClock"), readers);
    }

    private static boolean isOutside(String name) {
        return OUTSIDE.stream()
                .anyMatch(outside -> outside.endsWith(".")
                        ? name.startsWith(outside)
                        : name.equals(outside) || name.startsWith(outside + "$"));
    }
}
