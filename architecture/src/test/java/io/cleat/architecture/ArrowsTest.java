package io.cleat.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The arrows between modules, between packages of one module, and to libraries. */
final class ArrowsTest {
    private static final Pattern DEPENDENCY = Pattern.compile("<dependency>(.*?)</dependency>", Pattern.DOTALL);
    private static final Pattern OURS = Pattern.compile("<groupId>io\\.cleat</groupId>\\s*<artifactId>([a-z-]+)<");

    @Test
    void everyModuleHasItsArrowsAndKnowsOnlyModulesAboveIt() {
        List<String> order = Tree.modules();
        Set<String> wrong = new TreeSet<>();
        for (String module : Tree.programModules()) {
            if (module.equals(Arrows.COMPOSITION)) {
                continue;
            }
            Set<String> knows = Arrows.KNOWS.get(module);
            if (knows == null) {
                wrong.add(module + " is not in the table of arrows (Arrows.KNOWS)");
                continue;
            }
            for (String known : knows) {
                if (order.indexOf(known) >= order.indexOf(module)) {
                    wrong.add(module + " knows " + known + ", which the root pom lists after it");
                }
            }
        }
        assertEquals(Set.of(), wrong);
    }

    @Test
    void everyModuleIsBuiltBeforeItsClassesAreReadHere() {
        String pom = Tree.text(Tree.ROOT.resolve("architecture/pom.xml"));
        Set<String> missing = new TreeSet<>();
        for (String module : Tree.programModules()) {
            if (!pom.contains("<artifactId>" + module + "</artifactId>")) {
                missing.add(module + " is not among the dependencies of architecture/pom.xml");
            }
        }
        assertEquals(Set.of(), missing);
    }

    @Test
    void classesKnowOnlyWhatTheirModuleMayKnow() {
        Set<String> wrong = new TreeSet<>();
        int seen = 0;
        for (JavaClass type : Tree.classes()) {
            String module = Tree.moduleOf(type);
            if (module.equals(Arrows.COMPOSITION)) {
                continue;
            }
            Set<String> knows = Arrows.KNOWS.getOrDefault(module, Set.of());
            for (Dependency arrow : type.getDirectDependenciesFromSelf()) {
                JavaClass target = arrow.getTargetClass().getBaseComponentType();
                if (!Tree.classes().contain(target.getName())) {
                    continue;
                }
                seen++;
                String to = Tree.moduleOf(Tree.classes().get(target.getName()));
                if (!to.equals(module) && !knows.contains(to)) {
                    wrong.add(module + " -> " + to + ": " + arrow.getDescription());
                }
            }
        }
        assertTrue(seen > 10_000, "the classes were not read: only " + seen + " arrows");
        assertEquals(Set.of(), wrong);
    }

    @Test
    void pomsAskForNoMoreThanTheArrowsAllow() {
        Set<String> wrong = new TreeSet<>();
        for (String module : Tree.programModules()) {
            if (module.equals(Arrows.COMPOSITION)) {
                continue;
            }
            Path pom = Tree.ROOT.resolve(module).resolve("pom.xml");
            Matcher dependency = DEPENDENCY.matcher(Tree.text(pom));
            while (dependency.find()) {
                Matcher ours = OURS.matcher(dependency.group(1));
                if (ours.find()
                        && !dependency.group(1).contains("<scope>test</scope>")
                        && !Arrows.KNOWS.getOrDefault(module, Set.of()).contains(ours.group(1))) {
                    wrong.add(module + "/pom.xml asks for " + ours.group(1));
                }
            }
        }
        assertEquals(Set.of(), wrong);
    }

    @Test
    void eachLibraryIsSeenOnlyWhereItBelongs() {
        Set<String> wrong = new TreeSet<>();
        for (JavaClass type : Tree.classes()) {
            String module = Tree.moduleOf(type);
            if (module.equals(Arrows.COMPOSITION)) {
                continue;
            }
            for (Dependency arrow : type.getDirectDependenciesFromSelf()) {
                String target = arrow.getTargetClass().getBaseComponentType().getPackageName();
                for (Map.Entry<String, List<String>> library : Arrows.LIBRARIES.entrySet()) {
                    if (target.startsWith(library.getKey())
                            && !library.getValue().contains(module)) {
                        wrong.add(module + " -> " + library.getKey() + ": " + type.getName());
                    }
                }
            }
        }
        assertEquals(Set.of(), wrong);
    }

    @Test
    void packagesOfOneModuleFormNoCycle() {
        SlicesRuleDefinition.slices()
                .assignedFrom(new ByPackage())
                .should()
                .beFreeOfCycles()
                .check(Tree.classes());
    }

    private static final class ByPackage implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return type.getPackageName().startsWith("io.cleat.")
                    ? SliceIdentifier.of(type.getPackageName())
                    : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "packages";
        }
    }
}
