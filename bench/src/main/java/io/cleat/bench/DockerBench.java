package io.cleat.bench;

import io.cleat.base.Chance;
import io.cleat.base.DriverTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.docker.DockerDriver;
import io.cleat.driver.docker.DockerSettings;
import io.cleat.kernel.Mounts;
import io.cleat.kernel.PathWorkers;
import io.cleat.kernel.Processes;
import io.cleat.model.Resources;
import io.cleat.testkit.RealEngine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Tasks of the driver {@code docker} from an image that is here, in turns with the same containers asked of the engine
 * by nobody in between. The engine is Podman with all that it has in the scratch directory, or the one whose socket
 * {@code CLEAT_TEST_ENGINE} names.
 */
final class DockerBench implements Bench {
    private static final int TURNS = 8;
    private static final int MANY = 100;
    private static final double NOTHING = 0.005;
    private static final Duration LONG = Duration.ofSeconds(5);
    private static final String ROW = "docker task from an image that is here, start";
    private static final List<String> SLEEPING = List.of("/bin/sleep", "300");
    private static final List<String> PROGRAMS = RealEngine.PROGRAMS.stream()
            .filter(Files::isDirectory)
            .map(path -> path + ":" + path + ":ro")
            .toList();

    private final SystemTime time = new SystemTime();
    private final Threads threads = Threads.virtual((thread, fault) -> System.err.println(thread + ": " + fault));
    private final Threads platform = Threads.platform((thread, fault) -> System.err.println(thread + ": " + fault));

    @Override
    public String name() {
        return "docker";
    }

    @Override
    public String about() {
        return "tasks start as containers of an engine";
    }

    @Override
    public List<BenchRow> run(Path given) throws Exception {
        if (!Launcher.isRoot()) {
            return List.of(BenchRow.absent(ROW, "reason: needs root"));
        }
        Path scratch = given.toRealPath();
        for (String directory : List.of("alloc", "logs", "task/local", "task/secrets")) {
            Files.createDirectories(scratch.resolve(directory));
        }
        Optional<RealEngine> engine = RealEngine.find(Files.createDirectory(scratch.resolve("engine")));
        if (engine.isEmpty()) {
            return List.of(BenchRow.absent(
                    ROW, "reason: podman is absent: ./dev setup -y; or name an engine's socket, CLEAT_TEST_ENGINE"));
        }
        try {
            return measured(scratch, engine.get().socket());
        } finally {
            engine.get().close();
        }
    }

    private List<BenchRow> measured(Path scratch, Path socket) throws Exception {
        try (PathWorkers workers = new PathWorkers(Launcher.shim(), threads, time)) {
            DockerDriver driver = driver(scratch, socket, workers);
            try {
                EngineByHand hand = new EngineByHand(socket);
                List<BenchRow> rows = new ArrayList<>(List.of(one(scratch, driver, hand)));
                rows.addAll(many(scratch, driver, hand));
                return rows;
            } finally {
                driver.close();
            }
        }
    }

    private DockerDriver driver(Path scratch, Path socket, PathWorkers workers) {
        return new DockerDriver(
                new DockerSettings(
                        socket,
                        new DockerSettings.Allowed(false, Set.of(), List.of(Path.of("/")), false, false, List.of()),
                        Optional.empty(),
                        "",
                        Duration.ofSeconds(30),
                        Optional.empty(),
                        Duration.ofMinutes(5)),
                new DockerDriver.Parts(
                        "bench-" + ProcessHandle.current().pid(),
                        scratch.resolve("docker"),
                        Launcher.shim(),
                        workers,
                        Mounts.linux(),
                        Processes.linux(),
                        threads,
                        platform,
                        time,
                        Chance.system(),
                        () -> {}));
    }

    private static BenchRow one(Path scratch, DockerDriver driver, EngineByHand hand) throws Exception {
        Samples own = new Samples();
        Samples byHand = new Samples();
        for (int i = 0; i <= TURNS; i++) {
            long begin = System.nanoTime();
            TaskHandle task = driver.start(config(scratch, i));
            long started = System.nanoTime() - begin;
            String name = name(i);
            begin = System.nanoTime();
            hand.start(name, RealEngine.IMAGE, SLEEPING, PROGRAMS);
            long startedByHand = System.nanoTime() - begin;
            hand.remove(name);
            driver.destroy(task);
            if (i > 0) {
                own.add(started);
                byHand.add(startedByHand);
            }
        }
        return BenchRow.of(ROW, own.median(), Unit.SECONDS)
                .limit("the engine's create and start", byHand.median())
                .detail("our share " + Unit.SECONDS.text(Math.max(0, own.median() - byHand.median())));
    }

    private List<BenchRow> many(Path scratch, DockerDriver driver, EngineByHand hand) throws Exception {
        List<TaskConfig> configs = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            configs.add(config(scratch, 1000 + i));
            names.add(name(1000 + i));
        }
        Concurrently<TaskHandle> own = Concurrently.of(configs, driver::start);
        double busy = busy(driver, own.results());
        Concurrently.of(own.results(), task -> destroyed(driver, task));
        Concurrently<String> byHand = Concurrently.of(names, name -> {
            hand.start(name, RealEngine.IMAGE, SLEEPING, PROGRAMS);
            return name;
        });
        Concurrently.of(byHand.results(), name -> {
            hand.remove(name);
            return name;
        });
        double share = Math.max(0, own.seconds() - byHand.seconds()) / MANY;
        return List.of(
                BenchRow.of(MANY + " docker tasks, side by side", own.seconds(), Unit.SECONDS)
                        .limit("the engine's create and start", byHand.seconds())
                        .detail("our share " + Unit.SECONDS.text(share) + " each"),
                BenchRow.of(MANY + " docker tasks with logs off: CPU of the agent in a second", busy, Unit.SECONDS)
                        .budget("no CPU", busy <= NOTHING)
                        .detail("by the kernel's count in hundredths of a second"));
    }

    /**
     * Seconds of processor time that this process takes in one while tasks run, and are waited for as an agent does.
     */
    private double busy(DockerDriver driver, List<TaskHandle> tasks) throws Exception {
        List<Thread> waiting = new ArrayList<>();
        for (TaskHandle task : tasks) {
            waiting.add(threads.contained("await", () -> awaited(driver, task), Threads.OnFault.NOTHING_MORE));
        }
        Thread.sleep(Duration.ofSeconds(1));
        long begin = System.nanoTime();
        double before = OwnProcess.processorSeconds();
        Thread.sleep(LONG);
        double seconds = (OwnProcess.processorSeconds() - before) / ((System.nanoTime() - begin) / 1e9);
        waiting.forEach(Thread::interrupt);
        return seconds;
    }

    private static void awaited(DockerDriver driver, TaskHandle task) throws InterruptedException {
        try {
            driver.await(task);
        } catch (DriverTrouble ended) {
            System.err.println("a task did not last: " + ended.reason());
        }
    }

    private static TaskHandle destroyed(DockerDriver driver, TaskHandle task) throws Exception {
        driver.destroy(task);
        return task;
    }

    private static String name(int turn) {
        return "cleat-bench-" + ProcessHandle.current().pid() + "-" + turn;
    }

    private static TaskConfig config(Path scratch, int turn) {
        return new TaskConfig(
                "alloc/web/%08x".formatted(turn),
                "alloc",
                "web",
                Map.of(
                        "image",
                        RealEngine.IMAGE,
                        "command",
                        SLEEPING.getFirst(),
                        "args",
                        SLEEPING.subList(1, SLEEPING.size()),
                        "volumes",
                        PROGRAMS,
                        "network_mode",
                        "none"),
                Map.of(),
                "",
                new Resources(100, 64, 64),
                scratch.resolve("alloc"),
                scratch.resolve("task"),
                List.of(),
                new TaskConfig.Logs(scratch.resolve("logs"), 2, 1 << 20, true));
    }
}
