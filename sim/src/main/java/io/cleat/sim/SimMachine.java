package io.cleat.sim;

import io.cleat.driver.ExitResult;
import io.cleat.driver.TaskConfig;
import io.cleat.state.ClaimRow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A machine: its mounts, its tasks and the plugins among them. They outlive the agent; of a reboot only files remain.
 */
final class SimMachine {
    final String name;

    /** What its agent calls the node; a copy of a machine calls it as that one does. */
    final String hostName;

    final Path directory;
    final SimMounts mounts;

    /** Whether its driver knows of no task of an allocation that nothing is written down of. */
    final boolean forgetsTasks;

    private final Scheduler scheduler;
    private final Chaos chaos;
    private final Trace trace;
    private final SimStorage storage;
    private final Thread.UncaughtExceptionHandler faults;
    private final TreeMap<String, SimTask> tasks = new TreeMap<>();
    private final Map<Path, SimPlugin> listening = new HashMap<>();
    private Duration wallAhead = Duration.ZERO;
    private final Set<String> lostAllocations = new HashSet<>();
    private final Set<String> crashed = new HashSet<>();
    private int boots;
    private int renames;
    private boolean isOff;
    private byte @Nullable [] lostIdentity;

    SimMachine(
            String name,
            String hostName,
            Path directory,
            Scheduler scheduler,
            Chaos chaos,
            Trace trace,
            SimStorage storage,
            Planted planted,
            Thread.UncaughtExceptionHandler faults) {
        this.name = name;
        this.hostName = hostName;
        this.directory = directory;
        this.scheduler = scheduler;
        this.chaos = chaos;
        this.trace = trace;
        this.storage = storage;
        this.mounts = new SimMounts(planted == Planted.BARE_BELIEVED);
        this.forgetsTasks = planted == Planted.DRIVER_NOT_ASKED;
        this.faults = faults;
    }

    String bootId() {
        return "boot-" + boots + "-of-" + name;
    }

    /** What plugins call it. */
    String nodeId() {
        return renames == 0 ? "ext-" + name : "ext-" + name + "-" + renames;
    }

    /** Whether plugins call it so, or did. */
    boolean isNode(String nodeId) {
        return nodeId.equals("ext-" + name) || nodeId.startsWith("ext-" + name + "-");
    }

    /** Its node forgets whom it has obeyed: as one that keeps nothing of it. */
    void forgetPast() {
        try {
            Files.deleteIfExists(directory.resolve("client/obeyed"));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Whether it was switched off. */
    boolean isOff() {
        return isOff;
    }

    void switchOff(boolean off) {
        trace.say(name, off ? "is switched off" : "is switched on");
        isOff = off;
    }

    /** What its agent found torn in its journal. */
    void told(Optional<String> torn) {
        torn.ifPresent(what -> {
            trace.say(name, "the journal was torn: " + what);
            trace.count("journals torn");
        });
    }

    // ---- its node's identity ----

    /** Takes the file away that says which node this is; false if it has nothing to lose yet. */
    boolean loseIdentity() {
        try {
            if (lostIdentity != null
                    || !Files.exists(identity())
                    || !Files.exists(directory.resolve("client/volumes.journal"))) {
                return false;
            }
            trace.say(name, "its node's identity is lost");
            trace.count("identities lost");
            lostIdentity = Files.readAllBytes(identity());
            Files.delete(identity());
            return true;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Whether it is a node, whose directory could be copied. */
    boolean hasIdentity() {
        return Files.exists(identity());
    }

    boolean isIdentityLost() {
        return lostIdentity != null;
    }

    /** Puts it back from a copy. */
    void restoreIdentity() {
        byte[] copy = lostIdentity;
        if (copy != null) {
            try {
                trace.say(name, "its node's identity is put back");
                Files.write(identity(), copy);
                lostIdentity = null;
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }

    private Path identity() {
        return directory.resolve("client/node");
    }

    SimProcess process(String role) {
        return new SimProcess(name + " " + role, scheduler, () -> wallAhead, faults);
    }

    void jumpClock(Duration by) {
        trace.say(name, "clock jumps by " + by);
        trace.count("clocks jumped");
        wallAhead = wallAhead.plus(by);
    }

    /** What its agent has written down of one allocation is lost. */
    void loseAllocation() {
        Path all = directory.resolve("client/allocations");
        if (!Files.isDirectory(all)) {
            return;
        }
        try (var found = Files.list(all)) {
            List<Path> files = found.sorted().toList();
            if (!files.isEmpty()) {
                Path lost = chaos.pick(files);
                trace.say(name, "the file of " + lost.getFileName() + " is lost");
                trace.count("files of allocations lost");
                Files.delete(lost);
                lostAllocations.add(lost.getFileName().toString().split("\\.", 2)[0]);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** A staging is unmounted, as by the helper of a driver or by a person. */
    void loseStaging() {
        mounts.loseStaging(chaos).ifPresent(at -> {
            trace.say(name, "the staging " + at + " is unmounted");
            trace.count("stagings lost");
        });
    }

    // ---- tasks ----

    Optional<SimTask> task(String id) {
        return Optional.ofNullable(tasks.get(id));
    }

    /** The tasks that run. */
    List<SimTask> running() {
        return tasks.values().stream().filter(this::isRunning).toList();
    }

    private boolean isRunning(SimTask task) {
        return task.exit == null && task.bootId.equals(bootId());
    }

    void notKnown() {
        trace.count("drivers that could not tell what runs");
    }

    void startTask(TaskConfig config) {
        if (tasks.containsKey(config.id())) {
            throw new IllegalStateException("task " + config.id() + " was started before");
        }
        SimTask task = new SimTask(config, bootId());
        tasks.put(config.id(), task);
        trace.say(name, "task " + config.id() + " starts");
        requireVolumes(task);
        requireOneRun(task);
        requireOneInstance(task);
        task.socket().ifPresent(socket -> scheduler.in(chaos.latency(50, 20_000), () -> startListening(task, socket)));
        long lifetime = task.number("lifetime_ms");
        if (lifetime > 0) {
            scheduler.in(
                    Duration.ofMillis(lifetime), () -> end(task, new ExitResult((int) task.number("exit"), 0, false)));
        }
    }

    private void requireOneRun(SimTask task) {
        running().stream()
                .filter(other -> other != task)
                .filter(other -> other.config.allocId().equals(task.config.allocId()))
                .filter(other -> other.config.task().equals(task.config.task()))
                .findFirst()
                .ifPresent(other ->
                        storage.broken("task " + task.config.id() + " starts while it runs as " + other.config.id()));
    }

    /**
     * Two of a plugin would want the same socket and lock, and the end of one breaks the other. One whose allocation is
     * lost is ended beside the next.
     */
    private void requireOneInstance(SimTask task) {
        running().stream()
                .filter(other -> other != task && task.socket().isPresent())
                .filter(other -> other.job().equals(task.job()))
                .filter(other -> !lostAllocations.contains(other.config.allocId()))
                .findFirst()
                .ifPresent(other -> storage.broken(
                        "plugin " + task.config.id() + " starts before " + other.config.id() + " has ended"));
    }

    /** What it writes into a directory of the machine itself is lost with it. */
    private void requireVolumes(SimTask task) {
        String files = directory.resolve("alloc").resolve(task.config.allocId()) + "/";
        mounts.bare(files)
                .ifPresent(at -> storage.broken("task " + task.config.id() + " starts with the bare directory " + at));
    }

    private void startListening(SimTask task, Path socket) {
        if (!isRunning(task)) {
            return;
        }
        try {
            Files.deleteIfExists(socket);
            Files.createFile(socket);
        } catch (IOException failed) {
            trace.say(name, "plugin " + task.config.id() + " cannot listen: " + failed);
            end(task, new ExitResult(1, 0, false));
            return;
        }
        String id = String.valueOf(task.config.config().get("plugin"));
        SimPlugin plugin = new SimPlugin(
                id,
                words(id, task),
                Boolean.TRUE.equals(task.config.config().get("holds")),
                this,
                process("plugin"),
                storage,
                chaos,
                trace);
        task.plugin = plugin;
        if (plugin.holdsMounts() && chaos.strikes(400)) {
            int healed = mounts.heal(plugin);
            trace.say(name, "plugin " + id + " mounts " + healed + " anew by itself");
            if (healed > 0) {
                trace.count("mounts that their plugin made anew");
            }
        }
        listening.put(socket, plugin);
    }

    /** What it says of itself this time, which is not always right. */
    private PluginWords words(String id, SimTask task) {
        boolean isDisks = id.equals(SimStorage.DISKS);
        if (isDisks && chaos.strikes(20)) {
            renames++;
            trace.count("nodes called otherwise");
        }
        boolean stages = isDisks != chaos.strikes(25);
        boolean expands = !chaos.strikes(50);
        PluginWords words = new PluginWords(
                id + ".example",
                isDisks,
                String.valueOf(task.config.config().get("command")),
                nodeId(),
                stages,
                expands);
        trace.say(name, "plugin " + id + " says " + words);
        if (!words.isRight()) {
            trace.count("plugins with wrong capabilities");
        }
        return words;
    }

    /** Ends plugins that say of themselves what is not so. */
    void endWrongPlugins() {
        for (SimTask task : running()) {
            SimPlugin plugin = task.plugin;
            if (plugin != null && !plugin.words.isRight()) {
                end(task, new ExitResult(1, 0, false));
            }
        }
    }

    /** Whether a claim's task sees its volume. */
    boolean shows(ClaimRow claim) {
        String files = directory.resolve("alloc").resolve(claim.allocId()) + "/";
        return mounts.volumes().stream()
                .anyMatch(mount -> mount.target().startsWith(files)
                        && mount.target().endsWith("/" + claim.alias())
                        && mount.source().equals(claim.key().externalId()));
    }

    /** Has nothing listen on a plugin's socket for a while, as when something else lies there. */
    void replaceSocket(Path socket, Duration pause) {
        SimPlugin plugin = listening.remove(socket);
        if (plugin != null) {
            trace.say(name, "the socket of " + plugin.pluginId + " is replaced for " + pause);
            trace.count("sockets replaced");
            scheduler.in(pause, () -> {
                if (plugin.process.isAlive()) {
                    listening.putIfAbsent(socket, plugin);
                }
            });
        }
    }

    /** The sockets on which a plugin listens. */
    List<Path> sockets() {
        return listening.keySet().stream().sorted().toList();
    }

    /** The plugin behind a socket, if one listens. */
    Optional<SimPlugin> listening(Path socket) {
        return Optional.ofNullable(listening.get(socket));
    }

    void stopTask(SimTask task, Duration timeout) {
        if (!isRunning(task)) {
            return;
        }
        scheduler.in(timeout, () -> end(task, new ExitResult(137, 9, false)));
        if (!task.isStubborn() && !task.isStopping) {
            task.isStopping = true;
            scheduler.in(chaos.latency(20, 8_000), () -> end(task, new ExitResult(143, 15, false)));
        }
    }

    void end(SimTask task, ExitResult exit) {
        if (!isRunning(task)) {
            return;
        }
        trace.say(name, "task " + task.config.id() + " ends with " + exit.exitCode());
        task.exit = exit;
        endPlugin(task);
        task.changed.all();
    }

    /** A plugin ends as by a fault of its own. */
    void crash(SimPlugin plugin) {
        trace.count("plugins that a call has ended");
        running().stream().filter(task -> task.plugin == plugin).forEach(task -> {
            crashed.add(task.config.allocId());
            end(task, new ExitResult(139, 11, false));
        });
    }

    /** Whether a plugin of that allocation has ended by a fault of its own. */
    boolean hasCrashed(String allocId) {
        return crashed.contains(allocId);
    }

    private void endPlugin(SimTask task) {
        SimPlugin plugin = task.plugin;
        if (plugin != null) {
            plugin.kill();
            if (!mounts.dead().isEmpty()) {
                trace.count("mounts lost");
            }
            listening.values().removeIf(each -> each == plugin);
        }
    }

    void forgetTask(String id) {
        SimTask task = tasks.get(id);
        if (task != null) {
            end(task, new ExitResult(137, 9, false));
            tasks.remove(id);
        }
    }

    /** What runs and what is mounted is gone, without a word; files stay. */
    void reboot() {
        trace.say(name, "reboots");
        trace.count("machines rebooted");
        List<SimTask> ran = running();
        boots++;
        for (SimTask task : ran) {
            endPlugin(task);
            task.changed.all();
        }
        mounts.clear();
        storage.rebooted(this);
    }

    // ---- what the agent clears ----

    /** Removes an allocation's directory, never across a mount. */
    void clear(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            try (var found = Files.walk(directory)) {
                for (Path path : found.sorted().toList().reversed()) {
                    Files.delete(path);
                }
            }
        }
    }

    static void makeDirectories(Path path) {
        try {
            Files.createDirectories(path);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
