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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Starting a task in a container, beside the same runtime called by hand with the same
 * configuration. What is ours is the difference: configuration, shim, records on disk.
 */
final class IsolatedBench implements Bench {
    private static final int TURNS = 20;
    private static final double SHARE = 0.05;
    private static final String ROW = "isolated task, start";
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
        Threads threads =
                Threads.virtual((thread, fault) -> System.err.println(thread + ": " + fault));
        Cgroups cgroups = Cgroups.linux("cleat-bench-" + ProcessHandle.current().pid(), time);
        try (PathWorkers workers = new PathWorkers(Launcher.shim(), threads, time)) {
            ExecDriver driver =
                    new ExecDriver(
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
                                    () -> {}));
            DriverFacts facts = driver.fingerprint();
            String runtime = facts.attributes().get("driver.exec.runtime");
            if (runtime == null) {
                return List.of(BenchRow.absent(ROW, "reason: " + facts.healthDescription()));
            }
            return List.of(measure(scratch, driver, runtime));
        } finally {
            cgroups.group("shims").remove(Deadline.in(time, WITHIN));
            cgroups.group("by-hand").remove(Deadline.in(time, WITHIN));
            cgroups.removeParent();
        }
    }

    private static BenchRow measure(Path scratch, ExecDriver driver, String runtime)
            throws Exception {
        for (String directory :
                List.of("alloc", "logs", "task/local", "task/secrets", "task/tmp")) {
            Files.createDirectories(scratch.resolve(directory));
        }
        Samples own = new Samples();
        Samples hand = new Samples();
        for (int i = 0; i <= TURNS; i++) {
            long begin = System.nanoTime();
            TaskHandle task = driver.start(config(scratch, i));
            long started = System.nanoTime() - begin;
            Path bundle = scratch.resolve("exec/containers/alloc.web." + i);
            long byHand = byHand(scratch.resolve("hand"), bundle, runtime, "alloc.web." + i);
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

    /** The configuration of a container that was made, with another name and without our init. */
    private static long byHand(Path hand, Path bundle, String runtime, String name)
            throws IOException, InterruptedException {
        Files.createDirectories(hand.resolve("rootfs"));
        try (Stream<Path> entries = Files.list(bundle.resolve("rootfs"))) {
            for (Path link : entries.filter(Files::isSymbolicLink).toList()) {
                Path copy = hand.resolve("rootfs").resolve(link.getFileName());
                if (!Files.isSymbolicLink(copy)) {
                    Files.createSymbolicLink(copy, Files.readSymbolicLink(link));
                }
            }
        }
        Files.writeString(
                hand.resolve("config.json"),
                Files.readString(bundle.resolve("config.json"))
                        .replace("\"/.cleat-init\",\"init\",", "")
                        .replace("/" + name + "\"", "/by-hand\""));
        long begin = System.nanoTime();
        call(runtime, hand, "create", "--bundle", hand.toString(), "by-hand");
        call(runtime, hand, "start", "by-hand");
        long took = System.nanoTime() - begin;
        call(runtime, hand, "delete", "--force", "by-hand");
        return took;
    }

    private static void call(String runtime, Path hand, String... verb)
            throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(runtime, "--root", hand.resolve("state").toString()));
        command.addAll(List.of(verb));
        Process process =
                new ProcessBuilder(command)
                        .redirectInput(Path.of("/dev/null").toFile())
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        if (process.waitFor() != 0) {
            throw new IOException(command + " failed");
        }
    }
}
