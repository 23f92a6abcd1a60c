package io.cleat.testkit;

import io.cleat.base.Chance;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.docker.DockerDriver;
import io.cleat.driver.docker.DockerSettings;
import io.cleat.kernel.Mounts;
import io.cleat.kernel.PathWorkers;
import io.cleat.kernel.Processes;
import io.cleat.model.AllocatedPort;
import io.cleat.model.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** A place to run containers at by an engine, real or fake. */
final class DockerGround {
    private static final AtomicInteger NODES = new AtomicInteger();

    private final Time time;
    private final Threads threads = Threads.virtual((thread, fault) -> System.err.println(thread + ": " + fault));
    private final Threads platform = Threads.platform((thread, fault) -> System.err.println(thread + ": " + fault));
    private final String node = "%08x-test-%d"
            .formatted(NODES.incrementAndGet(), ProcessHandle.current().pid());
    private final AtomicInteger told = new AtomicInteger();
    private final Path root;
    private final DockerSettings settings;
    private final Path shim;
    private final PathWorkers workers;
    private DockerDriver driver;

    DockerGround(Path root, DockerSettings settings) throws Exception {
        this(root, settings, new SystemTime());
    }

    /** @param time of the driver alone */
    DockerGround(Path root, DockerSettings settings, Time time) throws Exception {
        this.time = time;
        this.root = root.toRealPath();
        this.settings = settings;
        this.shim = ShimProgram.built();
        this.workers = new PathWorkers(shim, threads, new SystemTime());
        for (String directory : List.of("alloc", "logs", "task", "task/local", "task/secrets")) {
            Path path = Files.createDirectories(this.root.resolve(directory));
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
        }
        this.driver = make();
    }

    /** Of tasks that may do what most tests want, at that socket. */
    static DockerSettings settings(Path socket) {
        return new DockerSettings(
                socket,
                new DockerSettings.Allowed(false, Set.of(), List.of(Path.of("/")), false, false, List.of()),
                Optional.empty(),
                "",
                Duration.ofSeconds(5),
                Optional.of(Duration.ZERO),
                Duration.ZERO);
    }

    /** As if the agent had been killed and started again. */
    DockerDriver make() {
        driver = new DockerDriver(
                settings,
                new DockerDriver.Parts(
                        node,
                        root.resolve("docker"),
                        shim,
                        workers,
                        Mounts.linux(),
                        Processes.linux(),
                        threads,
                        platform,
                        time,
                        Chance.system(),
                        told::incrementAndGet));
        return driver;
    }

    void restart() {
        driver.close();
        make();
    }

    DockerDriver driver() {
        return driver;
    }

    Path root() {
        return root;
    }

    String node() {
        return node;
    }

    int told() {
        return told.get();
    }

    String output(String stream) throws IOException {
        return KeptOutput.of(root, stream);
    }

    TaskConfig config(String id, Map<String, Object> block, Resources resources) {
        return config(id, block, resources, List.of(), false);
    }

    TaskConfig config(
            String id,
            Map<String, Object> block,
            Resources resources,
            List<TaskConfig.TaskMount> mounts,
            boolean withoutLogs) {
        return config(id, block, resources, mounts, List.of(), withoutLogs);
    }

    /** Of an allocation that was given ports. */
    TaskConfig config(
            String id,
            Map<String, Object> block,
            Resources resources,
            List<TaskConfig.TaskMount> mounts,
            List<AllocatedPort> ports,
            boolean withoutLogs) {
        return new TaskConfig(
                id,
                id.substring(0, id.indexOf('/')),
                "web",
                block,
                Map.of("GREETING", "hello\nworld"),
                "",
                false,
                resources,
                root.resolve("alloc"),
                root.resolve("task"),
                mounts,
                List.of(),
                ports,
                new TaskConfig.Logs(root.resolve("logs"), 3, 1 << 20, withoutLogs));
    }

    /** The block of a container that sees the machine's programs. */
    static Map<String, Object> block(String image, String script) {
        List<Map<String, Object>> mounts = new ArrayList<>();
        for (Path path : RealEngine.PROGRAMS) {
            if (Files.isDirectory(path)) {
                mounts.add(
                        Map.of("type", "bind", "source", path.toString(), "target", path.toString(), "readonly", true));
            }
        }
        Map<String, Object> block = new HashMap<>();
        block.put("image", image);
        block.put("command", "/bin/sh");
        block.put("args", List.of("-c", script));
        block.put("mounts", mounts);
        block.put("network_mode", "none");
        return block;
    }

    /** Ends what this process does; containers stay. */
    void end() {
        driver.close();
        workers.close();
    }
}
