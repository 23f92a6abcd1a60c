package io.cleat.driver.rawexec;

import io.cleat.base.DriverTrouble;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Time;
import io.cleat.driver.ConfigTexts;
import io.cleat.driver.DriverCapabilities;
import io.cleat.driver.ProgramSearch;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.shim.ProcessLimits;
import io.cleat.driver.shim.ShimDriver;
import io.cleat.driver.shim.ShimTasks;
import io.cleat.driver.shim.Users;
import io.cleat.kernel.Cgroups;
import io.cleat.kernel.PathWorkers;
import io.cleat.kernel.Processes;
import io.cleat.kernel.ShimDescription;
import io.cleat.model.DriverFacts;
import io.cleat.model.Resources;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Runs commands of the host, each under a shim of its own that outlives the agent.
 *
 * <p>Holds nothing of its own; used by any thread.
 */
public final class RawExecDriver extends ShimDriver {
    /** The name in job files. */
    public static final String NAME = "raw_exec";

    private static final long MEBI = 1 << 20;
    private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    private final Path shim;
    private final Cgroups cgroups;
    private final ShimTasks tasks;
    private final Users users = Users.ofThisMachine();
    private final ProgramSearch programs;
    private final Time time;

    /**
     * @param shim the shim program
     * @param workers who look for programs where a task may have shaped what is there
     * @param shims where each task gets a directory of its own, on a local disk that survives the agent
     */
    public RawExecDriver(Path shim, Path shims, Cgroups cgroups, Processes processes, PathWorkers workers, Time time) {
        this.programs = new ProgramSearch(workers, time);
        this.shim = shim.toAbsolutePath();
        this.cgroups = cgroups;
        this.tasks = new ShimTasks(NAME, shim, shims, cgroups, processes, time, ShimTasks.Rest.NONE);
        this.time = time;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public DriverCapabilities capabilities() {
        return new DriverCapabilities(true, true, DriverCapabilities.Isolation.NONE, false, true);
    }

    @Override
    public DriverFacts fingerprint() {
        boolean there = Files.isExecutable(shim);
        String health = there ? "Healthy" : "the shim " + shim + " is not there; scripts/shim.sh builds it";
        return new DriverFacts(there, there, health, attributes(there), time.now());
    }

    private Map<String, String> attributes(boolean there) {
        return there
                ? Map.of(
                        "driver.raw_exec",
                        "1",
                        "driver.raw_exec.cgroups",
                        cgroups.layout().name().toLowerCase(Locale.ROOT))
                : Map.of();
    }

    @Override
    public List<String> faults(Map<String, Object> config) {
        return Command.faults(config);
    }

    @Override
    public TaskHandle start(TaskConfig config) throws DriverTrouble, InterruptedException {
        List<String> faults = new ArrayList<>(faults(config.config()));
        ConfigTexts.checkVariables(config.env(), faults);
        if (!faults.isEmpty()) {
            throw ShimTasks.refused(config.id(), String.join("; ", faults));
        }
        return tasks.start(config.id(), name -> description(config, name));
    }

    private ShimDescription description(TaskConfig config, String name)
            throws KernelTrouble, DriverTrouble, InterruptedException {
        Command command = Command.of(config.config());
        Map<String, String> env = new TreeMap<>(config.env());
        env.putIfAbsent("PATH", PATH);
        Path program = program(command, config, env.getOrDefault("PATH", PATH));
        List<Long> user = user(config);
        Cgroups.Group group = cgroups.create(name);
        group.limit(limits(config.resources()));
        return new ShimDescription(
                new ShimDescription.Command(
                        program, command.args(), env, config.taskDir(), user, ProcessLimits.ofEach()),
                config.task(),
                config.logs().disabled()
                        ? Optional.empty()
                        : Optional.of(config.logs().directory()),
                config.logs().maxFiles(),
                config.logs().maxFileSize(),
                ShimTasks.number(ShimTasks.DEFAULT_SIGNAL, config.id()),
                ShimTasks.DEFAULT_TIMEOUT,
                group.directories(),
                tasks.shimCgroups());
    }

    private Path program(Command command, TaskConfig config, String path)
            throws KernelTrouble, DriverTrouble, InterruptedException {
        Optional<Path> absolute = command.absolute();
        return absolute.isPresent()
                ? absolute.get()
                : programs.first(config.id(), command.places(config.taskDir(), path))
                        .orElseThrow(() -> ShimTasks.refused(
                                config.id(),
                                "the command '"
                                        + command.command()
                                        + "' is neither in the task directory nor in PATH"));
    }

    /** A share of the processors by MHz, as job files ask for it; memory and processes up to their limits. */
    private static Cgroups.Limits limits(Resources resources) {
        return new Cgroups.Limits(
                resources.cpuMhz(), resources.memoryMb() * MEBI, resources.memoryLimitMb() * MEBI, ProcessLimits.TASKS);
    }

    private List<Long> user(TaskConfig config) throws DriverTrouble {
        boolean own = config.user().isEmpty() || config.user().equals(System.getProperty("user.name"));
        return own ? List.of() : users.ids(config.user());
    }

    @Override
    protected ShimTasks tasks() {
        return tasks;
    }
}
