package io.cleat.server.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Ids;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.log.LogSettings;
import io.cleat.log.RatisLog;
import io.cleat.log.StoredLog;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogInspectionTest {
    @TempDir
    Path directory;

    private final SystemTime time = new SystemTime();
    private final Threads threads = Threads.virtual((where, fault) -> {});

    private Committer<Journal, String> open() throws Exception {
        RatisLog log = new RatisLog(LogSettings.in(directory), time, threads, Ids.random(), (where, fault) -> {});
        Committer<Journal, String> committer =
                new Committer<>(new Journal.Machine(1), log, time, threads, Ids.random());
        committer.start();
        assertTrue(committer.awaitReign(Deadline.in(time, Duration.ofSeconds(60))));
        return committer;
    }

    private void write(Committer<Journal, String> committer, String text, Duration within) throws Exception {
        committer.commit(Journal.writing(text), Optional.empty(), Deadline.in(time, within));
    }

    private List<InspectedEntry> walk(LogInspection<Journal, String> inspection) throws DiskTrouble {
        List<InspectedEntry> entries = new ArrayList<>();
        try (StoredLog log = StoredLog.open(directory)) {
            inspection.walk(log, entries::add);
        }
        return entries;
    }

    private static LogInspection<Journal, String> inspection() {
        return new LogInspection<>(new Journal.Machine(1), text -> new InspectedEntry.Row("Line", text));
    }

    @Test
    void theEntryThatStopsAMemberIsNamedAndThoseAfterItAreShown() throws Exception {
        try (Committer<Journal, String> committer = open()) {
            write(committer, "before", Duration.ofSeconds(60));
            write(committer, "decaying", Duration.ofSeconds(60));
        }
        LogInspection<Journal, String> inspection = inspection();
        List<InspectedEntry> entries = walk(inspection);
        List<InspectedEntry> stuck =
                entries.stream().filter(entry -> entry.problem() != null).toList();
        assertEquals(1, stuck.size(), entries::toString);
        assertEquals(
                List.of(new InspectedEntry.Row("Line", "decaying")),
                stuck.get(0).changes());
        assertTrue(String.valueOf(stuck.get(0).problem()).contains("cannot read decaying"), entries::toString);
        assertEquals(Optional.of(stuck.get(0).index()), inspection.stuckAt());
        assertEquals(1, inspection.version());
    }

    @Test
    void aWholeLogHasNoProblemAndAnOpenOneIsNotTouched() throws Exception {
        try (Committer<Journal, String> committer = open()) {
            write(committer, "one", Duration.ofSeconds(60));
            write(committer, "two", Duration.ofSeconds(60));
            DiskTrouble inUse = assertThrows(DiskTrouble.class, () -> walk(inspection()));
            assertTrue(inUse.reason().contains("locked"), inUse.reason());
        }
        LogInspection<Journal, String> inspection = inspection();
        List<InspectedEntry> entries = walk(inspection);
        assertEquals(Optional.empty(), inspection.stuckAt());
        assertEquals(2, inspection.version());
        assertTrue(entries.stream().anyMatch(entry -> entry.kind().equals("reign")), entries::toString);
        assertEquals(
                List.of(1L, 2L),
                entries.stream()
                        .filter(entry -> entry.kind().equals("decisions"))
                        .map(InspectedEntry::version)
                        .toList());
    }
}
