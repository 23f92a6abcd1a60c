package io.cleat.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import java.util.ArrayList;
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
            Set.of("java.lang.Object.wait", "java.lang.Object.notify", "java.lang.Object.notifyAll");

    private static final Pattern EMPTY_ENDING =
            Pattern.compile(".*(Manager|Helper|Utils?|Impl|Processor|Data|Info|Base|Common|Misc)");

    /** Calls that make a run depend on the moment, on chance, or on threads nobody else can own. */
    private static final Set<String> AMBIENT = Set.of(
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
    private static final Map<String, String> MAY_BE_AMBIENT = Map.ofEntries(
            Map.entry("io.cleat.base.SystemTime Instant.now", "the port itself"),
            Map.entry("io.cleat.base.SystemTime System.nanoTime", "the port itself"),
            Map.entry("io.cleat.base.SystemTime Thread.sleep", "the port itself"),
            Map.entry("io.cleat.base.Chance ThreadLocalRandom.current", "the port itself"),
            Map.entry("io.cleat.base.Ids UUID.randomUUID", "the port itself"),
            Map.entry("io.cleat.base.Threads Thread.ofVirtual", "the port itself"),
            Map.entry("io.cleat.base.Threads Thread.ofPlatform", "the port itself"),
            Map.entry(
                    "io.cleat.csi.UnixTransport System.nanoTime",
                    "below the transport port: compared with the deadline of gRPC, which runs on this clock"),
            Map.entry(
                    "io.cleat.localplugin.Programs Thread.ofPlatform",
                    "below the plugin's programs: the kernel ends a child with the thread"
                            + " that started it, and a carrier may end before"),
            Map.entry(
                    "io.cleat.kernel.Libc Thread.ofPlatform",
                    "below the kernel port: a native call that hangs would hold the carrier of all virtual threads"));

    /** Who walks a directory tree, and why that is safe. */
    private static final Map<String, String> MAY_WALK = Map.of(
            "io.cleat.kernel.LinuxCgroup",
            "the kernel's own file system of control groups, which holds no files of"
                    + " anybody and removes only empty groups");

    /** Looks from outside at what the program left, in a directory that it made itself. */
    private static final String DEMO = "io.cleat.demo";

    private static final Set<String> WALKS =
            Set.of("java.nio.file.Files.walk", "java.nio.file.Files.walkFileTree", "java.nio.file.Files.find");

    /** On the way to a volume nothing is removed but by the kernel's port. */
    private static final List<String> VOLUME_CODE =
            List.of("io.cleat.agent.volumes", "io.cleat.agent.alloc", "io.cleat.agent.task");

    private static final Set<String> REMOVALS = Set.of(
            "java.nio.file.Files.delete",
            "java.nio.file.Files.deleteIfExists",
            "java.io.File.delete",
            "java.io.File.deleteOnExit");

    @Test
    void nothingWaitsOnAMonitor() {
        assertEquals(List.of(1), SourceText.linesWith(MONITOR, "synchronized (this) {}\nlist = synchronizedList();"));
        Set<String> wrong = new TreeSet<>();
        for (Path file : Tree.mainSources()) {
            String code = SourceText.codeOf(Tree.text(file));
            for (int line : SourceText.linesWith(MONITOR, code)) {
                wrong.add(Tree.relative(file) + ":" + line);
            }
        }
        wrong.addAll(calls(written(), MONITOR_CALLS));
        assertEquals(Set.of(), wrong);
        assertEquals(2, calls(planted(), MONITOR_CALLS).size(), "planted calls are not seen");
    }

    @Test
    void timeChanceIdsAndThreadsComeThroughThePorts() {
        Set<String> found = ambient(written());
        Set<String> unused = new HashSet<>(MAY_BE_AMBIENT.keySet());
        unused.removeAll(found);
        found.removeAll(MAY_BE_AMBIENT.keySet());
        assertEquals(Set.of(), found);
        assertEquals(Set.of(), unused, "these exceptions are no longer needed");
        String planted = PlantedHabits.class.getName();
        assertEquals(
                Set.of(
                        planted + " Instant.now",
                        planted + " Random.<init>",
                        planted + " System.nanoTime",
                        planted + " Thread.ofVirtual",
                        planted + " Thread.sleep",
                        planted + " UUID.randomUUID"),
                ambient(planted()));
    }

    /** Class and call. */
    private static Set<String> ambient(List<JavaClass> types) {
        Set<String> found = new TreeSet<>();
        for (JavaClass type : types) {
            for (JavaAccess<?> access : type.getAccessesFromSelf()) {
                String call = callOf(access);
                if (AMBIENT.contains(call) && !isHookOfTheEnd(call, type)) {
                    found.add(outermost(type)
                            + " "
                            + call.substring(call.lastIndexOf('.', call.lastIndexOf('.') - 1) + 1));
                }
            }
        }
        return found;
    }

    @Test
    void futuresStayAtTheEdgesOfLibraries() {
        assertEquals(Set.of(), futures(written()));
        assertEquals(2, futures(planted()).size(), "planted futures are not seen");
    }

    private static Set<String> futures(List<JavaClass> types) {
        Set<String> wrong = new TreeSet<>();
        for (JavaClass type : types) {
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
                if (!field.getModifiers().contains(JavaModifier.PRIVATE) && isFuture(field.getRawType())) {
                    wrong.add(field.getFullName());
                }
            }
        }
        return wrong;
    }

    @Test
    void namesSayWhatATypeIs() {
        assertEquals(Set.of(), emptyNames(written()));
        assertEquals(
                Set.of(PlantedHabits.VolumeManager.class.getName()),
                emptyNames(planted()),
                "a planted name is not seen");
    }

    private static Set<String> emptyNames(List<JavaClass> types) {
        Set<String> wrong = new TreeSet<>();
        for (JavaClass type : types) {
            if (EMPTY_ENDING.matcher(type.getSimpleName()).matches()) {
                wrong.add(type.getName());
            }
        }
        return wrong;
    }

    @Test
    void onlyTheNamedClassesWalkATree() {
        Set<String> wrong = new TreeSet<>();
        Set<String> unused = new HashSet<>(MAY_WALK.keySet());
        for (JavaClass type : written()) {
            Set<String> walks = calls(List.of(type), WALKS);
            if (!walks.isEmpty() && !unused.remove(outermost(type)) && !isNamed(type)) {
                wrong.addAll(walks);
            }
        }
        assertEquals(Set.of(), wrong);
        assertEquals(Set.of(), unused, "these exceptions are no longer needed");
        assertEquals(1, calls(planted(), WALKS).size(), "a planted walk is not seen");
    }

    private static boolean isNamed(JavaClass type) {
        return MAY_WALK.containsKey(outermost(type)) || type.getPackageName().equals(DEMO);
    }

    @Test
    void codeNearVolumesRemovesOnlyThroughTheKernelPort() {
        Set<String> unread = new TreeSet<>(VOLUME_CODE);
        List<JavaClass> near = new ArrayList<>();
        for (JavaClass type : written()) {
            if (VOLUME_CODE.contains(type.getPackageName())) {
                unread.remove(type.getPackageName());
                near.add(type);
            }
        }
        assertEquals(Set.of(), unread, "these packages are not there");
        assertEquals(Set.of(), calls(near, REMOVALS));
        assertEquals(1, calls(planted(), REMOVALS).size(), "a planted removal is not seen");
    }

    /** Where one of these calls is made. */
    private static Set<String> calls(List<JavaClass> types, Set<String> forbidden) {
        Set<String> found = new TreeSet<>();
        for (JavaClass type : types) {
            for (JavaAccess<?> access : type.getAccessesFromSelf()) {
                if (forbidden.contains(callOf(access))) {
                    found.add(access.getDescription());
                }
            }
        }
        return found;
    }

    /** What does all that is not done, so that what looks for it is seen to find it. */
    private static List<JavaClass> planted() {
        return new ClassFileImporter()
                .importClasses(PlantedHabits.class, PlantedHabits.VolumeManager.class).stream()
                        .toList();
    }

    /** The classes somebody wrote: the generated ones of the CSI schema are not ours to shape. */
    private static List<JavaClass> written() {
        List<JavaClass> written = Tree.classes().stream()
                .filter(type -> !Tree.moduleOf(type).endsWith("-schema"))
                .toList();
        assertTrue(written.size() > 500, "the classes were not read: " + written.size());
        return written;
    }

    /** What runs at the JVM's end is a thread that the JVM starts, so there must be one. */
    private static boolean isHookOfTheEnd(String call, JavaClass type) {
        return (call.equals("java.lang.Thread.ofPlatform") || call.equals("java.lang.Thread.<init>"))
                && type.getAccessesFromSelf().stream()
                        .anyMatch(access -> callOf(access).equals("java.lang.Runtime.addShutdownHook"));
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
