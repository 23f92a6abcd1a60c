package io.cleat.launch;

import io.cleat.base.Deadline;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Trouble;
import io.cleat.cli.Failure;
import io.cleat.cli.Flag;
import io.cleat.cli.Flags;
import io.cleat.driver.TaskConfig;
import io.cleat.driverplugin.PluginParts;
import io.cleat.driverplugin.PluginSettings;
import io.cleat.jobspec.DriverPluginFile;
import io.cleat.jobspec.Parsed;
import io.cleat.jobspec.hcl.RuntimeValues;
import io.cleat.jobspec.hcl.Source;
import io.cleat.kernel.Cgroups;
import io.cleat.kernel.Processes;
import io.cleat.model.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What a driver plugin needs around it without an agent: a directory, a control group, and a task to be run. Nothing of
 * it is left afterwards.
 *
 * @param task the {@code config} block of the task; empty if none is to be run
 */
record DriverTrial(
        PluginSettings settings, Optional<Map<String, Object>> task, Path directory, Cgroups cgroups, Ports ports) {
    static final Flag CONFIG = Flag.value("driver-config", "file", "The program's settings: a block plugin \"FILE\".");
    static final Flag TASK = Flag.value("task", "file", "A file with a block config { } of a task.");

    private static final Duration ENDING = Duration.ofSeconds(10);

    /** Drivers ask how fast a processor is, and nothing here depends on it. */
    private static final long ANY_MHZ = 2000;

    /** What is done with it; answers the exit code. */
    @FunctionalInterface
    interface Body {
        int run(DriverTrial trial) throws Failure, Trouble, InterruptedException;
    }

    /** Makes it as the flags say, which name a program, and takes it away again. */
    static int with(Flags flags, Body body) throws Failure, Trouble, InterruptedException {
        Path program = Path.of(flags.rest().getFirst()).toAbsolutePath();
        PluginSettings settings = settings(program, flags.value(CONFIG.name()));
        Optional<Map<String, Object>> task = Optional.empty();
        if (flags.value(TASK.name()).isPresent()) {
            task = Optional.of(block(Path.of(flags.value(TASK.name()).get())));
        }
        Ports ports = Ports.system();
        Path directory = temporary();
        Cgroups cgroups = Cgroups.linux("cleat-try-" + ProcessHandle.current().pid(), ports.time());
        DriverTrial trial = new DriverTrial(settings, task, directory, cgroups, ports);
        try {
            return body.run(trial);
        } finally {
            trial.removeGroups();
            DevRole.removeTemporary(directory, ports);
        }
    }

    private static PluginSettings settings(Path program, Optional<String> file) throws Failure {
        return DriverPluginFlags.settings(
                program,
                file.isEmpty()
                        ? null
                        : DriverPluginFlags.blocks(Path.of(file.get()))
                                .get(program.getFileName().toString()));
    }

    private static Map<String, Object> block(Path file) throws Failure {
        Ports ports = Ports.system();
        try {
            return switch (DriverPluginFile.parseTask(
                    Source.read(file), new RuntimeValues(ports.time(), ports.ids()))) {
                case Parsed.Good<DriverPluginFile.TaskBlock>(DriverPluginFile.TaskBlock block) ->
                    Objects.requireNonNullElse(block.Config(), Map.of());
                case Parsed.Bad<DriverPluginFile.TaskBlock> bad ->
                    throw new Failure(file + ": " + bad.lines(), "expected a block config { }");
            };
        } catch (IOException failed) {
            throw new Failure(
                    "-" + TASK.name() + ": " + file + " cannot be read: " + failed, "give a file that is there");
        }
    }

    private static Path temporary() throws Failure {
        try {
            return Files.createTempDirectory("cleat-driver-");
        } catch (IOException failed) {
            throw new Failure("no temporary directory could be made: " + failed, "make room, or set TMPDIR");
        }
    }

    private void removeGroups() throws KernelTrouble, InterruptedException {
        for (String name : cgroups.names()) {
            cgroups.group(name).remove(Deadline.in(ports.time(), ENDING));
        }
        cgroups.removeParent();
    }

    /** Where the program's own files are. */
    Path drivers() {
        return directory.resolve("drivers");
    }

    PluginParts parts() {
        return new PluginParts(
                Agent.shim(),
                cgroups,
                Processes.linux(),
                ANY_MHZ,
                ports.threads(),
                ports.time(),
                ports.chance(),
                ports.ids(),
                () -> {});
    }

    /** Makes the directories of tasks. */
    void makeDirectories() throws Failure {
        try {
            for (String name : List.of("alloc", "task/local", "task/secrets", "logs")) {
                Files.createDirectories(directory.resolve("allocation").resolve(name));
            }
        } catch (IOException failed) {
            throw new Failure("the task's directory could not be made: " + failed, "make room there");
        }
    }

    /**
     * A task to be started.
     *
     * @param id {@code allocation/task/8 hex digits}
     */
    TaskConfig task(String id) {
        Path allocation = directory.resolve("allocation");
        String allocId = id.substring(0, id.indexOf('/'));
        return new TaskConfig(
                id,
                allocId,
                "task",
                task.orElse(Map.of()),
                Map.of(
                        "PATH", "/usr/local/bin:/usr/bin:/bin",
                        "NOMAD_ALLOC_ID", allocId,
                        "NOMAD_TASK_NAME", "task"),
                "",
                new Resources(100, 300, 0),
                allocation.resolve("alloc"),
                allocation.resolve("task"),
                List.of(),
                new TaskConfig.Logs(allocation.resolve("logs"), 2, 10 << 20, false));
    }
}
