package io.cleat.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How the sources are laid out and introduced. */
final class SourcesTest {
    private static final List<String> FOUR_LINES = List.of("Receives:", "Hands on:", "Runs on:", "If it fails:");

    /** Above this a class is more than one; the aim is a hundred. */
    private static final int MOST_LINES = 600;

    private static final int MANY_LINES = 400;

    @Test
    void everyPackageSaysWhatItReceivesHandsOnRunsOnAndWhatIfItFails() {
        Set<String> wrong = new TreeSet<>();
        for (Path directory : packagesOf(Tree.mainSources())) {
            Path file = directory.resolve("package-info.java");
            String text = Files.exists(file) ? joined(Tree.text(file)) : "";
            for (String line : FOUR_LINES) {
                if (!text.contains(line)) {
                    wrong.add(Tree.relative(file) + " lacks '" + line + "'");
                }
            }
        }
        assertEquals(Set.of(), wrong);
    }

    @Test
    void everyPackageIsNullMarked() {
        Set<String> wrong = new TreeSet<>();
        for (Path directory : packagesOf(Stream.concat(Tree.mainSources().stream(), Tree.testSources().stream())
                .toList())) {
            Path file = directory.resolve("package-info.java");
            if (!Files.exists(file)) {
                wrong.add(Tree.relative(file) + " is missing");
            } else if (!Tree.text(file).contains("@NullMarked")) {
                wrong.add(Tree.relative(file) + " lacks @NullMarked");
            }
        }
        assertEquals(Set.of(), wrong);
    }

    @Test
    void noClassFileGrowsBeyondReading() {
        Set<String> wrong = new TreeSet<>();
        for (Path file : Tree.mainSources()) {
            long lines = Tree.text(file).lines().count();
            if (lines > MOST_LINES) {
                wrong.add(Tree.relative(file) + " has " + lines + " lines, at most " + MOST_LINES);
            } else if (lines > MANY_LINES) {
                System.out.println("long: " + Tree.relative(file) + " has " + lines + " lines");
            }
        }
        assertEquals(Set.of(), wrong);
    }

    @Test
    void sourcesNameNoMachineNoRegistryAndNoPageThatReadersLack() {
        // Written in halves, or this file would name them.
        List<String> banned = List.of(
                "/wo" + "rk/", "bash" + "_jobs", "repo.maven" + ".apache.org", "../sha" + "red", "facts, tr" + "ap");
        Set<String> wrong = new TreeSet<>();
        for (Path file : Stream.concat(Tree.mainSources().stream(), Tree.testSources().stream())
                .toList()) {
            String text = Tree.text(file);
            for (String word : banned) {
                if (text.contains(word)) {
                    wrong.add(Tree.relative(file) + " contains " + word);
                }
            }
        }
        assertEquals(Set.of(), wrong);
    }

    private static Set<Path> packagesOf(List<Path> sources) {
        Set<Path> packages = new TreeSet<>();
        sources.forEach(source -> packages.add(source.getParent()));
        return packages;
    }

    /** The comment as one line, so that a break between two words hides nothing. */
    private static String joined(String comment) {
        return comment.replaceAll("\\s*\\n\\s*\\*?\\s*", " ");
    }
}
