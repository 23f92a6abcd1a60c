package io.cleat.bench;

import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Ids;
import io.cleat.base.KernelTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.exec.ExecDriver;
import io.cleat.driver.exec.ExecSettings;
import io.cleat.image.ImageStore;
import io.cleat.image.StoreSettings;
import io.cleat.kernel.Cgroups;
import io.cleat.kernel.Mounts;
import io.cleat.kernel.PathWorkers;
import io.cleat.kernel.Processes;
import io.cleat.model.DriverFacts;
import io.cleat.model.Resources;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The driver {@code exec} with its images as a node has them, in a directory of the measurement's own, and the tasks
 * that it starts.
 */
final class IsolatedTasks implements AutoCloseable {
    private static final Duration WITHIN = Duration.ofSeconds(10);

    private final SystemTime time = new SystemTime();
    private final Path scratch;
    private final Threads threads;
    private final Cgroups cgroups;
    private final PathWorkers workers;
    private final ExecDriver driver;
    private final DriverFacts facts;

    /** @param scratch in which images for tasks lie, too */
    IsolatedTasks(Path scratch) throws Exception {
        this.scratch = scratch.toRealPath();
        this.threads = Threads.virtual((thread, fault) -> System.err.println(thread + ": " + fault));
        this.cgroups = Cgroups.linux("cleat-bench-" + ProcessHandle.current().pid(), time);
        this.workers = new PathWorkers(Launcher.shim(), threads, time);
        this.driver = new ExecDriver(
                ExecSettings.STRICT.withImages(List.of(this.scratch)),
                new ExecDriver.Parts(
                        Launcher.shim(),
                        this.scratch.resolve("exec"),
                        ExecDriver.pathOfThisProcess(),
                        cgroups,
                        Processes.linux(),
                        Mounts.linux(),
                        workers,
                        threads,
                        time,
                        Optional.of(store(this.scratch.resolve("images"))),
                        () -> {}));
        this.facts = driver.fingerprint();
        for (String directory : List.of("alloc", "logs", "task/local", "task/secrets", "task/tmp")) {
            Files.createDirectories(this.scratch.resolve(directory));
        }
    }

    ExecDriver driver() {
        return driver;
    }

    /** Another store of images, in a directory that is not there yet. */
    ImageStore store(Path root) throws DiskTrouble {
        return new ImageStore(root, StoreSettings.standard(), Launcher.shim(), workers, threads, time, Ids.random());
    }

    Threads threads() {
        return threads;
    }

    /** The OCI runtime that it calls; empty where none works. */
    Optional<String> runtime() {
        return Optional.ofNullable(facts.attributes().get("driver.exec.runtime"));
    }

    /** The row of a measurement that needs a runtime, where none works. */
    BenchRow withoutRuntime(String row) {
        return BenchRow.absent(row, "reason: " + facts.healthDescription());
    }

    /** A container that a task of ours has, to be made by hand once more. */
    ByHand byHand(String container) throws Exception {
        return ByHand.like(scratch.resolve("exec"), container, runtime().orElseThrow());
    }

    /** A task that only sleeps. */
    TaskConfig sleeper(int turn) {
        return task(turn, Map.of("command", "sleep", "args", List.of("300")));
    }

    /** @param block its own block of the job */
    TaskConfig task(int turn, Map<String, Object> block) {
        return new TaskConfig(
                "alloc/web/" + turn,
                "alloc",
                "web",
                block,
                Map.of(),
                "",
                new Resources(100, 64, 64),
                scratch.resolve("alloc"),
                scratch.resolve("task"),
                List.of(),
                new TaskConfig.Logs(scratch.resolve("logs"), 2, 1 << 20, false));
    }

    @Override
    public void close() throws KernelTrouble {
        workers.close();
        try {
            for (String name : cgroups.names()) {
                cgroups.group(name).remove(Deadline.in(time, WITHIN));
            }
            cgroups.removeParent();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }
}
