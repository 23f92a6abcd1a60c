package io.cleat.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * A path that may hang, as a volume does whose file server is gone, is asked by a path worker: a
 * call on it in the agent's own process holds up one of the few threads that carry all others. So
 * each class of a node that touches files by itself is named here, with what it touches.
 */
final class HungPathsTest {
    private static final List<String> MODULES = List.of("agent", "driver");

    private static final Pattern TOUCHES =
            Pattern.compile(
                    "\\b(Durable)?Files\\.[a-z]|\\bFileChannel\\.|\\bFileStore\\b|\\bRandomAccessFile\\("
                            + "|\\.toRealPath\\(|\\.toFile\\(\\)");

    private static final String OWN = "files that only the agent writes, in its data directory";
    private static final String SYSTEM = "the machine's own files";
    private static final String FRESH =
            "directories of a task in one that is the agent's, on which nothing is mounted";

    private static final Map<String, String> MAY =
            Map.ofEntries(
                    Map.entry("agent/Machine", SYSTEM),
                    Map.entry("agent/MachineMarks", SYSTEM),
                    Map.entry("agent/NodeIdentity", OWN),
                    Map.entry("agent/alloc/AllocationDirectory", FRESH),
                    Map.entry("agent/alloc/AllocationStore", OWN),
                    Map.entry("agent/artifact/ConfinedArtifacts", OWN),
                    Map.entry("agent/plugins/ControlDirectory", OWN),
                    Map.entry("agent/plugins/PluginRegistry", OWN),
                    Map.entry("agent/report/LastObeyed", OWN),
                    Map.entry("agent/task/TaskDirectory", FRESH),
                    Map.entry("agent/volumes/JournalFile", OWN),
                    Map.entry("agent/volumes/VolumeRoot", "the volume root, before it is used"),
                    Map.entry("driver/exec/Containers", OWN),
                    Map.entry("driver/exec/InitProgram", OWN),
                    Map.entry("driver/exec/OciSpec", SYSTEM),
                    Map.entry("driver/exec/RuntimeProbe", SYSTEM),
                    Map.entry("driver/exec/SystemFiles", SYSTEM),
                    Map.entry("driver/rawexec/RawExecDriver", SYSTEM),
                    Map.entry("driver/shim/NumberedUsers", SYSTEM),
                    Map.entry("driver/shim/ProcessLimits", SYSTEM),
                    Map.entry("driver/shim/ShimTasks", OWN),
                    Map.entry("driver/shim/Users", SYSTEM));

    @Test
    void theAgentsProcessTouchesFilesOnlyWhereItIsListed() {
        Map<String, Integer> found = new TreeMap<>();
        for (Path file : Tree.mainSources()) {
            String name = Tree.relative(file);
            if (MODULES.contains(name.substring(0, name.indexOf('/')))) {
                int count =
                        SourceText.linesWith(TOUCHES, SourceText.codeOf(Tree.text(file))).size();
                if (count > 0) {
                    found.put(
                            name.replace(".java", "").replaceFirst("^([a-z-]+)/.*/io/cleat/", ""),
                            count);
                }
            }
        }
        assertEquals(new TreeSet<>(MAY.keySet()), new TreeSet<>(found.keySet()), found.toString());
    }

    @Test
    void thePatternSeesACallOnAPath_andNoneOnAWorkersPort() {
        Set<String> seen = new TreeSet<>();
        for (String line :
                List.of(
                        "Files.isDirectory(source)",
                        "DurableFiles.makeDirectory(control)",
                        "path.toRealPath()",
                        "new RandomAccessFile(file, mode)",
                        "paths.stat(place, deadline)",
                        "LocalFiles.open(place)")) {
            if (TOUCHES.matcher(SourceText.codeOf(line)).find()) {
                seen.add(line);
            }
        }
        assertEquals(
                Set.of(
                        "Files.isDirectory(source)",
                        "DurableFiles.makeDirectory(control)",
                        "path.toRealPath()",
                        "new RandomAccessFile(file, mode)"),
                seen);
    }
}
