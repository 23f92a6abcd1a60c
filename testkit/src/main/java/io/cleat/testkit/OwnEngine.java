package io.cleat.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A container engine of the tests' own: Podman with its images, containers and settings in one directory, so that
 * nothing of the machine's is touched.
 */
public final class OwnEngine {
    private static final List<Path> PLACES =
            Stream.of("/usr/bin", "/usr/local/bin", "/bin").map(Path::of).toList();

    private static final String SETTINGS = """
            [containers]
            # Not the machine's most, which a sandbox may refuse.
            default_ulimits = ["nofile=20000:20000", "nproc=10000:10000"]
            [engine]
            runtime = "runc"
            cgroup_manager = "cgroupfs"
            events_logger = "file"
            """;

    private final Path program;
    private final Path directory;
    private final Process service;

    private OwnEngine(Path program, Path directory) throws IOException {
        this.program = program;
        this.directory = directory;
        Files.writeString(directory.resolve("containers.conf"), SETTINGS);
        Files.writeString(directory.resolve("storage.conf"), """
                [storage]
                driver = "overlay"
                graphroot = "%1$s/root"
                runroot = "%1$s/run"
                """.formatted(directory));
        this.service = started("system", "service", "-t", "0", "unix://" + socket());
    }

    /** Starts one, where Podman is; it may not answer yet. */
    static Optional<OwnEngine> in(Path directory) throws IOException {
        Optional<Path> program = PLACES.stream()
                .map(place -> place.resolve("podman"))
                .filter(Files::isExecutable)
                .findFirst();
        return program.isEmpty() ? Optional.empty() : Optional.of(new OwnEngine(program.get(), directory));
    }

    private Process started(String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("engine.log").toFile()));
        builder.environment()
                .putAll(Map.of(
                        "CONTAINERS_CONF", directory + "/containers.conf",
                        "CONTAINERS_STORAGE_CONF", directory + "/storage.conf",
                        "TMPDIR", directory.toString()));
        return builder.start();
    }

    Path socket() {
        return directory.resolve("engine.sock");
    }

    boolean isAlive() {
        return service.isAlive();
    }

    String words() throws IOException {
        return Files.readString(directory.resolve("engine.log")).strip();
    }

    /** Ends it, with every container of its own; its directory can be deleted then. */
    void close() throws IOException, InterruptedException {
        service.destroy();
        service.waitFor();
        finished("rm", "--all", "--force", "--time", "0");
        // The keeper of a command in a container stays for five minutes after its end.
        ProcessHandle.allProcesses()
                .filter(each -> commandLine(each).contains(directory.toString()))
                .forEach(ProcessHandle::destroyForcibly);
        Files.deleteIfExists(socket());
        Process unmounting = new ProcessBuilder(
                        "umount", directory.resolve("root/overlay").toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        unmounting.waitFor();
    }

    private static String commandLine(ProcessHandle process) {
        return String.join(" ", process.info().arguments().orElse(new String[0]));
    }

    private void finished(String... words) throws IOException, InterruptedException {
        Process process = started(words);
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException("the engine did not end its containers: " + words());
        }
    }
}
