package io.cleat.driverkit;

import io.cleat.base.Deadline;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Time;
import io.cleat.driver.ConfigTexts;
import io.cleat.driver.DriverCapabilities;
import io.cleat.driver.ExecCommand;
import io.cleat.driver.ExecSession;
import io.cleat.driver.NetworkFiles;
import io.cleat.driver.OwnFiles;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.shim.ProcessLimits;
import io.cleat.driver.shim.ShimDriver;
import io.cleat.driver.shim.ShimTasks;
import io.cleat.driver.shim.Users;
import io.cleat.kernel.Cgroups;
import io.cleat.kernel.Processes;
import io.cleat.kernel.ShimDescription;
import io.cleat.model.Resources;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A driver whose tasks are programs of the machine. Its author says which program; what is here starts it with its
 * limits and as its user, without any privilege, keeps it when this program ends, and finds it again.
 *
 * <p>Used by any thread.
 */
public abstract class ProcessDriver extends ShimDriver implements PluginDriver {
    /** Who a task is whose job names no user. */
    private static final String DEFAULT_USER = "nobody";

    private static final Duration CLOSING = Duration.ofMillis(100);
    private static final long MEBI = 1 << 20;
    private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    /** Opens what the task writes to, which its user could not, and becomes the rest. */
    private static final String OPENING = "exec >\"$1\" 2>\"$2\"; shift 2; exec \"$@\"";

    private final Path shim;
    private final Time time;
    private final Users users = Users.ofThisMachine();

    /** What comes before a command of a task. */
    private final Map<String, List<String>> wordsOf = new ConcurrentHashMap<>();

    private volatile @Nullable Ground ground;

    /** Where tasks are kept. */
    private record Ground(Cgroups cgroups, TaskNetworks networks, ShimTasks tasks) {}

    /**
     * What a task runs.
     *
     * @param path absolute
     * @param args without the program itself
     */
    public record Program(Path path, List<String> args) {
        public Program {
            args = List.copyOf(args);
        }
    }

    /** @param shim the parent of every task; {@code scripts/shim.sh} builds it */
    protected ProcessDriver(Path shim, Time time) {
        this.shim = shim.toAbsolutePath();
        this.time = time;
    }

    /**
     * What a task runs. Its block has the shape of {@link #taskConfig}, and no {@link #faults}.
     *
     * @throws DriverTrouble if it cannot be run here; it is told to whoever wrote the job
     */
    protected abstract Program program(TaskConfig task) throws DriverTrouble;

    /** Settings of its own, beside {@code directory} and {@code cgroup}; none unless overridden. */
    protected List<BlockField> moreSettings() {
        return List.of();
    }

    @Override
    public final BlockShape settings() {
        List<BlockField> fields = new ArrayList<>(moreSettings());
        // Its tasks do not live longer than the machine, so neither does what is known of them.
        fields.add(BlockField.text("directory").or("/run/cleat-drivers/" + name()));
        fields.add(BlockField.text("cgroup").or("cleat-driver-" + name()));
        return BlockShape.of(fields.toArray(BlockField[]::new));
    }

    @Override
    public void configure(BlockValues settings) throws DriverTrouble {
        Path directory = Path.of(settings.text("directory").orElse("")).toAbsolutePath();
        String group = settings.text("cgroup").orElse("");
        if (group.isEmpty() || group.contains("/")) {
            throw wrong("cgroup is '" + group + "'; expected one name, without a slash");
        }
        OwnFiles.makeDirectory(directory);
        Cgroups cgroups = cgroups(group);
        TaskNetworks networks = new TaskNetworks(
                directory.resolveSibling(directory.getFileName() + ".networks"), new NetworkFiles(Path.of("/")));
        ground = new Ground(
                cgroups, networks, new ShimTasks(name(), shim, directory, cgroups, Processes.linux(), time, networks));
    }

    private Cgroups cgroups(String group) throws DriverTrouble {
        try {
            return Cgroups.linux(group, time);
        } catch (KernelTrouble failed) {
            throw new DriverTrouble(failed.reason(), failed.effect(), failed.retry(), failed);
        }
    }

    private static DriverTrouble wrong(String why) {
        return new DriverTrouble(why, Effect.NONE, Retry.NEVER);
    }

    /** Its control group, if no task is left in it. */
    @Override
    public void close() {
        Ground known = ground;
        if (known == null) {
            return;
        }
        try {
            for (String name : known.cgroups().names()) {
                known.cgroups().group(name).remove(Deadline.in(time, CLOSING));
            }
            known.cgroups().removeParent();
        } catch (KernelTrouble inUse) {
            // Tasks run on in it.
            return;
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    private Ground ground() {
        Ground known = ground;
        if (known == null) {
            throw new IllegalStateException("a task before its driver has its settings");
        }
        return known;
    }

    @Override
    protected final ShimTasks tasks() {
        return ground().tasks();
    }

    @Override
    public DriverCapabilities capabilities() {
        return new DriverCapabilities(true, true, DriverCapabilities.Isolation.NONE, false, true);
    }

    /** Its tasks see the network of their allocation. */
    @Override
    public boolean joinsNetworks() {
        return true;
    }

    @Override
    public final TaskHandle start(TaskConfig config, TaskOutput output) throws DriverTrouble, InterruptedException {
        List<String> faults = new ArrayList<>(faults(config.config()));
        ConfigTexts.check(config.config(), faults);
        ConfigTexts.checkVariables(config.env(), faults);
        if (!faults.isEmpty()) {
            throw ShimTasks.refused(config.id(), String.join("; ", faults));
        }
        Program program = program(config);
        List<String> before = before(config);
        TaskHandle handle = tasks().start(config.id(), name -> description(config, output, program, before, name));
        wordsOf.put(config.id(), before);
        return handle;
    }

    /** Puts it into its network, and takes every privilege away. */
    private List<String> before(TaskConfig config) throws DriverTrouble {
        List<String> words = ground().networks().words(ShimTasks.directoryName(config.id()), config.network());
        words.addAll(Unprivileged.as(users.ids(config.user().isEmpty() ? DEFAULT_USER : config.user())));
        return words;
    }

    private ShimDescription description(
            TaskConfig config, TaskOutput output, Program program, List<String> before, String name)
            throws KernelTrouble, DriverTrouble {
        ground().networks().write(name, config.network());
        Map<String, String> env = new TreeMap<>(config.env());
        env.putIfAbsent("PATH", PATH);
        Cgroups.Group group = ground().cgroups().create(name);
        group.limit(limits(config.resources()));
        List<String> words = new ArrayList<>();
        words.addAll(List.of(
                "-c", OPENING, name(), output.out().toString(), output.err().toString()));
        words.addAll(before);
        words.add(program.path().toString());
        words.addAll(program.args());
        return new ShimDescription(
                new ShimDescription.Command(
                        Path.of("/bin/sh"), words, env, config.taskDir(), List.of(), ProcessLimits.ofEach()),
                config.task(),
                Optional.empty(),
                1,
                1,
                ShimTasks.number(ShimTasks.DEFAULT_SIGNAL, config.id()),
                ShimTasks.DEFAULT_TIMEOUT,
                group.directories(),
                tasks().shimCgroups());
    }

    private static Cgroups.Limits limits(Resources resources) {
        return new Cgroups.Limits(
                resources.cpuMhz(), resources.memoryMb() * MEBI, resources.memoryLimitMb() * MEBI, ProcessLimits.TASKS);
    }

    @Override
    public Optional<TaskHandle> find(TaskConfig config) throws DriverTrouble, InterruptedException {
        Optional<TaskHandle> found = super.find(config);
        if (found.isPresent()) {
            wordsOf.put(config.id(), before(config));
        }
        return found;
    }

    /** Where the task is, as its user, with as little as the task has. */
    @Override
    public ExecSession exec(TaskHandle task, ExecCommand command) throws DriverTrouble {
        List<String> before = wordsOf.get(task.id());
        if (before == null) {
            throw ShimTasks.refused(task.id(), "nobody has said whom it runs as");
        }
        List<String> words = new ArrayList<>(before);
        words.addAll(command.words());
        return super.exec(task, new ExecCommand(words, command.terminal()));
    }

    @Override
    public void destroy(TaskHandle task) throws DriverTrouble, InterruptedException {
        super.destroy(task);
        wordsOf.remove(task.id());
    }
}
