package io.cleat.agent.plugins;

import io.cleat.agent.plugins.PluginTasks.Listener;
import io.cleat.agent.plugins.PluginTasks.PluginTask;
import io.cleat.agent.report.News;
import io.cleat.base.BackOff;
import io.cleat.base.Chance;
import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.FaultHandler;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Time;
import io.cleat.csi.CsiTrouble;
import io.cleat.csi.PluginChannel;
import io.cleat.model.NodeEvent;
import io.cleat.model.PluginInstance;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Watches one plugin task: waits until it answers, registers it, then probes it for as long as it runs.
 *
 * <p>Healthy is said only once it is registered; a registration that fails is tried again. Losing health later ends
 * nothing: the plugin is shown unhealthy with its reason, and probed on. That goes for one that an earlier agent
 * registered too: it may hold mounts, which end with it. One thread.
 */
final class Supervision {
    static final String HEALTHY = "Plugin became healthy";
    static final String UNHEALTHY = "Plugin became unhealthy";

    /** What comes after the socket waits for this. */
    private static final BackOff LOOKING = new BackOff(Duration.ofMillis(10), Duration.ofMillis(50));

    private static final BackOff ANSWERING = new BackOff(Duration.ofMillis(10), Duration.ofMillis(100));
    private static final BackOff REGISTERING = new BackOff(Duration.ofMillis(100), Duration.ofSeconds(30));
    private static final Duration PROBE_WITHIN = Duration.ofSeconds(5);
    private static final Duration PROBE_EVERY = Duration.ofSeconds(30);

    private final PluginTask task;
    private final ControlDirectory control;
    private final Path socket;
    private final Path volumes;
    private final Path pluginRoot;
    private final Listener listener;
    private final LivePlugins plugins;
    private final News news;
    private final Time time;
    private final Chance chance;
    private final FaultHandler faults;

    Supervision(
            PluginTask task,
            ControlDirectory control,
            Path volumes,
            Path pluginRoot,
            Listener listener,
            LivePlugins plugins,
            News news,
            Time time,
            Chance chance,
            FaultHandler faults) {
        this.faults = faults;
        this.task = task;
        this.control = control;
        this.socket = control.socket();
        this.volumes = volumes;
        this.pluginRoot = pluginRoot;
        this.listener = listener;
        this.plugins = plugins;
        this.news = news;
        this.time = time;
        this.chance = chance;
    }

    /**
     * Runs until interrupted, or until the plugin was not healthy in its time. A fault, which its answers may lead to,
     * makes it unhealthy, and it is looked at anew a little later.
     */
    void run() throws InterruptedException {
        for (int failures = 0; ; failures++) {
            try {
                supervise();
                return;
            } catch (RuntimeException | Error fault) {
                contain(fault);
                tell(fault);
            }
            time.sleep(REGISTERING.wait(failures, chance));
        }
    }

    private void contain(Throwable fault) {
        faults.contain("plugin/" + task.spec().id() + "/" + task.allocId(), fault);
    }

    /** What hears of a fault may be what has it; the plugin is looked at anew all the same. */
    private void tell(Throwable fault) {
        try {
            faulted(fault);
        } catch (RuntimeException | Error another) {
            contain(another);
        }
    }

    private void faulted(Throwable fault) {
        String words = "error: a fault of the agent, see its log: " + fault;
        Optional<PluginInstance> known = registered();
        if (known.isEmpty() || known.get().healthy()) {
            listener.event(UNHEALTHY, words);
        }
        if (known.isPresent() && known.get().healthy()) {
            try {
                keep(PluginReading.unhealthy(known.get(), words, time));
            } catch (DiskTrouble trouble) {
                listener.event(UNHEALTHY, words + "; not written down: " + trouble.reason());
            }
        }
    }

    private void supervise() throws InterruptedException {
        PluginChannel channel = plugins.channel(task.spec().id(), socket);
        Optional<PluginInstance> known = registered();
        Optional<String> notReady = becomesReady(channel);
        if (notReady.isPresent() && known.isEmpty()) {
            neverHealthy(notReady.get());
            return;
        }
        PluginInstance instance = notReady.isPresent() && known.isPresent()
                ? unhealthy(known.get(), notReady.get())
                : register(channel, known);
        for (; ; ) {
            time.sleep(PROBE_EVERY);
            instance = look(channel, instance);
        }
    }

    private Optional<PluginInstance> registered() {
        return task.kinds().stream()
                .flatMap(kind -> plugins.registered(kind, task.spec().id(), task.allocId()).stream())
                .map(Registration::facts)
                .findFirst();
    }

    /** Waits for as long as its health timeout; says why it is not ready then. */
    private Optional<String> becomesReady(PluginChannel channel) throws InterruptedException {
        Deadline deadline = Deadline.in(time, task.spec().healthTimeout());
        String why = "its socket " + socket + " is not there";
        int failures = 0;
        int looks = 0;
        while (!deadline.isExpired()) {
            try {
                if (!control.hasSocket(deadline.atMost(PROBE_WITHIN))) {
                    time.sleep(LOOKING.wait(looks++, chance));
                    continue;
                }
                if (channel.identity().isReadyNow(deadline.atMost(PROBE_WITHIN))) {
                    return Optional.empty();
                }
                why = "it answers that it is not ready";
            } catch (CsiTrouble | KernelTrouble trouble) {
                // A try that its time cut short says less than one before it.
                if (failures == 0 || !deadline.isExpired()) {
                    why = trouble.reason();
                }
            }
            time.sleep(ANSWERING.wait(failures++, chance));
        }
        return Optional.of(why);
    }

    private void neverHealthy(String why) {
        listener.event(UNHEALTHY, "Error: CSI plugin failed probe: " + why);
        listener.neverHealthy("CSI plugin did not become healthy before configured "
                + task.spec().healthTimeout().toSeconds()
                + "s health timeout");
    }

    /** Of one that was registered before. */
    private PluginInstance unhealthy(PluginInstance known, String why) {
        String words = "error: CSI plugin failed probe: " + why;
        PluginInstance now = PluginReading.unhealthy(known, words, time);
        try {
            keep(now);
        } catch (DiskTrouble trouble) {
            listener.event(UNHEALTHY, words + "; not written down: " + trouble.reason());
            return known;
        }
        if (known.healthy()) {
            say(false, words);
        }
        return now;
    }

    private PluginInstance register(PluginChannel channel, Optional<PluginInstance> known) throws InterruptedException {
        for (int failures = 0; ; failures++) {
            String why;
            try {
                PluginInstance instance = PluginReading.read(task, channel, time, Deadline.in(time, PROBE_WITHIN));
                Optional<String> taken = taken(instance);
                if (taken.isPresent()) {
                    refused(failures, taken.get());
                    time.sleep(REGISTERING.wait(failures, chance));
                    continue;
                }
                keep(instance);
                if (known.isEmpty() || !known.get().healthy()) {
                    say(true, "plugin: " + task.spec().id());
                }
                return instance;
            } catch (CsiTrouble trouble) {
                why = trouble.reason();
            } catch (DiskTrouble trouble) {
                why = trouble.reason();
            }
            refused(failures, why);
            time.sleep(REGISTERING.wait(failures, chance));
        }
    }

    private void refused(int failures, String why) {
        if (failures == 0) {
            listener.event(
                    UNHEALTHY, "failed to register plugin: " + task.spec().id() + ", reason: " + why);
        }
    }

    /** Why the plugin's id is another's: a driver of another provider does not know what the first one has mounted. */
    private Optional<String> taken(PluginInstance instance) {
        return task.kinds().stream()
                .flatMap(kind -> plugins.ofPlugin(kind, task.spec().id()).stream())
                .filter(other -> !other.allocId().equals(task.allocId()))
                .filter(other -> !other.facts().provider().equals(instance.provider()))
                .findFirst()
                .map(other -> "the id is that of provider "
                        + other.facts().provider()
                        + " (allocation "
                        + other.allocId()
                        + ") on this node, and this is provider "
                        + instance.provider()
                        + ": give one of them another id");
    }

    /** Probes, and reads again what the plugin says of itself: it may have been replaced behind its socket. */
    private PluginInstance look(PluginChannel channel, PluginInstance before) throws InterruptedException {
        PluginInstance now;
        String words;
        try {
            Deadline deadline = Deadline.in(time, PROBE_WITHIN);
            if (channel.identity().isReady(deadline)) {
                now = PluginReading.read(task, channel, time, deadline);
                words = "plugin: " + task.spec().id();
            } else {
                words = "error: it answers that it is not ready";
                now = PluginReading.unhealthy(before, words, time);
            }
        } catch (CsiTrouble trouble) {
            words = "error: " + trouble.reason();
            now = PluginReading.unhealthy(before, words, time);
        }
        try {
            keep(now);
        } catch (DiskTrouble trouble) {
            listener.event(
                    UNHEALTHY, "failed to register plugin: " + task.spec().id() + ", reason: " + trouble.reason());
            return before;
        }
        if (now.healthy() != before.healthy()) {
            say(now.healthy(), words);
        }
        return now;
    }

    /** Registers for each service, or for none; what did not change keeps its time. */
    private void keep(PluginInstance answered) throws DiskTrouble {
        PluginInstance instance = registered().map(answered::since).orElse(answered);
        List<PluginKind> done = new ArrayList<>();
        try {
            for (PluginKind kind : task.kinds()) {
                boolean isNew = plugins.registered(kind, task.spec().id(), task.allocId())
                        .isEmpty();
                plugins.register(new Registration(
                        kind,
                        task.spec().id(),
                        task.allocId(),
                        socket.toString(),
                        volumes.toString(),
                        pluginRoot.toString(),
                        instance,
                        task.spec().onMountLoss()));
                if (isNew) {
                    done.add(kind);
                }
            }
        } catch (DiskTrouble trouble) {
            for (PluginKind kind : done) {
                plugins.deregister(kind, task.spec().id(), task.allocId());
            }
            throw trouble;
        }
        news.factsChanged();
    }

    private void say(boolean healthy, String words) {
        listener.event(healthy ? HEALTHY : UNHEALTHY, words.isEmpty() ? "Unknown Reason" : words);
        for (PluginKind kind : task.kinds()) {
            news.nodeEvent(new NodeEvent(
                    "CSI",
                    healthy ? "healthy" : "unhealthy",
                    Map.of("plugin", task.spec().id(), "type", kind == PluginKind.NODE ? "node" : "controller"),
                    time.now()));
        }
    }
}
