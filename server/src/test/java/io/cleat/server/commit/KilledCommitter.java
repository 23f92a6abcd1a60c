package io.cleat.server.commit;

import io.cleat.base.Deadline;
import io.cleat.base.Ids;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.log.LogSettings;
import io.cleat.log.RatisLog;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The program that {@link CommitKillTest} kills: sixteen callers write lines without an end and print each accepted
 * one.
 */
final class KilledCommitter {
    private KilledCommitter() {}

    public static void main(String[] arguments) throws Exception {
        SystemTime time = new SystemTime();
        Threads threads = Threads.virtual((where, fault) -> fault.printStackTrace());
        RatisLog log = new RatisLog(
                // A snapshot every 50 entries, so that kills meet them being written.
                new LogSettings(Path.of(arguments[0]), Optional.empty(), 1 << 20, 50, 1 << 20, 0),
                time,
                threads,
                Ids.random(),
                (where, fault) -> fault.printStackTrace());
        try (Committer<Journal, String> committer =
                new Committer<>(new Journal.Machine(1), log, time, threads, Ids.random())) {
            committer.start();
            Thread last = Thread.currentThread();
            for (int caller = 0; caller < 16; caller++) {
                String name = arguments[1] + "-" + caller + "-";
                last = threads.vitalWork(name, () -> write(committer, time, name));
            }
            last.join();
        }
    }

    private static void write(Committer<Journal, String> committer, SystemTime time, String name)
            throws InterruptedException {
        for (int i = 0; ; i++) {
            String text = name + i;
            try {
                Answer<Integer> answer = committer.commit(
                        Journal.writing(text), Optional.empty(), Deadline.in(time, Duration.ofSeconds(30)));
                if (answer instanceof Answer.Accepted<Integer> accepted) {
                    System.out.println(accepted.version() + " " + text);
                }
            } catch (io.cleat.base.LogTrouble trouble) {
                System.err.println(trouble);
            }
        }
    }
}
