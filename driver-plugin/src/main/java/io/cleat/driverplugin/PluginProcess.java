package io.cleat.driverplugin;

import io.cleat.base.Deadline;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.VisibleText;
import io.cleat.driver.OwnFiles;
import io.cleat.driver.TaskConfig;
import io.cleat.kernel.Cgroups;
import io.cleat.kernel.PidFile;
import io.cleat.kernel.ProcessIdentity;
import io.cleat.kernel.Processes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The process of one program that holds a driver: started outside the agent, and found again by what is written in its
 * directory.
 *
 * <p>Each start has a directory of its own, {@code runs/<8 hex digits>}: the FIFOs {@code out} and {@code err}, the
 * file {@code process}, and {@code s} for sockets. Of one thread at a time.
 */
final class PluginProcess {
    /** The control group of all such programs: no task's, and no allocation has that name. */
    private static final String GROUP = "drivers";

    private static final int SIGTERM = 15;
    private static final Duration FIRST_LINE = Duration.ofMinutes(1);
    private static final Duration LOOK = Duration.ofMillis(20);
    private static final Duration CALLING = Duration.ofSeconds(10);
    private static final Duration GRACE = Duration.ofSeconds(2);
    private static final int MOST_WORDS = 4 << 10;
    private static final int LOG_FILES = 3;
    private static final long LOG_FILE_BYTES = 2 << 20;

    /** Of so many earlier starts the output is kept. */
    private static final int KEPT_OUTPUTS = 3;

    private final PluginSettings settings;
    private final Path runs;
    private final Path logs;
    private final PluginParts parts;
    private final FollowedOutput outputs;

    /** One that runs, and where it listens. */
    record Running(String run, ProcessIdentity process, Handshake handshake) {}

    /** @param directory its own, its owner's alone */
    PluginProcess(PluginSettings settings, Path directory, PluginParts parts, FollowedOutput outputs) {
        this.settings = settings;
        this.runs = directory.resolve("runs");
        this.logs = directory.resolve("logs");
        this.parts = parts;
        this.outputs = outputs;
    }

    /** The one that runs, whoever started it; what is left of others is taken away. */
    Optional<Running> find() throws DriverTrouble, InterruptedException {
        Optional<Running> found = Optional.empty();
        for (String run : OwnFiles.names(runs)) {
            Optional<ProcessIdentity> process = alive(run);
            if (process.isPresent()) {
                found = Optional.of(new Running(run, process.get(), handshake(run, process.get())));
            } else {
                forget(run);
            }
        }
        return found;
    }

    /** Starts one; none runs. */
    Running start() throws DriverTrouble, InterruptedException {
        requireProgram();
        String run = parts.ids().next().substring(0, 8);
        Path directory = runs.resolve(run);
        OwnFiles.makeDirectory(logs);
        OwnFiles.makeDirectory(directory.resolve("s"));
        dropOldOutputs();
        outputs.begin(follower(run), directory, run, new TaskConfig.Logs(logs, LOG_FILES, LOG_FILE_BYTES, false));
        detach(directory);
        Optional<ProcessIdentity> process = alive(run);
        if (process.isEmpty()) {
            throw ended(run);
        }
        try {
            return new Running(run, process.get(), handshake(run, process.get()));
        } catch (DriverTrouble unspeakable) {
            // Nobody has given it a task.
            stop(run, process.get());
            throw unspeakable;
        }
    }

    /** Ends what runs, and takes away what is left; tasks may run on. */
    void end() throws DriverTrouble, InterruptedException {
        for (String run : OwnFiles.names(runs)) {
            Optional<ProcessIdentity> process = alive(run);
            if (process.isPresent()) {
                stop(run, process.get());
            } else {
                forget(run);
            }
        }
    }

    /** Asks it to end, and kills it when a moment has passed. */
    private void stop(String run, ProcessIdentity process) throws DriverTrouble, InterruptedException {
        Deadline deadline = Deadline.in(parts.time(), GRACE);
        try {
            parts.processes().signal(process, SIGTERM);
            while (parts.processes().isAlive(process) && !deadline.isExpired()) {
                parts.time().sleep(LOOK);
            }
            parts.processes().signal(process, Processes.SIGKILL);
            while (parts.processes().isAlive(process)) {
                parts.time().sleep(LOOK);
            }
        } catch (KernelTrouble failed) {
            throw trouble(failed);
        }
        forget(run);
    }

    private void requireProgram() throws DriverTrouble {
        if (!Files.isExecutable(settings.program()) || !Files.isRegularFile(settings.program())) {
            throw new DriverTrouble(
                    settings.program() + " is no file that can be executed; put it there, with the right to execute it",
                    Effect.NONE,
                    Retry.SAME_CALL);
        }
    }

    private void detach(Path directory) throws DriverTrouble, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(parts.shim().toString());
        command.add("detach");
        command.add(directory.toString());
        Process caller;
        try {
            Cgroups.Group group = parts.cgroups().create(GROUP);
            group.directories().forEach(each -> command.add(each.toString()));
            command.add("--");
            command.add(settings.program().toString());
            command.addAll(settings.args());
            ProcessBuilder builder = new ProcessBuilder(command);
            builder.environment().clear();
            builder.environment().putAll(environment(directory.resolve("s")));
            caller = builder.start();
        } catch (KernelTrouble failed) {
            throw trouble(failed);
        } catch (IOException failed) {
            throw new DriverTrouble(
                    "the shim " + parts.shim() + " could not be called: " + failed,
                    Effect.NONE,
                    Retry.SAME_CALL,
                    failed);
        }
        if (!caller.waitFor(CALLING.toMillis(), TimeUnit.MILLISECONDS)) {
            caller.destroyForcibly();
            throw failedStart("the shim gave no word in time");
        }
        if (caller.exitValue() != 0) {
            throw failedStart(words(caller.getErrorStream()));
        }
    }

    /** Nothing of the agent's own but where programs are: it may know secrets. */
    private static Map<String, String> environment(Path sockets) {
        Map<String, String> environment = new TreeMap<>(Handshake.WORDS);
        for (String name : List.of("PATH", "HOME", "LANG")) {
            String value = System.getenv(name);
            if (value != null) {
                environment.put(name, value);
            }
        }
        environment.put("PLUGIN_UNIX_SOCKET_DIR", sockets.toString());
        environment.put("TMPDIR", sockets.toString());
        return environment;
    }

    private DriverTrouble failedStart(String why) {
        return new DriverTrouble("it could not be started: " + why, Effect.NONE, Retry.SAME_CALL);
    }

    private static String words(InputStream stream) {
        try {
            byte[] said = stream.readNBytes(MOST_WORDS);
            return VisibleText.line(new String(said, StandardCharsets.UTF_8).strip());
        } catch (IOException silent) {
            return "";
        }
    }

    /** The first line of its output; it may still be starting. */
    private Handshake handshake(String run, ProcessIdentity process) throws DriverTrouble, InterruptedException {
        Deadline deadline = Deadline.in(parts.time(), FIRST_LINE);
        while (true) {
            boolean lives = isAlive(process);
            String said = beginning(logs.resolve(run + ".stdout.0"), Handshake.LONGEST);
            int end = said.indexOf('\n');
            if (end >= 0 || said.length() >= Handshake.LONGEST) {
                return Handshake.read(end >= 0 ? said.substring(0, end) : said);
            }
            if (!lives) {
                throw ended(run);
            }
            if (deadline.isExpired()) {
                throw failedStart("it has not said within "
                        + FIRST_LINE.toSeconds()
                        + " s how it is spoken to; is it a driver plugin?");
            }
            parts.time().sleep(LOOK);
        }
    }

    private DriverTrouble ended(String run) throws DriverTrouble, InterruptedException {
        outputs.end(follower(run));
        String said = beginning(logs.resolve(run + ".stderr.0"), MOST_WORDS).strip();
        return failedStart("it ended before it said how it is spoken to"
                + (said.isEmpty() ? ", without a word" : ": " + VisibleText.line(said)));
    }

    private static String beginning(Path file, int most) {
        try (InputStream stream = Files.newInputStream(file)) {
            return new String(stream.readNBytes(most), StandardCharsets.UTF_8);
        } catch (IOException nothingYet) {
            return "";
        }
    }

    private Optional<ProcessIdentity> alive(String run) throws DriverTrouble {
        try {
            Optional<ProcessIdentity> written = PidFile.read(runs.resolve(run).resolve("process"));
            return written.isPresent() && parts.processes().isAlive(written.get()) ? written : Optional.empty();
        } catch (KernelTrouble failed) {
            throw trouble(failed);
        }
    }

    private boolean isAlive(ProcessIdentity process) throws DriverTrouble {
        try {
            return parts.processes().isAlive(process);
        } catch (KernelTrouble failed) {
            throw trouble(failed);
        }
    }

    private static DriverTrouble trouble(KernelTrouble failed) {
        return new DriverTrouble(failed.reason(), failed.effect(), failed.retry(), failed);
    }

    private String follower(String run) {
        return settings.file().replace('.', '_') + "-" + run;
    }

    /** Its output stays, until there are newer ones. */
    private void forget(String run) throws DriverTrouble, InterruptedException {
        outputs.end(follower(run));
        Path directory = runs.resolve(run);
        Path sockets = directory.resolve("s");
        for (String name : OwnFiles.names(sockets)) {
            delete(sockets.resolve(name));
        }
        for (String name : List.of("s", "out", "err", "process", "process.tmp", "")) {
            delete(directory.resolve(name));
        }
    }

    private void dropOldOutputs() throws DriverTrouble {
        Map<Long, String> byAge = new TreeMap<>();
        for (String name : OwnFiles.names(logs)) {
            byAge.merge(logs.resolve(name).toFile().lastModified(), name, (one, other) -> one + "\n" + other);
        }
        List<String> oldestFirst =
                byAge.values().stream().flatMap(String::lines).toList();
        int most = KEPT_OUTPUTS * 2 * LOG_FILES;
        for (String name : oldestFirst.subList(0, Math.max(0, oldestFirst.size() - most))) {
            delete(logs.resolve(name));
        }
    }

    private static void delete(Path file) throws DriverTrouble {
        try {
            Files.deleteIfExists(file);
        } catch (IOException failed) {
            throw new DriverTrouble(file + " could not be deleted: " + failed, Effect.NONE, Retry.SAME_CALL, failed);
        }
    }
}
