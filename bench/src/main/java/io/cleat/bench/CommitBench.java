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
import io.cleat.log.fake.MemoryLog;
import io.cleat.server.commit.Answer;
import io.cleat.server.commit.Committer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.pcollections.PMap;

/**
 * Committed registrations per second and per flush at 1, 16 and 256 callers, in turns with the disk's own flushes, of
 * which the middle turn is told; and the same callers over a log that costs nothing, which shows that callers and
 * decider are not what is measured.
 */
final class CommitBench implements Bench {
    /** The image stays this large, or else a faster run would measure the collector. */
    private static final int ROWS = 10_240;

    private static final int TURNS = 5;
    private static final Duration DISK = Duration.ofMillis(500);
    private static final Duration WARM = Duration.ofSeconds(2);
    private static final Duration SPAN = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final SystemTime time = new SystemTime();
    private final FaultHandler faults = OwnProcess::endBy;
    private final Threads threads = Threads.virtual(faults);

    @Override
    public String name() {
        return "commit";
    }

    @Override
    public String about() {
        return "registrations through the durable log, at 1, 16 and 256 callers";
    }

    @Override
    public List<BenchRow> run(Path scratch) throws Exception {
        List<BenchRow> rows = new ArrayList<>();
        double free = median(new MemoryLog(), scratch, 256).perSecond();
        for (int callers : new int[] {1, 16, 256}) {
            Path directory = Files.createDirectory(scratch.resolve("log-" + callers));
            RatisLog log = new RatisLog(LogSettings.in(directory), time, threads, Ids.random(), faults);
            rows.add(row(callers, median(log, scratch, callers)));
        }
        rows.add(BenchRow.of("registrations, a log that costs nothing", free, Unit.PER_SECOND)
                .detail("256 callers: what the load generator and the decider can do"));
        return rows;
    }

    /**
     * Registrations a second of so many callers.
     *
     * @param directory empty, for the log
     */
    double perSecond(Path directory, int callers) throws Exception {
        RatisLog log = new RatisLog(LogSettings.in(directory), time, threads, Ids.random(), faults);
        return median(log, directory, callers).perSecond();
    }

    private static BenchRow row(int callers, Turn turn) {
        BenchRow row = BenchRow.of(
                        "registrations, " + callers + (callers == 1 ? " caller" : " callers"),
                        turn.perSecond(),
                        Unit.PER_SECOND)
                .limit("disk flushes", turn.disk())
                .detail("p50 "
                        + Unit.SECONDS.text(turn.times().median())
                        + ", "
                        + turn.times().tail()
                        + ", "
                        + Unit.number(turn.perFlush())
                        + " per flush");
        return switch (callers) {
            case 1 -> row.budget("half of the flushes", turn.perSecond() >= turn.disk() / 2);
            case 16 -> row.budget("3,250/s", turn.perSecond() >= 3250);
            default -> row.budget("10 per flush", turn.perFlush() >= 10);
        };
    }

    /**
     * What the callers did in one turn.
     *
     * @param disk flushes per second of the disk alone, around the turn
     */
    private record Turn(Samples times, long flushes, double disk) {
        double perSecond() {
            return times.count() / Samples.seconds(SPAN);
        }

        double perFlush() {
            return flushes == 0 ? 0 : (double) times.count() / flushes;
        }

        double ratio() {
            return perSecond() / disk;
        }
    }

    private Turn median(ReplicatedLog log, Path scratch, int callers) throws Exception {
        try (Committer<PMap<String, String>, String> committer =
                new Committer<>(new Registry(), log, time, threads, Ids.random())) {
            committer.start();
            if (!committer.awaitReign(Deadline.in(time, PATIENCE))) {
                throw new IllegalStateException("no leader within " + PATIENCE);
            }
            load(committer, callers, WARM);
            List<Turn> turns = new ArrayList<>();
            double before = Disk.flushesPerSecond(scratch, DISK);
            for (int i = 0; i < TURNS; i++) {
                long flushed = log.status().flushes();
                Samples times = load(committer, callers, SPAN);
                flushed = log.status().flushes() - flushed;
                double after = Disk.flushesPerSecond(scratch, DISK);
                turns.add(new Turn(times, flushed, (before + after) / 2));
                before = after;
            }
            turns.sort(Comparator.comparingDouble(Turn::ratio));
            return turns.get(TURNS / 2);
        }
    }

    private Samples load(Committer<PMap<String, String>, String> committer, int callers, Duration span)
            throws InterruptedException {
        long end = time.nanos() + span.toNanos();
        ConcurrentLinkedQueue<Samples> all = new ConcurrentLinkedQueue<>();
        List<Thread> running = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            String name = "caller-" + i + "-";
            running.add(threads.vitalWork("bench/" + name, () -> all.add(call(committer, name, ROWS / callers, end))));
        }
        for (Thread thread : running) {
            thread.join();
        }
        Samples times = new Samples();
        all.forEach(times::addAll);
        return times;
    }

    /** One caller, one registration after the other; how long each took. */
    private Samples call(Committer<PMap<String, String>, String> committer, String name, int names, long end)
            throws InterruptedException {
        Samples times = new Samples();
        for (int i = 0; time.nanos() < end; i++) {
            long begin = time.nanos();
            if (!isAccepted(committer, name + i % names)) {
                throw new IllegalStateException(name + " was not accepted");
            }
            times.add(time.nanos() - begin);
        }
        return times;
    }

    private boolean isAccepted(Committer<PMap<String, String>, String> committer, String name)
            throws InterruptedException {
        try {
            Answer<Long> answer =
                    committer.commit(Registry.registering(name), Optional.empty(), Deadline.in(time, PATIENCE));
            return answer instanceof Answer.Accepted;
        } catch (Trouble trouble) {
            throw new IllegalStateException(trouble.reason(), trouble);
        }
    }
}
