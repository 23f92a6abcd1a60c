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
import io.cleat.model.DriverFacts;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Tries a driver plugin without any agent: what it says of itself, and one task's life. */
record DriverTryRole(List<String> args) implements Role {
    private static final String PROGRAM_FILE = "PROGRAM";
    private static final String EXEC = "exec";
    private static final String RUN = "for";
    private static final Duration USUAL_RUN = Duration.ofSeconds(5);
    private static final Duration HEALTH = Duration.ofSeconds(5);
    private static final Duration STOPPING = Duration.ofSeconds(5);
    private static final Duration LOOK = Duration.ofMillis(20);

    static final Program TRY = new Program(
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
                    DriverTrial.CONFIG,
                    DriverTrial.TASK,
                    Flag.value(EXEC, "command", "What sh runs in the task; needs -task."),
                    Flag.value(RUN, "time", "How long the task runs at most; 5s unless given."),
                    Flag.yes("json", "Print what the program says of itself as JSON.")),
            List.of(
                    "cleat driver try /opt/cleat/drivers/lxc",
                    "cleat driver try -task=web.hcl -exec='ps aux' /opt/cleat/drivers/lxc"));

    /** The role that a command line asks for, if it is this one. */
    static Optional<DriverTryRole> of(List<String> args) {
        return OfflineProgram.named(args, List.of(TRY), (program, rest) -> new DriverTryRole(rest));
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
        if (flags.value(EXEC).isPresent()
                && flags.value(DriverTrial.TASK.name()).isEmpty()) {
            throw new Failure("-exec runs a command in a task, and none is given", "add -task=FILE");
        }
        Logging.silence();
        return DriverTrial.with(flags, trial -> tried(trial, flags, out));
    }

    private static int tried(DriverTrial trial, Flags flags, PrintStream out)
            throws Failure, Trouble, InterruptedException {
        DriverPlugins plugins = DriverPlugins.at(trial.drivers(), List.of(trial.settings()), Set.of(), trial.parts());
        try {
            if (plugins.drivers().isEmpty()) {
                throw new Failure(
                        trial.settings().program()
                                + " is no driver: "
                                + String.join("; ", plugins.leftOut().values()),
                        "it has to be a driver plugin, as they are published for Nomad");
            }
            ExternalDriver driver = plugins.drivers().getFirst();
            describe(driver, flags.has("json"), trial.ports(), out);
            if (trial.task().isPresent()) {
                new Life(driver, trial, flags, out).show();
            }
            return 0;
        } finally {
            plugins.end();
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
            out.println(Json.text(new Said(
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
    private record Life(ExternalDriver driver, DriverTrial trial, Flags flags, PrintStream out) {
        void show() throws Failure, Trouble, InterruptedException {
            Ports ports = trial.ports();
            Duration most = flags.duration(RUN).orElse(USUAL_RUN);
            trial.makeDirectories();
            TaskConfig config = trial.task(ports.ids().next() + "/task/00000001");
            long start = ports.time().nanos();
            TaskHandle task = driver.start(config);
            out.println("\nTask started after " + since(start));
            try {
                if (flags.value(EXEC).isPresent()) {
                    exec(task, flags.value(EXEC).get());
                }
                Thread stopping = ports.threads()
                        .contained("driver-try", () -> stopAfter(most, task), Threads.OnFault.NOTHING_MORE);
                ExitResult end = driver.await(task);
                stopping.interrupt();
                stopping.join();
                printed("out", config.logs().directory().resolve("task.stdout.0"));
                printed("err", config.logs().directory().resolve("task.stderr.0"));
                out.println("Task ended after "
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
            trial.ports().time().sleep(most);
            try {
                use(task);
                driver.stop(task, "", STOPPING);
            } catch (DriverTrouble over) {
                // It has ended by itself.
                return;
            }
        }

        private String since(long start) {
            return Duration.ofNanos(trial.ports().time().nanos() - start).toMillis() + " ms";
        }

        private void use(TaskHandle task) throws DriverTrouble, InterruptedException {
            TaskStats stats = driver.stats(task);
            out.println("It uses " + (stats.memoryBytes() >> 20) + " MiB, processes " + stats.pids());
        }

        private void exec(TaskHandle task, String command) throws DriverTrouble, InterruptedException {
            try (ExecSession session = driver.exec(task, new ExecCommand(List.of("sh", "-c", command), false))) {
                session.endInput();
                for (Optional<ExecSession.Output> next = session.next(); next.isPresent(); next = session.next()) {
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
