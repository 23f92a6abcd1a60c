package io.cleat.bench;

import io.cleat.base.Deadline;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.rawexec.RawExecDriver;
import io.cleat.kernel.Cgroups;
import io.cleat.kernel.PathWorkers;
import io.cleat.kernel.Processes;
import io.cleat.kernel.ShimRun;
import io.cleat.model.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Collecting output: each task's shim does it, beside a {@code cat} for each, and processes that do nothing. */
final class LogsBench implements Bench {
    private static final int TASKS = 500;
    private static final int TURNS = 3;
    private static final long LINES = 4_000_000;
    private static final double MB = 1e6;
    private static final double SHARE = 0.1;
    private static final double NOTHING = 0.0005;
    private static final Duration LONG = Duration.ofSeconds(8);

    /** What reads the output of a task ends five seconds after the last of it. */
    private static final Duration SETTLED = Duration.ofSeconds(7);

    private static final Duration WITHIN = Duration.ofSeconds(10);

    private final SystemTime time = new SystemTime();

    @Override
    public String name() {
        return "logs";
    }

    @Override
    public String about() {
        return "collecting the output of " + TASKS + " tasks, and of one";
    }

    @Override
    public List<BenchRow> run(Path scratch) throws Exception {
        Path pausing = CProgram.build(scratch, "pausing", CProgram.PAUSING);
        Path printing = CProgram.build(scratch, "printing", CProgram.PRINTING);
        Files.createDirectory(scratch.resolve("logs"));
        List<BenchRow> rows = new ArrayList<>();
        Cgroups cgroups = Cgroups.linux("cleat-bench-" + ProcessHandle.current().pid(), time);
        Tasks tasks = new Tasks(scratch, cgroups);
        try {
            rows.add(quiet(tasks, pausing));
            rows.add(off(tasks, printing));
            rows.add(lines(tasks, printing, scratch));
            rows.add(flood(tasks, printing, scratch));
        } finally {
            tasks.destroy();
            cgroups.group("shims").remove(Deadline.in(time, WITHIN));
            cgroups.removeParent();
        }
        return rows;
    }

    private static BenchRow quiet(Tasks tasks, Path pausing) throws Exception {
        try (Peers peers = new Peers()) {
            for (int i = 0; i < TASKS; i++) {
                tasks.start(pausing);
                peers.start(new ProcessBuilder(pausing.toString()));
            }
            Thread.sleep(SETTLED);
            Pids shims = tasks.shims();
            double busy = shims.processorTime(LONG);
            double memory = shims.memory() * shims.pids().size() / TASKS;
            tasks.destroy();
            return BenchRow.of(TASKS + " quiet tasks, memory of each one's shim", memory, Unit.BYTES)
                    .limit("a process that does nothing", peers.pids().memory())
                    .budget("1 MB, no CPU", memory <= MB && busy <= NOTHING)
                    .detail("CPU of all " + Unit.SECONDS.text(busy) + " a second");
        }
    }

    private static BenchRow off(Tasks tasks, Path printing) throws Exception {
        for (int i = 0; i < TASKS; i++) {
            tasks.startWithoutLogs(printing, "100");
        }
        Thread.sleep(SETTLED);
        double busy = tasks.shims().processorTime(LONG);
        tasks.destroy();
        return BenchRow.of(TASKS + " tasks that print, logs off: CPU in a second", busy, Unit.SECONDS)
                .budget("no CPU", busy <= NOTHING)
                .detail(busy == 0 ? "none by the scheduler's count" : "");
    }

    private static BenchRow lines(Tasks tasks, Path printing, Path scratch) throws Exception {
        for (int i = 0; i < TASKS; i++) {
            tasks.start(printing, "100");
        }
        Thread.sleep(SETTLED);
        double own = tasks.shims().processorTime(LONG);
        tasks.destroy();
        double cats;
        try (Peers printers = new Peers();
                Peers peers = new Peers()) {
            for (int i = 0; i < TASKS; i++) {
                List<Process> both = ProcessBuilder.startPipeline(List.of(
                        new ProcessBuilder(printing.toString(), "100"),
                        new ProcessBuilder("cat")
                                .redirectOutput(scratch.resolve("c" + i).toFile())));
                printers.add(both.getFirst());
                peers.add(both.getLast());
            }
            Thread.sleep(SETTLED);
            cats = peers.pids().processorTime(LONG);
        }
        return BenchRow.of(TASKS + " tasks, 10 lines/s each: CPU in a second", own, Unit.SECONDS)
                .limit("a cat for each", cats)
                .budget("10 % of a core", own <= SHARE);
    }

    private static BenchRow flood(Tasks tasks, Path printing, Path scratch) throws Exception {
        Samples own = new Samples();
        Samples cat = new Samples();
        String lines = Long.toString(LINES);
        for (int i = 0; i < TURNS; i++) {
            long begin = System.nanoTime();
            tasks.driver.await(tasks.start(printing, lines, "flood"));
            own.add(System.nanoTime() - begin);
            tasks.destroy();
            Path file = scratch.resolve("flood");
            cat.add(Commands.run("sh", "-c", printing + " " + lines + " flood | cat > " + file));
            Files.delete(file);
        }
        return BenchRow.of("lines of 100 B through one shim", LINES / own.median(), Unit.PER_SECOND)
                .limit("cat into one file", LINES / cat.median())
                .detail("in files of 10 MB, of which 3 are kept");
    }

    /** Tasks under {@code raw_exec}. */
    private final class Tasks {
        private final Path scratch;
        private final PathWorkers workers;
        private final RawExecDriver driver;
        private final List<TaskHandle> handles = new ArrayList<>();
        private int last;

        Tasks(Path scratch, Cgroups cgroups) {
            this.scratch = scratch;
            this.workers = new PathWorkers(
                    Launcher.shim(),
                    Threads.virtual((where, fault) -> {
                        throw new IllegalStateException(where, fault);
                    }),
                    time);
            this.driver = new RawExecDriver(
                    Launcher.shim(), scratch.resolve("shims"), cgroups, Processes.linux(), workers, time);
        }

        TaskHandle start(Path program, String... args) throws Exception {
            return start(false, program, args);
        }

        void startWithoutLogs(Path program, String... args) throws Exception {
            start(true, program, args);
        }

        private TaskHandle start(boolean withoutLogs, Path program, String... args) throws Exception {
            String name = "t" + last++;
            TaskHandle handle = driver.start(new TaskConfig(
                    "alloc/" + name + "/1",
                    "alloc",
                    name,
                    Map.of("command", program.toString(), "args", List.of(args)),
                    Map.of(),
                    "",
                    Resources.NONE,
                    scratch,
                    scratch,
                    List.of(),
                    new TaskConfig.Logs(scratch.resolve("logs"), 3, 10 << 20, withoutLogs)));
            handles.add(handle);
            return handle;
        }

        /** The shims, and the processes that read and write what tasks print, which each has beside its task. */
        Pids shims() throws Exception {
            Set<Long> shims = new TreeSet<>();
            for (TaskHandle handle : handles) {
                Path directory = scratch.resolve("shims").resolve(handle.state());
                shims.add(new ShimRun(Launcher.shim(), directory, Processes.linux(), time)
                        .state()
                        .orElseThrow()
                        .shim()
                        .pid());
            }
            List<Long> pids = new ArrayList<>(shims);
            ProcessHandle.allProcesses()
                    .filter(each -> each.parent()
                            .map(ProcessHandle::pid)
                            .filter(shims::contains)
                            .isPresent())
                    .filter(each -> runsShim(each.pid()))
                    .forEach(each -> pids.add(each.pid()));
            return new Pids(pids);
        }

        private static boolean runsShim(long pid) {
            try {
                return Files.isSameFile(Path.of("/proc/" + pid + "/exe"), Launcher.shim());
            } catch (IOException gone) {
                return false;
            }
        }

        void destroy() throws Exception {
            for (TaskHandle handle : handles) {
                driver.destroy(handle);
            }
            handles.clear();
            try (Stream<Path> files = Files.list(scratch.resolve("logs"))) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    /** Processes without a shim. */
    private static final class Peers implements AutoCloseable {
        private final List<Process> processes = new ArrayList<>();

        void start(ProcessBuilder builder) throws IOException {
            add(builder.start());
        }

        void add(Process process) {
            processes.add(process);
        }

        Pids pids() {
            return new Pids(processes.stream().map(Process::pid).toList());
        }

        @Override
        public void close() {
            processes.forEach(Process::destroyForcibly);
            processes.forEach(process -> process.onExit().join());
        }
    }
}
