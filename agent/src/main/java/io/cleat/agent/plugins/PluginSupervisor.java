package io.cleat.agent.plugins;

import io.cleat.agent.report.News;
import io.cleat.base.BackOff;
import io.cleat.base.Chance;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.PluginTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import io.cleat.csi.RunEnds;
import io.cleat.csi.RunEnds.During;
import io.cleat.kernel.Mounts;
import io.cleat.kernel.Paths;
import io.cleat.model.NodeEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes tasks that are plugins into plugins: directories before, supervision while they run, and nothing left of them
 * after.
 *
 * <p>Guarded by {@code lock}, never held during a call.
 */
public final class PluginSupervisor implements PluginTasks {
    private static final Logger LOG = LoggerFactory.getLogger(PluginSupervisor.class);
    private static final BackOff AGAIN = new BackOff(Duration.ofMillis(100), Duration.ofSeconds(10));

    static final String ENDED_DURING_CALL = "Plugin ended during a call";

    /** So many calls are named in an event. */
    private static final int NAMED = 5;

    /** After so many tries more, some 6 s, what is left of a plugin's control directory stays. */
    private static final int MOST_CLEARINGS = 6;

    private final PluginPaths paths;
    private final Mounts mounts;
    private final Function<String, Paths> workers;
    private final Function<String, Set<Path>> roots;
    private final LivePlugins plugins;
    private final News news;
    private final Threads threads;
    private final Time time;
    private final Chance chance;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Supervised> supervised = new HashMap<>();

    private record Supervised(Thread thread, Listener listener) {}

    /**
     * @param workers by plugin id, those who touch what is a plugin's
     * @param roots by plugin id, the roots it was told for what it has mounted here
     */
    public PluginSupervisor(
            PluginPaths paths,
            Mounts mounts,
            Function<String, Paths> workers,
            Function<String, Set<Path>> roots,
            LivePlugins plugins,
            News news,
            Threads threads,
            Time time,
            Chance chance) {
        this.paths = paths;
        this.mounts = mounts;
        this.workers = workers;
        this.roots = roots;
        this.plugins = plugins;
        this.news = news;
        this.threads = threads;
        this.time = time;
        this.chance = chance;
    }

    @Override
    public Prepared beforeStart(PluginTask task) throws Trouble, InterruptedException {
        Path socket = paths.socket(task);
        requireSameRoot(task);
        forgetEarlier(task);
        ControlDirectory control = control(task, socket);
        control.make();
        if (!task.isolated()) {
            return new Prepared("unix://" + socket, List.of());
        }
        return new Prepared(
                "unix://" + task.spec().mountDir() + "/csi.sock",
                List.of(
                        new HostMount(control.path(), task.spec().mountDir(), "bidirectional"),
                        volumesOf(task),
                        new HostMount(Path.of("/dev"), "/dev", "private")));
    }

    @Override
    public HostMount volumes(PluginTask task) throws Trouble, InterruptedException {
        PluginPaths.requireRoot(task);
        control(task, paths.socket(task)).makeVolumes();
        return volumesOf(task);
    }

    private HostMount volumesOf(PluginTask task) {
        return new HostMount(
                paths.volumes(task.spec().id()), paths.pluginRoot(task).toString(), "bidirectional");
    }

    private ControlDirectory control(PluginTask task, Path socket) {
        return new ControlDirectory(
                paths, task, socket, workers.apply(task.spec().id()), mounts, time);
    }

    /** What an earlier run is registered as is not there any more, and may have been elsewhere. */
    private void forgetEarlier(PluginTask task) throws DiskTrouble {
        plugins.remove(task.kinds(), task.spec().id(), task.allocId(), socketOf(task));
    }

    /**
     * The socket of a task that was started: where it is registered, which an earlier version had elsewhere, or else
     * where it is to be.
     */
    private Path socketOf(PluginTask task) {
        return task.kinds().stream()
                .flatMap(kind -> plugins.registered(kind, task.spec().id(), task.allocId()).stream())
                .map(known -> Path.of(known.socket()))
                .findFirst()
                .orElseGet(() -> paths.expected(task));
    }

    /**
     * A plugin that was told another root could not find what it has mounted. Only the node service mounts: a
     * controller is told of no path.
     */
    private void requireSameRoot(PluginTask task) throws PluginTrouble {
        PluginPaths.requireRoot(task);
        if (!task.spec().type().servesNode()) {
            return;
        }
        Path root = paths.pluginRoot(task);
        for (Path told : roots.apply(task.spec().id())) {
            if (!told.equals(root)) {
                throw new PluginTrouble(
                        "plugin \""
                                + task.spec().id()
                                + "\" has volumes on this node below "
                                + told
                                + ", and this definition would show them to it below "
                                + root
                                + ": keep stage_publish_base_dir and the driver until they are unmounted",
                        Effect.NONE,
                        Retry.NEVER);
            }
        }
    }

    @Override
    public void afterStart(PluginTask task, Listener listener) {
        lock.lock();
        try {
            if (supervised.containsKey(key(task))) {
                return;
            }
            Supervision supervision = new Supervision(
                    task,
                    control(task, socketOf(task)),
                    paths.volumes(task.spec().id()),
                    paths.pluginRoot(task),
                    listener,
                    plugins,
                    news,
                    time,
                    chance,
                    threads.faults());
            supervised.put(
                    key(task),
                    new Supervised(
                            threads.contained("plugin/" + key(task), supervision::run, Threads.OnFault.NOTHING_MORE),
                            listener));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void afterEnd(PluginTask task, RunEnds.Reason why) throws InterruptedException {
        ControlDirectory control = control(task, socketOf(task));
        plugins.ended(control.socket(), why);
        @Nullable Supervised supervision;
        lock.lock();
        try {
            supervision = supervised.remove(key(task));
        } finally {
            lock.unlock();
        }
        if (supervision != null) {
            supervision.thread().interrupt();
            supervision.thread().join();
        }
        for (int failures = 0; ; failures++) {
            try {
                plugins.remove(task.kinds(), task.spec().id(), task.allocId(), control.socket());
                break;
            } catch (DiskTrouble trouble) {
                LOG.warn("plugin {} is not taken out yet: {}", key(task), trouble.reason());
                time.sleep(AGAIN.wait(failures, chance));
            }
        }
        List<During> during = plugins.endedDuring(control.socket());
        if (supervision != null) {
            tell(task, supervision.listener(), during);
        }
        clear(task, control);
        news.factsChanged();
    }

    private static void tell(PluginTask task, Listener listener, List<During> during) {
        List<String> withheld =
                during.stream().filter(During::isWithheld).map(During::call).toList();
        if (!withheld.isEmpty()) {
            listener.event(
                    ENDED_DURING_CALL,
                    "it ended again during "
                            + withheld.getFirst()
                            + ", which is not made again until you restart the plugin with: cleat alloc restart "
                            + task.allocId()
                            + " (or register a plugin job that is mended)");
        } else if (!during.isEmpty()) {
            String calls = during.stream().limit(NAMED).map(During::call).collect(Collectors.joining(", "));
            int more = during.size() - NAMED;
            listener.event(
                    ENDED_DURING_CALL,
                    "it ended during "
                            + calls
                            + (more > 0 ? " and " + more + " more" : "")
                            + (during.size() == 1
                                    ? ", which is made again, alone"
                                    : ", which are made again one at a time"));
        }
    }

    /**
     * Removes the control directory. It was the plugin's to write in and to mount on, so it may be made such that it
     * cannot be removed: then it stays, and that is told.
     */
    private void clear(PluginTask task, ControlDirectory control) throws InterruptedException {
        for (int failures = 0; ; failures++) {
            try {
                if (!control.clear()) {
                    LOG.warn("plugin {} left files in {}", key(task), control.path());
                }
                return;
            } catch (KernelTrouble trouble) {
                if (failures == MOST_CLEARINGS) {
                    LOG.warn("plugin {} leaves {}: {}", key(task), control.path(), trouble.reason());
                    news.nodeEvent(new NodeEvent(
                            "CSI",
                            "Control directory of a plugin was left",
                            Map.of("plugin", task.spec().id(), "alloc_id", task.allocId(), "error", trouble.reason()),
                            time.now()));
                    return;
                }
                time.sleep(AGAIN.wait(failures, chance));
            }
        }
    }

    private static String key(PluginTask task) {
        return task.spec().id() + "/" + task.allocId() + "/" + task.task();
    }
}
