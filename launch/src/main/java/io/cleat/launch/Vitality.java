package io.cleat.launch;

import io.cleat.api.AgentHealth;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Threads;
import io.cleat.base.Watched;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** How an agent watches itself: what its health and its figures say of it, and how it ends. */
final class Vitality {
    /** A disk that hangs must not keep what is stuck alive. */
    private static final Duration DUMPING = Duration.ofSeconds(10);

    private final Path dumps;
    private final Ports ports;
    private volatile @Nullable Watchdog watchdog;
    private @Nullable Thread watching;

    /** @param dumps the directory for thread dumps */
    Vitality(Path dumps, Ports ports) {
        this.dumps = dumps;
        this.ports = ports;
    }

    /** Watches from now on. */
    void watch(List<Watched> watched) {
        // The kernel's threads: those of the others may all be busy with what hangs.
        Threads threads = Threads.platform(ports.faults());
        Watchdog made =
                new Watchdog(watched, ports.time(), what -> ports.faults().stuck(what, dump(threads)));
        watchdog = made;
        watching = threads.vital("watchdog", made::run);
    }

    private String dump(Threads threads) {
        AtomicReference<String> told = new AtomicReference<>("could not be written in time");
        Thread dumping = threads.contained(
                "watchdog/dump",
                () -> {
                    try {
                        Path file = ThreadDump.write(dumps, ports.time().now());
                        told.set(file.toString());
                    } catch (DiskTrouble trouble) {
                        told.set(trouble.reason());
                    }
                },
                fault -> told.set(fault.toString()));
        try {
            dumping.join(DUMPING);
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
        return told.get();
    }

    /** What is stuck, in words; empty if all goes on. */
    Optional<String> stuck() {
        return Optional.ofNullable(watchdog).flatMap(Watchdog::stuck);
    }

    /** The health of the parts that run, which is bad for all of them while anything is stuck. */
    AgentHealth health(AgentHealth.@Nullable Part client, AgentHealth.@Nullable Part server) {
        return stuck().map(words -> new AgentHealth.Part(words, false))
                .map(bad -> new AgentHealth(client == null ? null : bad, server == null ? null : bad))
                .orElseGet(() -> new AgentHealth(client, server));
    }

    /** Figures of this process, by name. */
    Map<String, Double> figures() {
        Watchdog watched = watchdog;
        Map<String, Double> figures = new TreeMap<>(RuntimeFigures.now());
        figures.put("cleat.faults.contained", (double) ports.faults().contained());
        figures.put("cleat.stuck_seconds", watched == null ? 0 : watched.stuckSeconds());
        return figures;
    }

    /** Watches no more: what is closed does not go on. */
    void end() throws InterruptedException {
        if (watching != null) {
            watching.interrupt();
            watching.join();
        }
    }
}
