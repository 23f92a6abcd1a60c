package io.cleat.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.artifact.AddressRange;
import io.cleat.base.Deadline;
import io.cleat.base.Ids;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.exec.ExecDriver;
import io.cleat.driver.exec.ExecSettings;
import io.cleat.driver.exec.TaskImages;
import io.cleat.image.ImageStore;
import io.cleat.image.StoreSettings;
import io.cleat.kernel.Cgroups;
import io.cleat.kernel.Mount;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.Mounts;
import io.cleat.kernel.PathWorkers;
import io.cleat.kernel.Processes;
import io.cleat.model.DriverFacts;
import io.cleat.model.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A place to run containers at, and the proof that nothing of them is left: no mount, no control group in any
 * hierarchy, no process of ours, no directory.
 */
final class ExecGround {
    static final Threads THREADS = Threads.virtual((thread, fault) -> System.err.println(thread + ": " + fault));

    private final SystemTime time = new SystemTime();
    private final Processes processes = Processes.linux();
    private final Path root;
    private final Path shim;
    private final String parent;
    private final Cgroups cgroups;
    private final PathWorkers workers;
    private final MountTable before;
    private final AtomicInteger told = new AtomicInteger();
    private TaskImages images;
    private ExecDriver driver;

    ExecGround(Path root, ExecSettings settings, List<Path> path) throws Exception {
        this(root, settings, path, ShimProgram.built());
    }

    /** With another program in the shim's place. */
    ExecGround(Path root, ExecSettings settings, List<Path> path, Path shim) throws Exception {
        this(root, settings, path, shim, Optional.empty());
    }

    /**
     * With images.
     *
     * @param shared those of others; empty for a store of its own
     */
    ExecGround(Path root, ExecSettings settings, List<Path> path, Path shim, Optional<TaskImages> shared)
            throws Exception {
        Assumptions.assumeTrue("root".equals(System.getProperty("user.name")), "reason: containers need root");
        this.root = root.toRealPath();
        this.shim = shim;
        this.parent = "cleat-test-" + ProcessHandle.current().pid() + "-" + System.nanoTime();
        this.cgroups = Cgroups.linux(parent, time);
        LeakCheck.noteGroup(parent);
        this.workers = new PathWorkers(ShimProgram.built(), THREADS, time);
        this.images = shared.isPresent() ? shared.get() : images(this.root.resolve("images"), workers);
        this.before = MountTable.readTwice();
        for (String directory : List.of("alloc", "logs", "task", "task/local", "task/tmp")) {
            open(directory);
        }
        open("task/secrets");
        this.driver = make(settings, path);
        DriverFacts facts = driver.fingerprint();
        if (!facts.healthy()) {
            end();
        }
        Assumptions.assumeTrue(facts.healthy(), "reason: " + facts.healthDescription());
    }

    /** The runtimes of this machine. */
    static List<Path> usualPath() {
        return ExecDriver.pathOfThisProcess();
    }

    /** The runtime to call for those who stand between. */
    static Path runtime() {
        return usualPath().stream()
                .map(directory -> directory.resolve("runc"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(Path.of("/usr/bin/crun"));
    }

    static ImageStore images(Path directory, PathWorkers workers) throws Exception {
        return new ImageStore(
                directory,
                StoreSettings.standard()
                        .allowing(List.of(AddressRange.parse("127.0.0.0/8").orElseThrow())),
                ShimProgram.built(),
                workers,
                THREADS,
                new SystemTime(),
                Ids.random());
    }

    /** As of a later agent. */
    void makeStore() throws Exception {
        images = images(root.resolve("images"), workers);
    }

    private void open(String directory) throws IOException {
        Path path = Files.createDirectories(root.resolve(directory));
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    /** As if the agent had been killed and started again. */
    ExecDriver make(ExecSettings settings, List<Path> path) {
        driver = new ExecDriver(
                settings,
                new ExecDriver.Parts(
                        shim,
                        root.resolve("exec"),
                        path,
                        cgroups,
                        processes,
                        Mounts.linux(),
                        workers,
                        THREADS,
                        time,
                        Optional.of(images),
                        told::incrementAndGet));
        return driver;
    }

    ExecDriver driver() {
        return driver;
    }

    Path root() {
        return root;
    }

    Cgroups cgroups() {
        return cgroups;
    }

    /** The name of the group that all groups are below. */
    String parent() {
        return parent;
    }

    TaskConfig config(
            String id, Map<String, Object> block, String user, Resources resources, List<TaskConfig.TaskMount> mounts) {
        return config(root, id, block, user, resources, mounts);
    }

    /** As in the ground whose root that is. */
    static TaskConfig config(
            Path root,
            String id,
            Map<String, Object> block,
            String user,
            Resources resources,
            List<TaskConfig.TaskMount> mounts) {
        return new TaskConfig(
                id,
                "alloc",
                "web",
                block,
                Map.of("GREETING", "hello\nworld"),
                user,
                resources,
                root.resolve("alloc"),
                root.resolve("task"),
                mounts,
                new TaskConfig.Logs(root.resolve("logs"), 3, 1 << 20, false));
    }

    /** How often it was said that the fingerprint may be another one. */
    int told() {
        return told.get();
    }

    String output(String stream) throws IOException {
        return KeptOutput.of(root, stream);
    }

    /** Everything is gone; what is not is said, then removed. */
    void end() throws Exception {
        driver.fingerprint();
        List<String> groups = cgroups.names();
        for (String name : groups) {
            Cgroups.Group group = cgroups.group(name);
            group.killAll(Deadline.in(time, Duration.ofSeconds(10)));
            group.remove(Deadline.in(time, Duration.ofSeconds(10)));
        }
        workers.close();
        assertTrue(cgroups.removeParent());
        assertTrue(groups.isEmpty() || groups.equals(List.of("shims")), groups.toString());
        // Listed one level deep: below it the groups of others come and go.
        try (Stream<Path> all = Files.list(Path.of("/sys/fs/cgroup"))) {
            assertEquals(
                    List.of(),
                    all.filter(path -> path.endsWith(parent) || Files.exists(path.resolve(parent)))
                            .toList());
        }
        for (String directory : List.of("exec/shims", "exec/containers")) {
            if (Files.isDirectory(root.resolve(directory))) {
                try (Stream<Path> left = Files.list(root.resolve(directory))) {
                    assertEquals(List.of(), left.toList());
                }
            }
        }
        List<Mount> left = MountTable.readTwice().mounts().stream()
                .filter(mount -> mount.target().startsWith(root.toString()))
                .filter(mount -> !before.mounts().contains(mount))
                .sorted(Comparator.comparing(Mount::target).reversed())
                .toList();
        for (Mount mount : left) {
            Mounts.linux().detach(Path.of(mount.target()));
        }
        assertEquals(List.of(), left);
    }
}
