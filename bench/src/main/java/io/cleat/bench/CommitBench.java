package io.cleat.bench;

import io.cleat.base.Deadline;
import io.cleat.base.FaultHandler;
import io.cleat.base.Ids;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.base.Trouble;
import io.cleat.log.LogSettings;
import io.cleat.log.RatisLog;
import io.cleat.log.ReplicatedLog;
import io.cleat.server.commit.Answer;
import io.cleat.server.commit.Committer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.pcollections.PMap;

/**
 * Committed registrations per second and per flush at 1, 16 and 256 callers, beside the disk's own
 * rate of flushes before and after, and beside the same callers over a log that costs nothing,
 * which shows that callers and decider are not what is measured.
 */
final class CommitBench implements Bench {
    /** The image stays this large, or else a faster run would measure the collector. */
    private static final int ROWS = 10_240;

    private static final Duration DISK = Duration.ofMillis(1500);
    private static final Duration WARM = Duration.ofSeconds(2);
    private static final Duration SPAN = Duration.ofSeconds(4);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final SystemTime time = new SystemTime();
    private final FaultHandler faults =
            (where, fault) -> {
                fault.printStackTrace();
                Runtime.getRuntime().halt(1);
            };
    private final Threads threads = Threads.virtual(faults);

    @Override
    public String name() {
        return "commit";
    }

    @Override
    public List<BenchRow> run(Path scratch) throws Exception {
        List<BenchRow> rows = new ArrayList<>();
        Load free = load(new MemoryLog(), "free", 256);
        for (int callers : new int[] {1, 16, 256}) {
            double before = Disk.flushesPerSecond(scratch, DISK);
            Path directory = Files.createDirectory(scratch.resolve("log-" + callers));
            RatisLog log =
                    new RatisLog(LogSettings.in(directory), time, threads, Ids.random(), faults);
            Load load = load(log, "c" + callers, callers);
            // Others use the disk too: its rate is that around the row, not that of one moment.
            double disk = (before + Disk.flushesPerSecond(scratch, DISK)) / 2;
            rows.add(row(callers, load, disk));
        }
        rows.add(
                BenchRow.plain(
                        "the same, 256 callers, a log that costs nothing",
                        figure(free.perSecond()) + "/s",
                        ""));
        return rows;
    }

    private static BenchRow row(int callers, Load load, double disk) {
        String measured =
                figure(load.perSecond())
                        + "/s, p50 "
                        + figure(load.micros(50))
                        + " us, p99 "
                        + figure(load.micros(99))
                        + " us, "
                        + String.format(Locale.ROOT, "%.1f", load.perFlush())
                        + " per flush";
        return new BenchRow(
                "registrations, callers: " + callers,
                measured,
                figure(disk) + " flushes/s",
                switch (callers) {
                    case 1 -> "half of the flush rate";
                    case 16 -> "3,250/s";
                    default -> "10 per flush";
                },
                switch (callers) {
                    case 1 -> load.perSecond() >= disk / 2;
                    case 16 -> load.perSecond() >= 3250;
                    default -> load.perFlush() >= 10;
                });
    }

    private static String figure(double number) {
        return String.format(Locale.ROOT, "%,.0f", number);
    }

    /** What the callers did in the measured span; times in nanoseconds, sorted. */
    private record Load(List<Long> times, long flushes) {
        double perSecond() {
            return times.size() / (SPAN.toNanos() / 1e9);
        }

        double perFlush() {
            return flushes == 0 ? 0 : (double) times.size() / flushes;
        }

        double micros(int percent) {
            return times.isEmpty() ? 0 : times.get(times.size() * percent / 100) / 1e3;
        }
    }

    private Load load(ReplicatedLog log, String prefix, int callers) throws Exception {
        try (Committer<PMap<String, String>, String> committer =
                new Committer<>(new Registry(), log, time, threads, Ids.random())) {
            committer.start();
            if (!committer.awaitReign(Deadline.in(time, PATIENCE))) {
                throw new IllegalStateException("no leader within " + PATIENCE);
            }
            long from = time.nanos() + WARM.toNanos();
            long to = from + SPAN.toNanos();
            ConcurrentLinkedQueue<long[]> all = new ConcurrentLinkedQueue<>();
            List<Thread> running = new ArrayList<>();
            for (int i = 0; i < callers; i++) {
                String name = prefix + "-" + i + "-";
                running.add(
                        threads.start(
                                "bench/" + name,
                                () -> all.add(call(committer, name, ROWS / callers, from, to))));
            }
            time.sleep(Duration.ofNanos(from - time.nanos()));
            long before = log.status().flushes();
            time.sleep(Duration.ofNanos(Math.max(0, to - time.nanos())));
            long counted = log.status().flushes() - before;
            for (Thread thread : running) {
                thread.join();
            }
            List<Long> times = new ArrayList<>();
            all.forEach(part -> Arrays.stream(part).forEach(times::add));
            times.sort(null);
            return new Load(times, counted);
        }
    }

    /** One caller, one registration after the other; how long each took that ended in the span. */
    private long[] call(
            Committer<PMap<String, String>, String> committer,
            String name,
            int names,
            long from,
            long to)
            throws InterruptedException {
        long[] times = new long[1 << 10];
        int count = 0;
        for (int i = 0; time.nanos() < to; i++) {
            long begin = time.nanos();
            if (!isAccepted(committer, name + i % names)) {
                throw new IllegalStateException(name + " was not accepted");
            }
            long end = time.nanos();
            if (begin >= from && end <= to) {
                if (count == times.length) {
                    times = Arrays.copyOf(times, 2 * count);
                }
                times[count++] = end - begin;
            }
        }
        return Arrays.copyOf(times, count);
    }

    private boolean isAccepted(Committer<PMap<String, String>, String> committer, String name)
            throws InterruptedException {
        try {
            Answer<Long> answer =
                    committer.commit(
                            Registry.registering(name),
                            Optional.empty(),
                            Deadline.in(time, PATIENCE));
            return answer instanceof Answer.Accepted;
        } catch (Trouble trouble) {
            throw new IllegalStateException(trouble.reason(), trouble);
        }
    }
}
