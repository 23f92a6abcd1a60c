package io.cleat.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the code of the program does not do; each exception stands here with its reason. */
final class HabitsTest {
    private static final Pattern MONITOR = Pattern.compile("\\bsynchronized\\b");

    private static final Set<String> MONITOR_CALLS =
            Set.of(
                    "java.lang.Object.wait",
                    "java.lang.Object.notify",
                    "java.lang.Object.notifyAll");

    private static final Pattern EMPTY_ENDING =
            Pattern.compile(".*(Manager|Helper|Utils?|Impl|Processor|Data|Info|Base|Common|Misc)");

    /** Calls that make a run depend on the moment, on chance, or on threads nobody else can own. */
    private static final Set<String> AMBIENT =
            Set.of(
                    "java.lang.Thread.sleep",
                    "java.lang.Thread.ofPlatform",
                    "java.lang.Thread.ofVirtual",
                    "java.lang.Thread.startVirtualThread",
                    "java.lang.Thread.<init>",
                    "java.lang.System.currentTimeMillis",
                    "java.lang.System.nanoTime",
                    "java.lang.Math.random",
                    "java.time.Instant.now",
                    "java.time.LocalDate.now",
                    "java.time.LocalDateTime.now",
                    "java.time.ZonedDateTime.now",
                    "java.time.OffsetDateTime.now",
                    "java.util.Date.<init>",
                    "java.util.UUID.randomUUID",
                    "java.util.Random.<init>",
                    "java.util.Timer.<init>",
                    "java.util.concurrent.ThreadLocalRandom.current");

    /** Class and call, and why it may. */
    private static final Map<String, String> MAY_BE_AMBIENT =
            Map.ofEntries(
                    Map.entry("io.cleat.base.SystemTime Instant.now", "the port itself"),
                    Map.entry("io.cleat.base.SystemTime System.nanoTime", "the port itself"),
                    Map.entry("io.cleat.base.SystemTime Thread.sleep", "the port itself"),
                    Map.entry("io.cleat.base.Chance ThreadLocalRandom.current", "the port itself"),
                    Map.entry("io.cleat.base.Ids UUID.randomUUID", "the port itself"),
                    Map.entry("io.cleat.base.Threads Thread.ofVirtual", "the port itself"),
                    Map.entry("io.cleat.base.Threads Thread.ofPlatform", "the port itself"),
                    Map.entry(
                            "io.cleat.csi.UnixTransport System.nanoTime",
                            "below the transport port: compared with the deadline of gRPC, which"
                                    + " runs on this clock"),
                    Map.entry(
                            "io.cleat.localplugin.Programs Thread.ofPlatform",
                            "below the plugin's programs: the kernel ends a child with the thread"
                                    + " that started it, and a carrier may end before"),
                    Map.entry(
                            "io.cleat.kernel.Libc Thread.ofPlatform",
                            "below the kernel port: a native call that hangs would hold the carrier"
                                    + " of all virtual threads"));

    /** Who walks a directory tree, and why that is safe. */
    private static final Map<String, String> MAY_WALK =
            Map.of(
                    "io.cleat.kernel.SafeRemove",
                    "the one class that clears what is below an allocation's directory",
                    "io.cleat.localplugin.TreeClearing",
                    "the one class that clears a deleted directory volume",
                    "io.cleat.launch.TemporaryTree",
                    "the data directory that dev made for itself, once nothing is mounted in it",
                    "io.cleat.kernel.LinuxCgroup",
                    "the kernel's own file system of control groups, which holds no files of"
                            + " anybody and removes only empty groups");

    /** Looks from outside at what the program left, in a directory that it made itself. */
    private static final String DEMO = "io.cleat.launch.demo";

    private static final Set<String> WALKS =
            Set.of(
                    "java.nio.file.Files.walk",
                    "java.nio.file.Files.walkFileTree",
                    "java.nio.file.Files.find");

    /** On the way to a volume nothing is removed but by the kernel's port. */
    private static final List<String> VOLUME_CODE =
            List.of("io.cleat.agent.volumes", "io.cleat.agent.alloc", "io.cleat.agent.task");

    private static final Set<String> REMOVALS =
            Set.of(
                    "java.nio.file.Files.delete",
                    "java.nio.file.Files.deleteIfExists",
                    "java.io.File.delete",
                    "java.io.File.deleteOnExit");

    @Test
    void nothingWaitsOnAMonitor() {
        assertEquals(
                List.of(1),
                SourceText.linesWith(
                        MONITOR, "synchronized (this) {}\nlist = synchronizedList();"));
        Set<String> wrong = new TreeSet<>();
        for (Path file : Tree.mainSources()) {
            String code = SourceText.codeOf(Tree.text(file));
            for (int line : SourceText.linesWith(MONITOR, code)) {
                wrong.add(Tree.relative(file) + ":" + line);
            }
        }
        for (JavaClass type : written()) {
            for (JavaAccess<?> access : type.getAccessesFromSelf()) {
                if (MONITOR_CALLS.contains(callOf(access))) {
                    wrong.add(access.getDescription());
                }
            }
        }
        assertEquals(Set.of(), wrong);
    }

    @Test
    void timeChanceIdsAndThreadsComeThroughThePorts() {
        Set<String> wrong = new TreeSet<>();
        Set<String> unused = new HashSet<>(MAY_BE_AMBIENT.keySet());
        for (JavaClass type : written()) {
            for (JavaAccess<?> access : type.getAccessesFromSelf()) {
                String call = callOf(access);
                if (AMBIENT.contains(call) && !isHookOfTheEnd(call, type)) {
                    String who =
                            outermost(type)
                                    + " "
                                    + call.substring(
                                            call.lastIndexOf('.', call.lastIndexOf('.') - 1) + 1);
                    unused.remove(who);
                    if (!MAY_BE_AMBIENT.containsKey(who)) {
                        wrong.add(who + " " + access.getSourceCodeLocation());
                    }
                }
            }
        }
        assertEquals(Set.of(), wrong);
        assertEquals(Set.of(), unused, "these exceptions are no longer needed");
    }

    @Test
    void futuresStayAtTheEdgesOfLibraries() {
        Set<String> wrong = new TreeSet<>();
        for (JavaClass type : written()) {
            for (JavaCodeUnit unit : type.getCodeUnits()) {
                boolean ours = unit.getModifiers().contains(JavaModifier.PRIVATE);
                // The log library's interface demands it.
                boolean demanded = unit.getFullName().startsWith("io.cleat.log.RatisMachine.");
                if (!ours && !demanded && !unit.getModifiers().contains(JavaModifier.SYNTHETIC)) {
                    unit.getAllInvolvedRawTypes().stream()
                            .filter(HabitsTest::isFuture)
                            .forEach(future -> wrong.add(unit.getFullName()));
                }
            }
            for (JavaField field : type.getFields()) {
                if (!field.getModifiers().contains(JavaModifier.PRIVATE)
                        && isFuture(field.getRawType())) {
                    wrong.add(field.getFullName());
                }
            }
        }
        assertEquals(Set.of(), wrong);
    }

    @Test
    void namesSayWhatATypeIs() {
        Set<String> wrong = new TreeSet<>();
        for (JavaClass type : written()) {
            if (EMPTY_ENDING.matcher(type.getSimpleName()).matches()) {
                wrong.add(type.getName());
            }
        }
        assertEquals(Set.of(), wrong);
    }

    @Test
    void onlyTheNamedClassesWalkATree() {
        Set<String> wrong = new TreeSet<>();
        Set<String> walkers = new TreeSet<>();
        for (JavaClass type : written()) {
            for (JavaAccess<?> access : type.getAccessesFromSelf()) {
                if (!WALKS.contains(callOf(access))) {
                    continue;
                }
                walkers.add(outermost(type));
                if (!MAY_WALK.containsKey(outermost(type)) && !type.getPackageName().equals(DEMO)) {
                    wrong.add(access.getDescription());
                }
            }
        }
        assertEquals(Set.of(), wrong);
        assertTrue(walkers.contains("io.cleat.kernel.LinuxCgroup"), "walks are not seen");
    }

    @Test
    void codeNearVolumesRemovesOnlyThroughTheKernelPort() {
        Set<String> wrong = new TreeSet<>();
        for (JavaClass type : written()) {
            if (!VOLUME_CODE.contains(type.getPackageName())) {
                continue;
            }
            for (JavaAccess<?> access : type.getAccessesFromSelf()) {
                if (REMOVALS.contains(callOf(access))) {
                    wrong.add(access.getDescription());
                }
            }
        }
        assertEquals(Set.of(), wrong);
    }

    /** The classes somebody wrote: the generated ones of the CSI schema are not ours to shape. */
    private static List<JavaClass> written() {
        List<JavaClass> written =
                Tree.classes().stream()
                        .filter(type -> !Tree.moduleOf(type).equals("csi-schema"))
                        .toList();
        assertTrue(written.size() > 500, "the classes were not read: " + written.size());
        return written;
    }

    /** What runs at the JVM's end is a thread that the JVM starts, so there must be one. */
    private static boolean isHookOfTheEnd(String call, JavaClass type) {
        return (call.equals("java.lang.Thread.ofPlatform")
                        || call.equals("java.lang.Thread.<init>"))
                && type.getAccessesFromSelf().stream()
                        .anyMatch(
                                access ->
                                        callOf(access).equals("java.lang.Runtime.addShutdownHook"));
    }

    private static boolean isFuture(JavaClass type) {
        return type.isAssignableTo("java.util.concurrent.CompletionStage")
                || type.getName().equals("com.google.common.util.concurrent.ListenableFuture");
    }

    private static String callOf(JavaAccess<?> access) {
        return access.getTargetOwner().getName() + "." + access.getTarget().getName();
    }

    private static String outermost(JavaClass type) {
        String name = type.getName();
        int inner = name.indexOf('$');
        return inner < 0 ? name : name.substring(0, inner);
    }
}
