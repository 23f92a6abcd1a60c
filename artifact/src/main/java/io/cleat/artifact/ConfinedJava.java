package io.cleat.artifact;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A part of this program that is run in a process of its own, because of what it reads: with a heap of its own, and
 * kept in by a {@link Confinement}.
 *
 * @param main has a {@code main} method without arguments
 * @param heapMb the most memory for its objects, in MiB; at its end it exits with code 3
 * @param options further ones of the virtual machine
 */
public record ConfinedJava(Class<?> main, int heapMb, List<String> options) {
    /** Its exit code where it was told to end at the end of its memory. */
    public static final int OUT_OF_MEMORY = 3;

    /** The exit code where what keeps it in could not be. */
    public static final int UNCONFINED = 2;

    /** The ahead-of-time cache that the launcher's build lays beside our jars, for these very flags. */
    private static final String QUICK_START = "confined.aot";

    /** What it gets to know of the agent's own environment. */
    private static final Set<String> KEPT = Set.of(
            "PATH",
            "TZ",
            "JAVA_TOOL_OPTIONS",
            "http_proxy",
            "https_proxy",
            "no_proxy",
            "HTTP_PROXY",
            "HTTPS_PROXY",
            "NO_PROXY");

    public ConfinedJava {
        options = List.copyOf(options);
    }

    /**
     * Starts it. It ends when its input does.
     *
     * @param confinement what keeps it in; empty if nothing does
     * @param directory an empty one that no task sees; it becomes the confined process's
     * @param largest bytes that one file may have
     * @param readable what it is to see of the machine, beside the system's programs
     */
    public Process start(Optional<Confinement> confinement, Path directory, long largest, List<Path> readable)
            throws IOException {
        Path java = Path.of(System.getProperty("java.home")).toRealPath();
        List<Path> classes = classPath();
        List<String> command = new ArrayList<>(List.of(
                java.resolve("bin/java").toString(),
                "-Xmx" + heapMb + "m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-XX:-UsePerfData",
                "-XX:+DisableAttachMechanism",
                "-XX:+ExitOnOutOfMemoryError",
                "--sun-misc-unsafe-memory-access=allow",
                "-Djava.io.tmpdir=" + directory));
        command.addAll(options);
        Path quickStart = classes.getFirst().resolveSibling(QUICK_START);
        boolean isQuick = Files.isRegularFile(quickStart);
        if (isQuick) {
            command.addAll(
                    List.of("-XX:AOTCache=" + quickStart, "-Xlog:disable", "-Xlog:all=error,aot*=off,cds*=off:stderr"));
        }
        command.add("-cp");
        command.add(classes.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
        command.add(main.getName());
        List<String> confined = command;
        if (confinement.isPresent()) {
            List<Path> shown = new ArrayList<>(classes);
            shown.add(java);
            if (isQuick) {
                shown.add(quickStart);
            }
            shown.addAll(readable);
            confined = confinement.get().command(directory, largest, shown, command);
        }
        ProcessBuilder builder = new ProcessBuilder(confined).directory(directory.toFile());
        Map<String, String> environment = builder.environment();
        environment.keySet().retainAll(KEPT);
        // Names of files are what they are, wherever the agent was started.
        environment.put("LC_ALL", "C.UTF-8");
        environment.put("HOME", directory.toString());
        return builder.start();
    }

    /** Our own, seen from anywhere; what is not there is left out. */
    private static List<Path> classPath() throws IOException {
        List<Path> entries = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (!entry.isEmpty() && Files.exists(Path.of(entry))) {
                entries.add(Path.of(entry).toRealPath());
            }
        }
        return entries;
    }
}
