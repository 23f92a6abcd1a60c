package io.cleat.bench;

import io.cleat.base.Deadline;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.exec.ExecDriver;
import io.cleat.driver.exec.ExecSettings;
import io.cleat.kernel.Cgroups;
import io.cleat.kernel.Mounts;
import io.cleat.kernel.PathWorkers;
import io.cleat.kernel.Processes;
import io.cleat.model.DriverFacts;
import io.cleat.model.Resources;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Starting a task in a container, beside the same runtime called by hand with the same configuration. What is ours is
 * the difference: configuration, shim, records on disk.
 */
final class IsolatedBench implements Bench {
    private static final int TURNS = 20;
    private static final double SHARE = 0.05;
    private static final String ROW = "isolated task, start";
    private static final int MANY = 200;
    private static final Duration WITHIN = Duration.ofSeconds(10);

    private final SystemTime time = new SystemTime();

    @Override
    public String name() {
        return "isolated";
    }

    @Override
    public String about() {
        return "a task starts in a container";
    }

    @Override
    public List<BenchRow> run(Path scratch) throws Exception {
        if (!Launcher.isRoot()) {
            return List.of(BenchRow.absent(ROW, "reason: needs root"));
        }
        Threads threads = Threads.virtual((thread, fault) -> System.err.println(thread + ": " + fault));
        Cgroups cgroups = Cgroups.linux("cleat-bench-" + ProcessHandle.current().pid(), time);
        try (PathWorkers workers = new PathWorkers(Launcher.shim(), threads, time)) {
            ExecDriver driver = new ExecDriver(
                    ExecSettings.STRICT,
                    new ExecDriver.Parts(
                            Launcher.shim(),
                            scratch.resolve("exec"),
                            ExecDriver.pathOfThisProcess(),
                            cgroups,
                            Processes.linux(),
                            Mounts.linux(),
                            workers,
                            threads,
                            time,
                            Optional.empty(),
                            () -> {}));
            DriverFacts facts = driver.fingerprint();
            String runtime = facts.attributes().get("driver.exec.runtime");
            if (runtime == null) {
                return List.of(BenchRow.absent(ROW, "reason: " + facts.healthDescription()));
            }
            for (String directory : List.of("alloc", "logs", "task/local", "task/secrets", "task/tmp")) {
                Files.createDirectories(scratch.resolve(directory));
            }
            return List.of(one(scratch, driver, runtime), many(scratch, driver, runtime));
        } finally {
            for (String name : cgroups.names()) {
                cgroups.group(name).remove(Deadline.in(time, WITHIN));
            }
            cgroups.removeParent();
        }
    }

    private static BenchRow one(Path scratch, ExecDriver driver, String runtime) throws Exception {
        Samples own = new Samples();
        Samples hand = new Samples();
        for (int i = 0; i <= TURNS; i++) {
            long begin = System.nanoTime();
            TaskHandle task = driver.start(config(scratch, i));
            long started = System.nanoTime() - begin;
            ByHand container = ByHand.like(scratch.resolve("exec"), "alloc.web." + i, runtime);
            begin = System.nanoTime();
            container.start();
            long byHand = System.nanoTime() - begin;
            container.delete();
            driver.destroy(task);
            if (i > 0) {
                own.add(started);
                hand.add(byHand);
            }
        }
        double share = own.median() - hand.median();
        return BenchRow.of(ROW, own.median(), Unit.SECONDS)
                .limit(Path.of(runtime).getFileName() + " by hand", hand.median())
                .budget("our share 50 ms", share <= SHARE)
                .detail("our share " + Unit.SECONDS.text(Math.max(share, 0)));
    }

    private static BenchRow many(Path scratch, ExecDriver driver, String runtime) throws Exception {
        List<TaskConfig> configs = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            configs.add(config(scratch, 1000 + i));
        }
        Together<TaskHandle> own = Together.of(configs, driver::start);
        List<ByHand> containers = new ArrayList<>();
        for (TaskHandle task : own.results()) {
            containers.add(ByHand.like(scratch.resolve("exec"), task.state(), runtime));
        }
        Together.of(own.results(), task -> destroyed(driver, task));
        Together<ByHand> hand = Together.of(containers, IsolatedBench::started);
        for (ByHand container : hand.results()) {
            container.delete();
        }
        double share = (own.seconds() - hand.seconds()) / MANY;
        return BenchRow.of(MANY + " isolated tasks, side by side", own.seconds(), Unit.SECONDS)
                .limit(Path.of(runtime).getFileName() + " by hand", hand.seconds())
                .budget("our share 50 ms each", share <= SHARE)
                .detail("our share " + Unit.SECONDS.text(Math.max(share, 0)) + " each");
    }

    private static TaskHandle destroyed(ExecDriver driver, TaskHandle task) throws Exception {
        driver.destroy(task);
        return task;
    }

    private static ByHand started(ByHand container) throws Exception {
        container.start();
        return container;
    }

    private static TaskConfig config(Path scratch, int turn) {
        return new TaskConfig(
                "alloc/web/" + turn,
                "alloc",
                "web",
                Map.of("command", "sleep", "args", List.of("300")),
                Map.of(),
                "",
                new Resources(100, 64, 64),
                scratch.resolve("alloc"),
                scratch.resolve("task"),
                List.of(),
                new TaskConfig.Logs(scratch.resolve("logs"), 2, 1 << 20, false));
    }
}
