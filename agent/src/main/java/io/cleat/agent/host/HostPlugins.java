package io.cleat.agent.host;

import io.cleat.base.KernelTrouble;
import io.cleat.base.Ordered;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.model.HostVolumeNames;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What makes host volumes on a node: the built-in plugin, and the programs of its operator, whose directory is looked
 * at again and again, so that they come and go while the agent runs. Any thread may ask; one looks.
 */
public final class HostPlugins {
    private static final Logger LOG = LoggerFactory.getLogger(HostPlugins.class);
    private static final Duration AGAIN = Duration.ofSeconds(30);

    private final Map<String, Known> builtIn;
    private final Optional<Programs> programs;
    private volatile Map<String, Known> external = Map.of();

    /** Written by who looks alone. */
    private final Set<String> told = new HashSet<>();

    /**
     * One that can be used.
     *
     * @param mark of its file
     */
    record Known(HostPlugin plugin, String version, String mark) {}

    /** Makes the plugin that a program is. */
    @FunctionalInterface
    interface Making {
        ExternalPlugin of(String name, PluginFiles.Program program);
    }

    /** Where the operator's are, and how one is made of a file. */
    record Programs(PluginFiles files, Making making) {}

    /** @param programs of the operator's; empty for none */
    HostPlugins(HostPlugin mkdir, Optional<Programs> programs) {
        this.builtIn = Map.of(HostVolumeNames.MKDIR, new Known(mkdir, MkdirPlugin.VERSION, ""));
        this.programs = programs;
    }

    Optional<HostPlugin> find(String name) {
        Known known = builtIn.containsKey(name) ? builtIn.get(name) : external.get(name);
        return Optional.ofNullable(known).map(Known::plugin);
    }

    /** What the node says of them, as attributes that jobs may ask for. */
    Map<String, String> attributes() {
        Map<String, String> attributes = new TreeMap<>();
        for (Map<String, Known> some : List.of(builtIn, external)) {
            some.forEach((name, known) -> attributes.put(HostVolumeNames.pluginAttribute(name), known.version()));
        }
        return attributes;
    }

    /** Looks for the operator's from now on, and runs {@code changed} whenever there are others. */
    void start(Threads threads, Time time, Runnable changed) {
        if (programs.isPresent()) {
            threads.vital("host-volumes/plugins", () -> {
                while (true) {
                    if (look()) {
                        changed.run();
                    }
                    time.sleep(AGAIN);
                }
            });
        }
    }

    /**
     * Looks which programs there are, and asks those for their versions that are new, or have not told it yet.
     *
     * @return whether there are others than before
     */
    boolean look() throws InterruptedException {
        if (programs.isEmpty()) {
            return false;
        }
        Map<String, Known> now = new TreeMap<>();
        Set<String> faults = new HashSet<>();
        try {
            PluginFiles.Found found = programs.get().files().look();
            faults.addAll(found.refused());
            for (Map.Entry<String, PluginFiles.Program> each : found.programs().entrySet()) {
                Known before = external.get(each.getKey());
                if (before != null && before.mark().equals(each.getValue().mark())) {
                    now.put(each.getKey(), before);
                } else {
                    asked(programs.get().making(), each.getKey(), each.getValue(), faults)
                            .ifPresent(known -> now.put(each.getKey(), known));
                }
            }
        } catch (KernelTrouble unusable) {
            faults.add(unusable.reason());
        }
        tell(faults);
        boolean areOthers = !versions(now).equals(versions(external));
        external = Ordered.copyOf(now);
        return areOthers;
    }

    private Optional<Known> asked(Making making, String name, PluginFiles.Program program, Set<String> faults)
            throws InterruptedException {
        ExternalPlugin plugin = making.of(name, program);
        try {
            return Optional.of(new Known(plugin, plugin.version(), program.mark()));
        } catch (KernelTrouble silent) {
            faults.add(silent.reason());
            return Optional.empty();
        }
    }

    private static Map<String, String> versions(Map<String, Known> plugins) {
        Map<String, String> versions = new TreeMap<>();
        plugins.forEach((name, known) -> versions.put(name, known.version()));
        return versions;
    }

    /** Each fault once, as long as it lasts. */
    private void tell(Set<String> faults) {
        told.retainAll(faults);
        for (String fault : faults) {
            if (told.add(fault)) {
                LOG.warn("{}; it is not used", fault);
            }
        }
    }
}
