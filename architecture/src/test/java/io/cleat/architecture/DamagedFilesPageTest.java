package io.cleat.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * docs/damaged-files.md links each class of an agent and its server that writes a file, and no other: a file that
 * nobody thought of is one whose loss nobody knows.
 */
final class DamagedFilesPageTest {
    /** Of the bundled plugin's files, and of what is fetched for a task, others speak. */
    private static final Set<String> MODULES =
            Set.of("agent", "driver", "driver-plugin", "kernel", "launch", "log", "server");

    private static final Pattern WRITING = Pattern.compile("DurableFiles\\s*\\.write\\("
            + "|Files\\s*\\.(write|writeString|newOutputStream|newBufferedWriter|copy"
            + "|move|createFile)\\("
            + "|StandardOpenOption\\.(WRITE|CREATE|CREATE_NEW|APPEND)"
            + "|new (RandomAccessFile|FileOutputStream|FileWriter)\\(");

    private static final Pattern ROW_LINK = Pattern.compile("]\\(\\.\\./([^)]+\\.java)\\)");

    /** What writes and keeps nothing of its own. */
    private static final Map<String, String> NOT_ITS_OWN = Map.of(
            "kernel/src/main/java/io/cleat/kernel/DurableFiles.java",
            "what the writers write with",
            "kernel/src/main/java/io/cleat/kernel/FileCopies.java",
            "what the writers copy with",
            "driver/src/main/java/io/cleat/driver/OwnFiles.java",
            "what the writers write with",
            "driver/src/main/java/io/cleat/driver/docker/HeldNetworks.java",
            "an empty file, on which a network namespace is mounted",
            "kernel/src/main/java/io/cleat/kernel/LinuxCgroups.java",
            "the kernel's own files",
            "kernel/src/main/java/io/cleat/kernel/LinuxCgroup.java",
            "the kernel's own files",
            "launch/src/main/java/io/cleat/launch/DriverVerifyRole.java",
            "a report that a person asks for, which nothing reads");

    @Test
    void whoWritesAFileIsLinkedFromItsRow() {
        Set<String> writers = new TreeSet<>();
        for (Path file : Tree.mainSources()) {
            String name = Tree.relative(file);
            if (MODULES.contains(name.substring(0, name.indexOf('/')))
                    && !NOT_ITS_OWN.containsKey(name)
                    && writes(Tree.text(file))) {
                writers.add(name);
            }
        }
        assertTrue(writers.size() > 10, "the sources were not read: " + writers);
        assertEquals(writers, linked(Tree.text(Tree.ROOT.resolve("docs/damaged-files.md"))));
    }

    @Test
    void noneIsLeftOutThatWritesNothing() {
        for (String name : NOT_ITS_OWN.keySet()) {
            assertTrue(writes(Tree.text(Tree.ROOT.resolve(name))), name);
        }
    }

    @Test
    void aPlantedWriterIsSeen_andOneThatReadsIsNot() {
        for (String planted : new String[] {
            "DurableFiles.write(file, bytes);",
            "DurableFiles\n    .write(file, bytes);",
            "Files.writeString(file, text);",
            "FileChannel.open(file, StandardOpenOption.CREATE);",
            "try (var out = new FileOutputStream(file)) {",
            "Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);"
        }) {
            assertTrue(writes(planted), planted);
        }
        assertFalse(writes("FileChannel.open(file, StandardOpenOption.READ)"));
        assertFalse(writes("// DurableFiles.write(file, bytes)"));
        assertEquals(Set.of("log/A.java"), linked("| `f` | [server](../log/A.java), once | [x](x.md) |"));
    }

    private static boolean writes(String source) {
        return WRITING.matcher(SourceText.codeOf(source)).find();
    }

    private static Set<String> linked(String page) {
        Set<String> linked = new TreeSet<>();
        Matcher links = ROW_LINK.matcher(page);
        while (links.find()) {
            linked.add(links.group(1));
        }
        return linked;
    }
}
