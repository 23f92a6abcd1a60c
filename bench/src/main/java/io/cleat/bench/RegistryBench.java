package io.cleat.bench;

import io.cleat.agent.plugins.Feed;
import io.cleat.agent.plugins.PluginKind;
import io.cleat.agent.plugins.PluginRegistry;
import io.cleat.agent.plugins.Registration;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Threads;
import io.cleat.model.ControllerCapability;
import io.cleat.model.PluginInstance;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a registration and a deregistration cost the plugin's supervisor with many subscribers, beside what they cost
 * without. The registry's file is in memory, so that the disk hides nothing.
 */
final class RegistryBench implements Bench {
    private static final int WARM = 300;
    private static final int TURNS = 15;
    private static final int PAIRS = 100;
    private static final double BUDGET = 1.5;
    private static final Path MEMORY = Path.of("/dev/shm");

    private final Threads threads = Threads.virtual(OwnProcess::endBy);

    @Override
    public String name() {
        return "registry";
    }

    @Override
    public String about() {
        return "registering a plugin beside 0 to 1,000 subscribers";
    }

    @Override
    public List<BenchRow> run(Path scratch) throws Exception {
        Path directory = Files.createTempDirectory(Files.isWritable(MEMORY) ? MEMORY : scratch, "cleat-bench-registry");
        List<Crowd> crowds = new ArrayList<>();
        try {
            crowds.add(new Crowd("no subscriber", directory.resolve("0"), 0, 0));
            crowds.add(new Crowd("1 subscriber", directory.resolve("1"), 1, 0));
            crowds.add(new Crowd("100 subscribers", directory.resolve("100"), 100, 0));
            crowds.add(new Crowd("1,000 subscribers", directory.resolve("1000"), 1000, 0));
            crowds.add(new Crowd("100, and one that never reads", directory.resolve("never"), 100, 1));
            for (int i = 0; i < TURNS; i++) {
                for (Crowd crowd : crowds) {
                    crowd.turn(i == 0 ? WARM : PAIRS);
                }
            }
        } finally {
            for (Crowd crowd : crowds) {
                crowd.registry.close();
                Files.deleteIfExists(crowd.file);
            }
            Files.delete(directory);
        }
        return crowds.stream().map(crowd -> row(crowd, crowds.getFirst())).toList();
    }

    private static BenchRow row(Crowd crowd, Crowd alone) {
        BenchRow row = BenchRow.of("register + deregister, " + crowd.name, crowd.times.median(), Unit.SECONDS)
                .detail(crowd.times.tail());
        return crowd.equals(alone)
                ? row
                : row.limit("without subscribers", alone.times.median())
                        .budget("independent: at most 1.5 x", crowd.times.median() <= BUDGET * alone.times.median());
    }

    /** A registry with its subscribers. */
    private final class Crowd {
        private final String name;
        private final Path file;
        private final PluginRegistry registry;
        private final int readers;
        private final AtomicLong read = new AtomicLong();
        private final Samples times = new Samples();
        private long told;

        Crowd(String name, Path file, int readers, int idlers) throws DiskTrouble {
            this.name = name;
            this.file = file;
            this.readers = readers;
            this.registry = new PluginRegistry(file, new Feed(threads));
            for (int i = 0; i < readers; i++) {
                threads.vitalWork("bench/reader", () -> readAll(registry.subscribe()));
            }
            for (int i = 0; i < idlers; i++) {
                registry.subscribe();
            }
            told = 1; // the snapshot that each begins with
        }

        private void readAll(Feed.Subscription subscription) throws InterruptedException {
            while (subscription.next().isPresent()) {
                read.incrementAndGet();
            }
        }

        /** Pairs one by one, each once every reader has read the one before. */
        void turn(int pairs) throws DiskTrouble, InterruptedException {
            for (int i = 0; i < pairs; i++) {
                while (read.get() < told * readers) {
                    Thread.sleep(0, 50_000);
                }
                long begin = System.nanoTime();
                registry.register(REGISTRATION);
                registry.deregister(PluginKind.NODE, "disks", "alloc");
                long end = System.nanoTime();
                told += 2;
                if (pairs != WARM) {
                    times.add(end - begin);
                }
            }
        }
    }

    private static final Registration REGISTRATION = new Registration(
            PluginKind.NODE,
            "disks",
            "alloc",
            "/run/csi.sock",
            "/volumes",
            "/volumes",
            new PluginInstance(
                    "disks",
                    "alloc",
                    true,
                    "healthy",
                    "disks.example",
                    "1.0",
                    false,
                    false,
                    Instant.EPOCH,
                    new PluginInstance.Controller(Set.<ControllerCapability>of(), false),
                    new PluginInstance.Node("node", Long.MAX_VALUE, null, Set.of())),
            null);
}
