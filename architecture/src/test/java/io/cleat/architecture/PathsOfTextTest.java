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
 * What a node is told becomes a path in few places only: through {@code TextPath}, {@code Place}, or in a class that is
 * named here with its reason.
 */
final class PathsOfTextTest {
    private static final List<String> MODULES = List.of("agent", "driver", "node-api");

    /** A path made of anything but one literal or constant; of code without its literals. */
    private static final Pattern MADE_OF_TEXT =
            Pattern.compile("\\bPath(\\.of\\((?!\\))|::of)|\\.resolve\\((?!\\)|[A-Z_]+\\))");

    private static final String OWN = "read back from a file that only the agent writes";
    private static final String KERNEL = "what the kernel says of its own mounts";
    private static final String ENCODED = "the name is encoded, or checked in the line before";
    private static final String DOCKER = "named by ContainerNames, or encoded";
    private static final String FIXED = "words of the program, or of its environment";

    private static final Map<String, String> MAY = Map.ofEntries(
            Map.entry("agent/volumes/Staging", OWN),
            Map.entry("agent/volumes/Use", OWN),
            Map.entry("agent/alloc/HostDirectories", "what the node's operator has named"),
            Map.entry("agent/host/HostVolumes", "checked in the next lines, and then a Place"),
            Map.entry("agent/host/MkdirPlugin", ENCODED),
            Map.entry("agent/host/PluginFiles", FIXED),
            Map.entry("agent/volumes/VolumeRecord", OWN),
            Map.entry("agent/plugins/LivePlugins", OWN),
            Map.entry("agent/plugins/CurrentNodePlugins", OWN),
            Map.entry("agent/volumes/Sweeper", KERNEL),
            Map.entry("agent/volumes/SurplusMounts", KERNEL),
            Map.entry("agent/plugins/ControlDirectory", KERNEL),
            Map.entry("agent/plugins/PluginSupervisor", OWN),
            Map.entry("agent/volumes/Unmounting", KERNEL),
            Map.entry("agent/volumes/UnrecordedMounts", KERNEL),
            Map.entry("agent/task/BoundVolumes", KERNEL),
            Map.entry("agent/task/HeldVolumes", KERNEL),
            Map.entry("agent/volumes/Directories", "names of a path that is a path already"),
            Map.entry("agent/volumes/VolumePaths", ENCODED),
            Map.entry("agent/plugins/PluginPaths", ENCODED),
            Map.entry("agent/alloc/AllocationDirectory", ENCODED),
            Map.entry("agent/alloc/AllocationStore", ENCODED),
            Map.entry("agent/artifact/ConfinedArtifacts", "an id of our own, and a Place"),
            Map.entry("agent/Machine", FIXED),
            Map.entry("agent/MachineMarks", FIXED),
            Map.entry("agent/NodeNetworks", "an interface of the kernel, below /sys"),
            Map.entry("agent/network/CniPlugins", "the name is checked by CniNetwork"),
            Map.entry("agent/network/NetworkNamespaces", ENCODED),
            Map.entry("agent/network/NetworkStore", ENCODED),
            Map.entry("agent/network/SystemPrograms", FIXED),
            Map.entry("driver/HostRoot", FIXED),
            Map.entry("driver/docker/LogCopies", DOCKER),
            Map.entry("driver/docker/LogCopy", DOCKER),
            Map.entry("driver/docker/LogFiles", "a task's name, which is one of a path"),
            Map.entry("driver/docker/HeldNetworks", DOCKER),
            Map.entry("driver/docker/HostFiles", DOCKER),
            Map.entry("driver/docker/Marks", DOCKER),
            Map.entry("driver/docker/StrayCommands", "a number"),
            Map.entry("driver/exec/ExecDriver", FIXED),
            Map.entry("driver/exec/ImageRoots", "named by ShimTasks.directoryName"),
            Map.entry("driver/exec/SystemFiles", FIXED),
            Map.entry("driver/exec/RuntimeProbe", FIXED),
            Map.entry("driver/exec/Containers", "named by ShimTasks.directoryName"),
            Map.entry("driver/shim/ShimTasks", ENCODED),
            Map.entry("nodeapi/HostUse", FIXED));

    @Test
    void textsBecomePathsOnlyWhereItIsListed() {
        Map<String, Integer> found = new TreeMap<>();
        for (Path file : Tree.mainSources()) {
            String name = Tree.relative(file);
            if (MODULES.contains(name.substring(0, name.indexOf('/')))) {
                int count = SourceText.linesWith(MADE_OF_TEXT, SourceText.codeOf(Tree.text(file)))
                        .size();
                if (count > 0) {
                    found.put(shortName(name), count);
                }
            }
        }
        assertEquals(new TreeSet<>(MAY.keySet()), new TreeSet<>(found.keySet()), found.toString());
    }

    @Test
    void thePatternSeesAPathOfAVariable_andNoneOfALiteral() {
        Set<String> seen = new TreeSet<>();
        for (String line : List.of(
                "Path.of(command)",
                "root.resolve(task)",
                "map(Path::of)",
                "Path.of(\"/etc\", name)",
                "Path.of(\"/etc\")",
                "root.resolve(\"local\")",
                "root.resolve(VolumePaths.PER_ALLOC)",
                "TextPath.of(command)")) {
            if (MADE_OF_TEXT.matcher(SourceText.codeOf(line)).find()) {
                seen.add(line);
            }
        }
        assertEquals(
                Set.of(
                        "Path.of(command)",
                        "root.resolve(task)",
                        "map(Path::of)",
                        "Path.of(\"/etc\", name)",
                        "root.resolve(VolumePaths.PER_ALLOC)"),
                seen);
    }

    private static String shortName(String file) {
        return file.replace(".java", "").replaceFirst("^([a-z-]+)/.*/io/cleat/", "");
    }
}
