package io.cleat.server.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.Ids;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.log.LogSettings;
import io.cleat.log.RatisLog;
import io.cleat.testkit.KilledJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a killed process had answered is there, at the version it had said, exactly once. */
final class CommitKillTest {
    @TempDir
    Path directory;

    @Test
    void acceptedDecisionsSurviveAKillInTheMiddleOfWriting() throws Exception {
        List<String> told = new ArrayList<>();
        SystemTime time = new SystemTime();
        Threads threads = Threads.virtual((where, fault) -> fault.printStackTrace());
        for (int round = 0; round < 3; round++) {
            told.addAll(KilledJvm.printed(
                    300 + 400 * round, KilledCommitter.class, directory.toString(), "round-" + round));
            RatisLog log = new RatisLog(
                    LogSettings.in(directory), time, threads, Ids.random(), (where, fault) -> fault.printStackTrace());
            try (Committer<Journal, String> committer =
                    new Committer<>(new Journal.Machine(1), log, time, threads, Ids.random())) {
                committer.start();
                assertTrue(committer.awaitReign(Deadline.in(time, Duration.ofSeconds(20))));
                List<String> texts = committer.applied().image().texts();
                for (String line : told) {
                    int space = line.indexOf(' ');
                    int version = Integer.parseInt(line.substring(0, space));
                    assertEquals(line.substring(space + 1), texts.get(version - 1));
                }
                assertEquals(texts.size(), new TreeSet<>(texts).size());
            }
        }
    }
}
