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
 * A path that may hang, as a volume does whose file server is gone, is asked by a path worker: a call on it in the
 * agent's own process holds up one of the few threads that carry all others. So each class of a node that touches files
 * by itself is named here, with what it touches.
 */
final class HungPathsTest {
    /** What an agent's process is made of; {@code local-plugin} and {@code cli} are others. */
    private static final List<String> MODULES = List.of(
            "agent",
            "artifact",
            "cluster-api",
            "csi",
            "driver",
            "driver-plugin",
            "exchange",
            "http",
            "image",
            "kernel",
            "launch",
            "node-api",
            "template",
            "wire");

    private static final Pattern TOUCHES =
            Pattern.compile("\\b(Durable)?Files\\.[a-z]|\\bFileChannel\\.|\\bFileStore\\b|\\bRandomAccessFile\\("
                    + "|\\.toRealPath\\(|\\.toFile\\(\\)|\\bnew File(In|Out)putStream\\("
                    + "|SocketChannel\\.open\\(|\\bUnixDomainSocketAddress\\.of\\("
                    + "|\\bRedirect\\.[a-z]");

    private static final String OWN = "files that only the agent writes, in its data directory";
    private static final String SYSTEM = "the machine's own files";
    private static final String FRESH = "directories of a task in one that is the agent's, on which nothing is mounted";
    private static final String FETCH = "the process that fetches, which is no agent: confined";
    private static final String UNPACK = "the process that unpacks images, which is no agent: confined";
    private static final String COMMAND = "a command that a person calls, which is no agent: the file that it names";
    private static final String HANDLE = "by a handle that was looked at, below a trusted root";
    private static final String SHIM = "directories of shims, which are 0700";

    private static final Map<String, String> MAY = Map.ofEntries(
            Map.entry("agent/Machine", SYSTEM),
            Map.entry("agent/MachineMarks", SYSTEM),
            Map.entry("agent/NodeIdentity", OWN),
            Map.entry("agent/NodeMeta", OWN),
            Map.entry("agent/NodeNetworks", SYSTEM),
            Map.entry("agent/host/MadeVolumes", OWN),
            Map.entry("agent/alloc/AllocationDirectory", FRESH),
            Map.entry("agent/alloc/AllocationStore", OWN),
            Map.entry("agent/artifact/ConfinedArtifacts", OWN),
            Map.entry("agent/network/CniNetworks", SYSTEM),
            Map.entry("agent/network/CniPlugins", SYSTEM),
            Map.entry("agent/network/NetworkNamespaces", SYSTEM),
            Map.entry("agent/network/NetworkStore", OWN),
            Map.entry("agent/network/SystemPrograms", SYSTEM),
            Map.entry("agent/plugins/ControlDirectory", OWN),
            Map.entry("agent/plugins/PluginRegistry", OWN),
            Map.entry("agent/report/LastObeyed", OWN),
            Map.entry("agent/task/TaskDirectory", FRESH),
            Map.entry("agent/volumes/JournalFile", OWN),
            Map.entry("agent/volumes/VolumeRoot", "the volume root, before it is used"),
            Map.entry("artifact/Checking", FETCH),
            Map.entry("artifact/FetchMain", FETCH),
            Map.entry("artifact/ConfinedJava", "the agent's own classes and Java, and a fresh directory"),
            Map.entry("artifact/Fetching", FETCH),
            Map.entry("artifact/FreshTree", FETCH),
            Map.entry("artifact/GitFetch", FETCH),
            Map.entry("artifact/HttpDownload", FETCH),
            Map.entry("artifact/LocalFiles", FETCH),
            Map.entry("artifact/Rehearsal", FETCH),
            Map.entry("artifact/SshProgram", FETCH),
            Map.entry("artifact/Unpacking", FETCH),
            Map.entry("artifact/ZipReading", FETCH),
            Map.entry("csi/SocketConnectHandler", "a plugin's socket: " + HANDLE),
            Map.entry("csi/UnixTransport", "a name that is not connected to: the socket is a handle"),
            Map.entry("driver/HostRoot", SYSTEM),
            Map.entry("driver/OwnFiles", OWN),
            Map.entry("driver/docker/EngineHealth", "whether the engine's socket is there"),
            Map.entry("driver/docker/EngineSocket", "the engine's socket, with a limit"),
            Map.entry("driver/docker/HeldNetworks", OWN),
            Map.entry("driver/docker/HostFiles", OWN),
            Map.entry("driver/docker/LogCopies", OWN),
            Map.entry("driver/docker/LogCursor", OWN),
            Map.entry("driver/docker/LogFiles", "of a directory that is root's; on a thread of the kernel of its own"),
            Map.entry("driver/docker/Marks", OWN),
            Map.entry("driver/docker/OneFileImage", "a program of the agent's own"),
            Map.entry("driver/docker/OwnBinds", OWN),
            Map.entry("driver/docker/StrayCommands", SYSTEM),
            Map.entry("driver/exec/Containers", OWN),
            Map.entry("driver/exec/ImageRoots", OWN),
            Map.entry("driver/exec/InitProgram", OWN),
            Map.entry("driver/exec/OciSpec", SYSTEM),
            Map.entry("driver/exec/RuntimeProbe", SYSTEM),
            Map.entry("driver/exec/SystemFiles", SYSTEM),
            Map.entry("driver/rawexec/RawExecDriver", SYSTEM),
            Map.entry("driver/registry/RegistryLogins", SYSTEM),
            Map.entry("driver/shim/LivingTasks", OWN),
            Map.entry("driver/shim/NumberedUsers", SYSTEM),
            Map.entry("driver/shim/ProcessLimits", SYSTEM),
            Map.entry("driver/shim/Users", SYSTEM),
            Map.entry("driverplugin/DriverSupervisor", OWN),
            Map.entry("driverplugin/FollowedOutput", OWN),
            Map.entry("driverplugin/KnownPlugin", OWN),
            Map.entry("driverplugin/PluginChannel", "a driver plugin's socket, which runs as the agent's user"),
            Map.entry("driverplugin/PluginProcess", OWN),
            Map.entry("driverplugin/TaskRecords", OWN),
            Map.entry("driverplugin/TaskStarts", OWN),
            Map.entry("exchange/TimedChannel", "a socket: each step has a limit"),
            Map.entry("http/HttpServer", OWN),
            Map.entry("image/LayerStore", OWN),
            Map.entry("image/LayerTree", UNPACK),
            Map.entry("image/PullMain", UNPACK),
            Map.entry("image/PulledImages", OWN),
            Map.entry("image/RegistryFiles", UNPACK),
            Map.entry("image/UnpackMain", UNPACK),
            Map.entry("kernel/BootId", SYSTEM),
            Map.entry("kernel/DurableFiles", "for its callers, who are listed"),
            Map.entry("kernel/FileCopies", "for the local plugin, which is no agent"),
            Map.entry("kernel/LinuxBlockDevices", SYSTEM),
            Map.entry("kernel/LinuxCgroup", SYSTEM),
            Map.entry("kernel/LinuxCgroups", SYSTEM),
            Map.entry("kernel/LinuxLoopDevices", "for the local plugin, which is no agent"),
            Map.entry("kernel/LinuxProcesses", SYSTEM),
            Map.entry("kernel/LocalFiles", HANDLE),
            Map.entry("kernel/MountTable", SYSTEM),
            Map.entry("kernel/PathWorker", "the workers' own program"),
            Map.entry("kernel/PidFile", OWN),
            Map.entry("kernel/ProgramRule", "programs that an operator names"),
            Map.entry("kernel/ShimLock", SHIM),
            Map.entry("kernel/ShimRun", SHIM),
            Map.entry("kernel/ShimSocket", SHIM),
            Map.entry("kernel/SocketHandle", HANDLE),
            Map.entry("kernel/TemporaryTree", "a fresh directory of the agent's, before it is used"),
            Map.entry("launch/AgentRehearsal", OWN),
            Map.entry("launch/DataDirectory", OWN),
            Map.entry("launch/DevRole", OWN),
            Map.entry("launch/DriverPluginFlags", "what the operator names"),
            Map.entry("launch/DriverTrial", COMMAND),
            Map.entry("launch/DriverTryRole", COMMAND),
            Map.entry("launch/DriverVerifyRole", COMMAND),
            Map.entry("launch/Foreground", "what whoever starts it names"),
            Map.entry("launch/LocalPluginJob", SYSTEM),
            Map.entry("launch/Rehearsal", OWN),
            Map.entry("launch/ReturnToWork", OWN),
            Map.entry("launch/ServedToken", OWN),
            Map.entry("launch/ShutdownDrain", OWN),
            Map.entry("launch/SnapshotRole", COMMAND),
            Map.entry("launch/Starts", OWN),
            Map.entry("launch/ThreadDump", OWN),
            Map.entry("launch/WorkNotes", OWN),
            Map.entry("nodeapi/HostUse", SYSTEM),
            Map.entry("clusterapi/operator/SavedFile", COMMAND),
            Map.entry("wire/GrpcConnector", OWN),
            Map.entry("wire/GrpcSessions", OWN));

    @Test
    void theAgentsProcessTouchesFilesOnlyWhereItIsListed() {
        Map<String, Integer> found = new TreeMap<>();
        for (Path file : Tree.mainSources()) {
            String name = Tree.relative(file);
            if (MODULES.contains(name.substring(0, name.indexOf('/')))) {
                int count = SourceText.linesWith(TOUCHES, SourceText.codeOf(Tree.text(file)))
                        .size();
                String type = name.replace(".java", "").replaceFirst("^([a-z-]+)/.*/io/cleat/", "");
                if (count > 0) {
                    found.put(type, count);
                }
            }
        }
        assertEquals(new TreeSet<>(MAY.keySet()), new TreeSet<>(found.keySet()), found.toString());
    }

    @Test
    void thePatternSeesACallOnAPath_andNoneOnAWorkersPort() {
        Set<String> seen = new TreeSet<>();
        for (String line : List.of(
                "Files.isDirectory(source)",
                "DurableFiles.makeDirectory(control)",
                "path.toRealPath()",
                "new RandomAccessFile(file, mode)",
                "new FileInputStream(file)",
                "new FileOutputStream(file)",
                "SocketChannel.open(address)",
                "UnixDomainSocketAddress.of(socket)",
                "builder.redirectOutput(Redirect.appendTo(file))",
                "HttpClient.Redirect.NEVER",
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
                        "new RandomAccessFile(file, mode)",
                        "new FileInputStream(file)",
                        "new FileOutputStream(file)",
                        "SocketChannel.open(address)",
                        "UnixDomainSocketAddress.of(socket)",
                        "builder.redirectOutput(Redirect.appendTo(file))"),
                seen);
    }
}
