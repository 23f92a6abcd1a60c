package io.cleat.bench;

import io.cleat.base.Chance;
import io.cleat.base.Deadline;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Ids;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.base.Trouble;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskHandle;
import io.cleat.driverplugin.DriverPlugins;
import io.cleat.driverplugin.ExternalDriver;
import io.cleat.driverplugin.PluginParts;
import io.cleat.driverplugin.PluginSettings;
import io.cleat.kernel.Cgroups;
import io.cleat.kernel.Processes;
import io.cleat.model.Resources;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Drivers in programs of their own, as a node keeps them. */
final class BenchDrivers implements AutoCloseable {
    private static final String ALLOCATION = "8c1b2d3e-0000-4000-8000-000000000001";
    private static final Duration WITHIN = Duration.ofSeconds(10);
    private static final long MHZ = 1000;

    private final SystemTime time = new SystemTime();
    private final Path scratch;
    private final PluginParts parts;
    private final List<DriverPlugins> programs = new ArrayList<>();
    private final Map<TaskHandle, ExternalDriver> tasks = new LinkedHashMap<>();
    private final List<Thread> awaiting = new ArrayList<>();

    BenchDrivers(Path given) throws Exception {
        this.scratch = given.toRealPath();
        this.parts = new PluginParts(
                Launcher.shim(),
                Cgroups.linux("cleat-bench-" + ProcessHandle.current().pid(), time),
                Processes.linux(),
                MHZ,
                Threads.virtual((where, fault) -> System.err.println(where + ": " + fault)),
                time,
                Chance.system(),
                Ids.random(),
                () -> {});
        Files.createDirectories(scratch.resolve("alloc/web"));
        Files.createDirectories(scratch.resolve("logs"));
    }

    /** Starts one more. */
    ExternalDriver add() throws Exception {
        String name = "bench-" + programs.size();
        Path program = Files.writeString(
                scratch.resolve(name),
                "#!/bin/sh\nexec '%s' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx64m -cp '%s' %s '%s' '%s'%n"
                        .formatted(
                                Path.of(System.getProperty("java.home"), "bin/java"),
                                classPath(),
                                BenchDriver.class.getName(),
                                name,
                                Launcher.shim()));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        PluginSettings settings = new PluginSettings(
                name,
                program,
                List.of(),
                Map.of(
                        "directory",
                        scratch.resolve("tasks-" + name).toString(),
                        "cgroup",
                        "cleat-" + name + "-" + ProcessHandle.current().pid()));
        DriverPlugins begun = DriverPlugins.at(scratch.resolve("drivers"), List.of(settings), Set.of(), parts);
        programs.add(begun);
        if (begun.drivers().isEmpty()) {
            throw new IOException("no driver: " + begun.leftOut());
        }
        return begun.drivers().getFirst();
    }

    /** Ours, seen from anywhere. */
    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Starts a task that runs a program, and waits for its end on a thread of its own, as an agent does. */
    TaskHandle start(ExternalDriver driver, Path program) throws DriverTrouble, InterruptedException {
        TaskHandle task = driver.start(task(tasks.size(), program));
        tasks.put(task, driver);
        awaiting.add(parts.threads().contained("await", () -> awaited(driver, task), Threads.OnFault.NOTHING_MORE));
        return task;
    }

    private static void awaited(ExternalDriver driver, TaskHandle task) throws InterruptedException {
        try {
            driver.await(task);
        } catch (DriverTrouble lost) {
            System.err.println("the end of a task was not seen: " + lost.reason());
        }
    }

    private TaskConfig task(int number, Path program) {
        return new TaskConfig(
                ALLOCATION + "/web/%08x".formatted(number),
                ALLOCATION,
                "web",
                Map.of("command", program.toString()),
                Map.of("PATH", "/usr/bin:/bin"),
                "root",
                new Resources(100, 64, 0),
                scratch.resolve("alloc/alloc"),
                scratch.resolve("alloc/web"),
                List.of(),
                new TaskConfig.Logs(scratch.resolve("logs"), 3, 1 << 20, false));
    }

    /** Where the first one listens. */
    Path socket() throws IOException {
        try (Stream<Path> files = Files.walk(scratch.resolve("drivers/bench-0/runs"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("driver-"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("the driver listens nowhere"));
        }
    }

    /** Bytes of the processes that take the output of plugins and tasks, all of them together. */
    double followers() throws IOException {
        double bytes = 0;
        String place = scratch.resolve("drivers").toString();
        for (ProcessHandle each : ProcessHandle.allProcesses().toList()) {
            if (words(each.pid()).contains(place)) {
                bytes += new Pids(List.of(each.pid())).memory();
            }
        }
        return bytes;
    }

    /** Of a shim that stays; those that only start others are gone in a moment. */
    private static String words(long pid) {
        try {
            String words = Files.readString(Path.of("/proc/" + pid + "/cmdline"));
            return words.startsWith(Launcher.shim() + "\0run") ? words : "";
        } catch (IOException gone) {
            return "";
        }
    }

    /** Ends all of it. */
    @Override
    public void close() throws Trouble {
        try {
            // Who waits for an end would take the task away, too.
            for (Thread each : awaiting) {
                each.interrupt();
                each.join();
            }
            for (Map.Entry<TaskHandle, ExternalDriver> each : tasks.entrySet()) {
                each.getValue().destroy(each.getKey());
            }
            for (DriverPlugins program : programs) {
                program.end();
            }
            for (String name : parts.cgroups().names()) {
                Cgroups.Group group = parts.cgroups().group(name);
                group.killAll(Deadline.in(time, WITHIN));
                group.remove(Deadline.in(time, WITHIN));
            }
            parts.cgroups().removeParent();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }
}
