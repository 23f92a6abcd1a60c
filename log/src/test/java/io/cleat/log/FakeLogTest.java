package io.cleat.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Chance;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.base.Trouble;
import io.cleat.log.fake.FakeDisk;
import io.cleat.log.fake.FakeLog;
import io.cleat.log.fake.FakeMix;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The fake obeys the contract when calm, and what it may do when rough is really done. */
final class FakeLogTest extends ReplicatedLogContract {
    private final FakeDisk disk = new FakeDisk();

    @Override
    ReplicatedLog make(Recording recording) {
        FakeLog log = new FakeLog(disk, FakeMix.calm(), seeded(1), new Recording(), recording::fault);
        SystemTime time = new SystemTime();
        Threads.virtual(recording::fault).vitalWork("fake/step", () -> {
            boolean isClosed = false;
            boolean wasAlive = false;
            while (!isClosed) {
                if (!log.step()) {
                    time.sleep(Duration.ofMillis(1));
                }
                boolean isAlive = log.status().alive();
                isClosed = wasAlive && !isAlive;
                wasAlive = isAlive;
            }
        });
        return log;
    }

    private static Chance seeded(long seed) {
        Random random = new Random(seed);
        return random::nextLong;
    }

    @Test
    void roughLogTellsTheTruthAboutWhatItTellsForCertain() throws Trouble {
        Set<String> kinds = new TreeSet<>();
        for (long seed = 0; seed < 50; seed++) {
            FakeDisk own = new FakeDisk();
            Recording recording = new Recording();
            FakeLog log = new FakeLog(own, FakeMix.rough(), seeded(seed), new Recording(), recording::fault);
            log.start(recording);
            List<Outcome> outcomes = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                int place = outcomes.size();
                outcomes.add(new Outcome.Unknown("not told"));
                log.append(Integer.toString(i).getBytes(StandardCharsets.UTF_8), told -> outcomes.set(place, told));
                log.step();
            }
            log.calmDown();
            while (log.step()) {
                assertTrue(outcomes.size() == 300);
            }
            for (int i = 0; i < 300; i++) {
                String text = Integer.toString(i);
                boolean isApplied = recording.texts().contains(text);
                String context = "seed " + seed + ", append " + text;
                switch (outcomes.get(i)) {
                    case Outcome.Applied _ -> assertTrue(isApplied, context);
                    case Outcome.NotAppended _ -> assertTrue(!isApplied, context);
                    case Outcome.Unknown _ -> kinds.add(isApplied ? "unknown-applied" : "unknown-lost");
                }
            }
            assertEquals(
                    new TreeSet<>(recording.texts()).size(),
                    recording.texts().size(),
                    "seed " + seed + ": an entry applied twice");
        }
        assertEquals(Set.of("unknown-applied", "unknown-lost"), kinds);
    }
}
