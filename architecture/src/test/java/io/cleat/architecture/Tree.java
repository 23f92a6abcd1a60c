package io.cleat.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The repository as the tests see it: modules in the order of the root pom, sources, classes. */
final class Tree {
    /** Where the repository is; surefire says it, an IDE starts tests in the module. */
    static final Path ROOT =
            Path.of(System.getProperty("cleat.root", "..")).toAbsolutePath().normalize();

    private static final Pattern MODULE = Pattern.compile("<module>([a-z-]+)</module>");
    private static final Pattern CLASSES_OF = Pattern.compile("/([a-z-]+)/target/classes/");

    /** Modules that hold tests or measurements of others: no rule of the program binds them. */
    private static final List<String> ABOUT_OTHERS =
            List.of("testkit", "sim", "fuzz", "process-tests", "bench", "architecture");

    private Tree() {}

    static List<String> modules() {
        List<String> modules = new ArrayList<>();
        Matcher matcher = MODULE.matcher(text(ROOT.resolve("pom.xml")));
        while (matcher.find()) {
            modules.add(matcher.group(1));
        }
        return modules;
    }

    /** The modules of the program itself. */
    static List<String> programModules() {
        return modules().stream().filter(name -> !ABOUT_OTHERS.contains(name)).toList();
    }

    /** The classes of the program, generated ones included. */
    static JavaClasses classes() {
        return Classes.ALL;
    }

    /** The module that a class was compiled in. */
    static String moduleOf(JavaClass type) {
        String uri = type.getSource().orElseThrow().getUri().toString();
        Matcher matcher = CLASSES_OF.matcher(uri);
        if (!matcher.find()) {
            throw new IllegalStateException(type.getName() + " comes from no module: " + uri);
        }
        return matcher.group(1);
    }

    /** The written sources of the program. */
    static List<Path> mainSources() {
        return sourcesBelow("src/main/java", programModules());
    }

    /** The written tests of all modules. */
    static List<Path> testSources() {
        return sourcesBelow("src/test/java", modules());
    }

    static String relative(Path file) {
        return ROOT.relativize(file).toString();
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Path> filesBelow(Path directory) {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> sourcesBelow(String place, List<String> modules) {
        List<Path> sources = new ArrayList<>();
        for (String module : modules) {
            for (Path file : filesBelow(ROOT.resolve(module).resolve(place))) {
                if (file.toString().endsWith(".java")) {
                    sources.add(file);
                }
            }
        }
        return sources;
    }

    /** Read once, by the first test that asks. */
    private static final class Classes {
        static final JavaClasses ALL = new ClassFileImporter()
                .importPaths(programModules().stream()
                        .map(name -> ROOT.resolve(name).resolve("target/classes"))
                        .filter(Files::isDirectory)
                        .toList());
    }
}
