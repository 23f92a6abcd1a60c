package io.cleat.launch;

import io.cleat.api.Json;
import io.cleat.base.Deadline;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Threads;
import io.cleat.base.Trouble;
import io.cleat.cli.Failure;
import io.cleat.cli.Flag;
import io.cleat.cli.Flags;
import io.cleat.cli.Program;
import io.cleat.driver.DriverCapabilities;
import io.cleat.driver.ExecCommand;
import io.cleat.driver.ExecSession;
import io.cleat.driver.ExitResult;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.TaskStats;
import io.cleat.driverplugin.DriverPlugins;
import io.cleat.driverplugin.ExternalDriver;
import io.cleat.driverplugin.PluginParts;
import io.cleat.driverplugin.PluginSettings;
import io.cleat.jobspec.DriverPluginFile;
import io.cleat.jobspec.Parsed;
import io.cleat.jobspec.hcl.Source;
import io.cleat.jobspec.hcl.World;
import io.cleat.kernel.Cgroups;
import io.cleat.kernel.Processes;
import io.cleat.model.DriverFacts;
import io.cleat.model.Resources;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Tries a driver plugin without any agent: what it says of itself, and one task's life. */
record DriverRole(List<String> args) implements Role {
    private static final String PROGRAM_FILE = "PROGRAM";
    private static final String TASK = "task";
    private static final String EXEC = "exec";
    private static final String RUN = "for";
    private static final String CONFIG = "driver-config";
    private static final Duration USUAL_RUN = Duration.ofSeconds(5);
    private static final Duration HEALTH = Duration.ofSeconds(5);
    private static final Duration STOPPING = Duration.ofSeconds(5);
    private static final Duration ENDING = Duration.ofSeconds(10);
    private static final Duration LOOK = Duration.ofMillis(20);

    static final Program TRY =
            new Program(
                    "driver try",
                    "Start a driver plugin, and call all that it can do",
                    """
                    Starts PROGRAM, a task driver in a program of its own as they are published for \
                    Nomad, and prints what it says: name, version, what its settings and a task's \
                    config may hold, what it can do, its health and attributes. Asks no agent, and \
                    leaves nothing behind.

                    With -task, a task is started with the config block of that file, shown with \
                    what it prints and uses, and stopped; with -exec, a command is run in it.

                    Exit code: 0 if all went well, whatever the task's own; 1 if something did not.""",
                    List.of(
                            Flag.value(
                                    CONFIG,
                                    "file",
                                    "The program's settings: a block plugin \"FILE\"."),
                            Flag.value(TASK, "file", "A file with a block config { } of a task."),
                            Flag.value(EXEC, "command", "What sh runs in the task; needs -task."),
                            Flag.value(
                                    RUN,
                                    "time",
                                    "How long the task runs at most; 5s unless given."),
                            Flag.yes("json", "Print what the program says of itself as JSON.")),
                    List.of(
                            "cleat driver try /opt/cleat/drivers/lxc",
                            "cleat driver try -task=web.hcl -exec='ps aux' /opt/cleat/drivers/lxc"));

    /** The role that a command line asks for, if it is this one. */
    static Optional<DriverRole> of(List<String> args) {
        return OfflineProgram.named(args, List.of(TRY), (program, rest) -> new DriverRole(rest));
    }

    /** As JSON. */
    private record Said(
            String name,
            ExternalDriver.Description description,
            DriverCapabilities capabilities,
            boolean healthy,
            String healthDescription,
            Map<String, String> attributes) {}

    @Override
    public int play() {
        return OfflineProgram.play(TRY, System.out, System.err, () -> run(System.out));
    }

    private int run(PrintStream out) throws Failure, Trouble, InterruptedException {
        Flags flags = TRY.read(args, PROGRAM_FILE);
        if (flags.isHelpWanted()) {
            out.print(TRY.help());
            return 0;
        }
        if (flags.value(EXEC).isPresent() && flags.value(TASK).isEmpty()) {
            throw new Failure(
                    "-exec runs a command in a task, and none is given", "add -task=FILE");
        }
        Logging.silence();
        Path program = Path.of(flags.rest().getFirst()).toAbsolutePath();
        PluginSettings settings = settings(program, flags);
        Optional<Map<String, Object>> task =
                flags.value(TASK).isPresent()
                        ? Optional.of(task(Path.of(flags.value(TASK).get())))
                        : Optional.empty();
        Ports ports = Ports.system();
        Path directory = temporary();
        try {
            return tried(directory, settings, flags, task, ports, out);
        } finally {
            DevRole.removeTemporary(directory, ports);
        }
    }

    private static PluginSettings settings(Path program, Flags flags) throws Failure {
        return DriverPluginFlags.settings(
                program,
                flags.value(CONFIG).isPresent()
                        ? DriverPluginFlags.blocks(Path.of(flags.value(CONFIG).get()))
                                .get(program.getFileName().toString())
                        : null);
    }

    private static Map<String, Object> task(Path file) throws Failure {
        try {
            return switch (DriverPluginFile.parseTask(
                    Source.read(file), new World(Ports.system().time(), Ports.system().ids()))) {
                case Parsed.Good<DriverPluginFile.TaskBlock>(DriverPluginFile.TaskBlock block) ->
                        Objects.requireNonNullElse(block.Config(), Map.of());
                case Parsed.Bad<DriverPluginFile.TaskBlock> bad ->
                        throw new Failure(file + ": " + bad.lines(), "expected a block config { }");
            };
        } catch (IOException failed) {
            throw new Failure(
                    "-" + TASK + ": " + file + " cannot be read: " + failed,
                    "give a file that is there");
        }
    }

    private static Path temporary() throws Failure {
        try {
            return Files.createTempDirectory("cleat-driver-");
        } catch (IOException failed) {
            throw new Failure(
                    "no temporary directory could be made: " + failed, "make room, or set TMPDIR");
        }
    }

    private int tried(
            Path directory,
            PluginSettings settings,
            Flags flags,
            Optional<Map<String, Object>> task,
            Ports ports,
            PrintStream out)
            throws Failure, Trouble, InterruptedException {
        String parent = "cleat-try-" + ProcessHandle.current().pid();
        Cgroups cgroups = Cgroups.linux(parent, ports.time());
        PluginParts parts =
                new PluginParts(
                        Agent.shim(),
                        cgroups,
                        Processes.linux(),
                        2000,
                        ports.threads(),
                        ports.time(),
                        ports.chance(),
                        ports.ids(),
                        () -> {});
        DriverPlugins plugins =
                DriverPlugins.at(directory.resolve("drivers"), List.of(settings), Set.of(), parts);
        try {
            if (plugins.drivers().isEmpty()) {
                throw new Failure(
                        settings.program()
                                + " is no driver: "
                                + String.join("; ", plugins.leftOut().values()),
                        "it has to be a driver plugin, as they are published for Nomad");
            }
            ExternalDriver driver = plugins.drivers().getFirst();
            describe(driver, flags.has("json"), ports, out);
            if (task.isPresent()) {
                new Life(driver, directory, flags, ports, out).of(task.get());
            }
            return 0;
        } finally {
            plugins.end();
            for (String name : cgroups.names()) {
                cgroups.group(name).remove(Deadline.in(ports.time(), ENDING));
            }
            cgroups.removeParent();
        }
    }

    private static void describe(ExternalDriver driver, boolean json, Ports ports, PrintStream out)
            throws DriverTrouble, InterruptedException {
        ExternalDriver.Description said = driver.description();
        Deadline deadline = Deadline.in(ports.time(), HEALTH);
        DriverFacts facts = driver.fingerprint();
        while (!facts.healthy() && !deadline.isExpired()) {
            ports.time().sleep(LOOK);
            facts = driver.fingerprint();
        }
        if (json) {
            out.println(
                    Json.text(
                            new Said(
                                    driver.name(),
                                    said,
                                    driver.capabilities(),
                                    facts.healthy(),
                                    facts.healthDescription(),
                                    facts.attributes())));
            return;
        }
        out.print(new DriverReport(driver.name(), said, driver.capabilities(), facts).text());
    }

    /** One task, from its start to its end. */
    private record Life(
            ExternalDriver driver, Path directory, Flags flags, Ports ports, PrintStream out) {
        void of(Map<String, Object> block) throws Failure, Trouble, InterruptedException {
            Duration most = flags.duration(RUN).orElse(USUAL_RUN);
            TaskConfig config = config(block);
            long start = ports.time().nanos();
            TaskHandle task = driver.start(config);
            out.println("\nTask started after " + since(start));
            try {
                if (flags.value(EXEC).isPresent()) {
                    exec(task, flags.value(EXEC).get());
                }
                Thread stopping =
                        ports.threads()
                                .contained(
                                        "driver-try",
                                        () -> stopAfter(most, task),
                                        Threads.OnFault.NOTHING_MORE);
                ExitResult end = driver.await(task);
                stopping.interrupt();
                stopping.join();
                printed("out", config.logs().directory().resolve("task.stdout.0"));
                printed("err", config.logs().directory().resolve("task.stderr.0"));
                out.println(
                        "Task ended after "
                                + since(start)
                                + ": exit code "
                                + end.exitCode()
                                + (end.signal() == 0 ? "" : ", signal " + end.signal())
                                + (end.oomKilled() ? ", out of memory" : ""));
            } finally {
                driver.destroy(task);
            }
        }

        private void stopAfter(Duration most, TaskHandle task) throws InterruptedException {
            ports.time().sleep(most);
            try {
                use(task);
                driver.stop(task, "", STOPPING);
            } catch (DriverTrouble over) {
                // It has ended by itself.
                return;
            }
        }

        private TaskConfig config(Map<String, Object> block) throws Failure {
            Path allocation = directory.resolve("allocation");
            Path logs = directory.resolve("logs");
            try {
                Files.createDirectories(allocation.resolve("task/local"));
                Files.createDirectories(allocation.resolve("task/secrets"));
                Files.createDirectories(allocation.resolve("alloc"));
                Files.createDirectories(logs);
            } catch (IOException failed) {
                throw new Failure(
                        "the task's directory could not be made: " + failed, "make room there");
            }
            String id = ports.ids().next();
            return new TaskConfig(
                    id + "/task/00000001",
                    id,
                    "task",
                    block,
                    Map.of(
                            "PATH", "/usr/local/bin:/usr/bin:/bin",
                            "NOMAD_ALLOC_ID", id,
                            "NOMAD_TASK_NAME", "task"),
                    "",
                    new Resources(100, 300, 0),
                    allocation.resolve("alloc"),
                    allocation.resolve("task"),
                    List.of(),
                    new TaskConfig.Logs(logs, 2, 10 << 20, false));
        }

        private String since(long start) {
            return Duration.ofNanos(ports.time().nanos() - start).toMillis() + " ms";
        }

        private void use(TaskHandle task) throws DriverTrouble, InterruptedException {
            TaskStats stats = driver.stats(task);
            out.println(
                    "It uses " + (stats.memoryBytes() >> 20) + " MiB, processes " + stats.pids());
        }

        private void exec(TaskHandle task, String command)
                throws DriverTrouble, InterruptedException {
            try (ExecSession session =
                    driver.exec(task, new ExecCommand(List.of("sh", "-c", command), false))) {
                session.endInput();
                for (Optional<ExecSession.Output> next = session.next();
                        next.isPresent();
                        next = session.next()) {
                    switch (next.get()) {
                        case ExecSession.Output.Out(byte[] bytes) -> lines("exec out", bytes);
                        case ExecSession.Output.Err(byte[] bytes) -> lines("exec err", bytes);
                        case ExecSession.Output.Exited(ExitResult end) ->
                                out.println("exec ended: exit code " + end.exitCode());
                    }
                }
            }
        }

        private void printed(String name, Path file) {
            try {
                lines(name, Files.readAllBytes(file));
            } catch (IOException nothing) {
                // It printed nothing there.
                return;
            }
        }

        private void lines(String name, byte[] bytes) {
            new String(bytes, StandardCharsets.UTF_8)
                    .lines()
                    .forEach(line -> out.println(name + " | " + DriverReport.shown(line)));
        }
    }
}
