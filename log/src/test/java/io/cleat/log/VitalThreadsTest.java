package io.cleat.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.base.Ids;
import io.cleat.base.SystemTime;
import io.cleat.base.Trouble;
import io.cleat.testkit.DoomedThreads;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An error in each vital thread of the log ends the process. */
final class VitalThreadsTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"log/watch", "log/snapshot", "log/close"})
    void itsErrorEndsTheProcess(String name) throws Exception {
        DoomedThreads threads = new DoomedThreads(name);
        live(threads);
        assertEquals(Optional.of(name), threads.end());
    }

    @Test
    void theseAreAll() {
        assertEquals(Set.of("log/watch", "log/snapshot", "log/close"), DoomedThreads.listed("io.cleat.log"));
    }

    /** All that a log does: it begins, takes an entry and a snapshot, and is closed. */
    private void live(DoomedThreads threads) throws Trouble {
        Recording recording = new Recording();
        LogSettings settings = new LogSettings(directory, Optional.empty(), 1 << 20, 1, 4 << 20, 0);
        try (RatisLog log = new RatisLog(settings, new SystemTime(), threads, Ids.random(), threads.faults())) {
            log.start(recording);
            recording.awaitLeading();
            log.append("text".getBytes(StandardCharsets.UTF_8), recording::told);
            recording.awaitOutcomes(1);
        }
    }
}
