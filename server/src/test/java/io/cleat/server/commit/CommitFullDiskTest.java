package io.cleat.server.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.Ids;
import io.cleat.base.LogTrouble;
import io.cleat.base.Refusal;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.log.LogSettings;
import io.cleat.log.RatisLog;
import io.cleat.testkit.Eventually;
import io.cleat.testkit.SmallDisk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deciding on a full disk: refused with the reason, and going on by itself when there is room. */
final class CommitFullDiskTest {
    private final SystemTime time = new SystemTime();
    private final List<String> faults = new CopyOnWriteArrayList<>();

    @TempDir
    Path mountPoint;

    @AutoClose
    private SmallDisk disk;

    private int lines;

    @BeforeEach
    void mount() throws Exception {
        disk = SmallDisk.mount(mountPoint, 24);
    }

    @Test
    void belowTheLastOfTheReserve() throws Exception {
        fillAndEmpty(8 << 20, 1 << 20);
    }

    /** What ends or frees something is decided from the reserve. */
    @Test
    void inTheReserve_whatBringsMoreIsRefused_andNothingElse() throws Exception {
        Proposal<Journal, String, Integer> bringing = new Proposal<>() {
            @Override
            public Decision<String, Integer> decide(Journal newest, DecideContext now) {
                return new Decision.Accept<>(List.of("more"), 0);
            }

            @Override
            public boolean bringsMore() {
                return true;
            }
        };
        try (Committer<Journal, String> committer = committer(8 << 20)) {
            committer.start();
            awaitAnswer(committer, bringing, Answer.Accepted.class);
            disk.fill(6 << 20);
            Answer.Rejected<?> full = (Answer.Rejected<?>) awaitAnswer(committer, bringing, Answer.Rejected.class);
            assertInstanceOf(Refusal.Exhausted.class, full.refusal());
            assertTrue(full.refusal().message().contains("8 MiB are wanted"));
            assertInstanceOf(Answer.Accepted.class, committer.commit(Journal.writing("x"), Optional.empty(), soon()));
            assertEquals(List.of(), faults);
        }
    }

    /** Each decision that was refused ended the reign, and with it the links of all nodes. */
    @Test
    void onAFullDisk_theReignGoesOn_andWhatChangesNothingIsAnswered() throws Exception {
        List<String> ended = new CopyOnWriteArrayList<>();
        try (Committer<Journal, String> committer = committer(8 << 20)) {
            committer.listenToReigns(new ReignListener() {
                @Override
                public void opened(String reign) {}

                @Override
                public void ended(String reign) {
                    ended.add(reign);
                }
            });
            committer.start();
            awaitAnswer(committer, Answer.Accepted.class);
            Path filler = disk.fill(1 << 20);
            Eventually.holds(() -> committer.status().log().refusing().isPresent(), "it is seen");
            for (int i = 0; i < 5; i++) {
                assertInstanceOf(
                        Answer.Rejected.class, committer.commit(Journal.writing("lost" + i), Optional.empty(), soon()));
            }
            assertInstanceOf(
                    Answer.Accepted.class,
                    committer.commit((newest, now) -> new Decision.Accept<>(List.of(), 0), Optional.empty(), soon()));
            Files.delete(filler);
            awaitAnswer(committer, Answer.Accepted.class);
            assertEquals(List.of(), ended);
            assertEquals(
                    List.of(),
                    committer.applied().image().texts().stream()
                            .filter(text -> text.startsWith("lost"))
                            .toList());
        }
    }

    private Deadline soon() {
        return Deadline.in(time, Duration.ofSeconds(5));
    }

    @Test
    void withTheLibraryOutOfRoom() throws Exception {
        fillAndEmpty(0, 0);
    }

    private Committer<Journal, String> committer(long reserve) {
        Threads threads = Threads.virtual((where, fault) -> faults.add(where + ": " + fault.getMessage()));
        RatisLog log = new RatisLog(
                new LogSettings(mountPoint.resolve("log"), Optional.empty(), 1 << 20, 100, 2 << 20, reserve),
                time,
                threads,
                Ids.random(),
                (where, fault) -> faults.add(where + ": " + fault.getMessage()));
        return new Committer<>(new Journal.Machine(1), log, time, threads, Ids.random());
    }

    private void fillAndEmpty(long reserve, long leave) throws Exception {
        try (Committer<Journal, String> committer = committer(reserve)) {
            committer.start();
            awaitAnswer(committer, Answer.Accepted.class);
            Path filler = disk.fill(leave);
            Answer.Rejected<?> full = (Answer.Rejected<?>) awaitAnswer(committer, Answer.Rejected.class);
            assertInstanceOf(Refusal.Exhausted.class, full.refusal());
            assertTrue(full.refusal().message().contains(mountPoint.toString()));
            Files.delete(filler);
            awaitAnswer(committer, Answer.Accepted.class);
            List<String> texts = committer.applied().image().texts();
            assertEquals(texts.stream().distinct().toList(), texts, "applied twice");
            assertEquals(List.of(), faults);
        }
    }

    /** Writes, one line after the other, until the answer is as wanted. */
    private Answer<Integer> awaitAnswer(Committer<Journal, String> committer, Class<?> wanted) throws Exception {
        // A line each: what was in flight when the disk filled up may be there or not.
        return awaitAnswer(
                committer,
                (newest, now) -> Journal.writing(lines++ + "z".repeat(50_000)).decide(newest, now),
                wanted);
    }

    private Answer<Integer> awaitAnswer(
            Committer<Journal, String> committer, Proposal<Journal, String, Integer> proposal, Class<?> wanted)
            throws Exception {
        Deadline patience = Deadline.in(time, Duration.ofSeconds(30));
        while (!patience.isExpired()) {
            try {
                Answer<Integer> answer = committer.commit(proposal, Optional.empty(), soon());
                if (wanted.isInstance(answer)) {
                    return answer;
                }
            } catch (LogTrouble unknown) {
                // What was in flight when the disk filled up: it may or may not be there.
                assertEquals(io.cleat.base.Effect.UNKNOWN, unknown.effect());
            }
        }
        throw new AssertionError("no " + wanted.getSimpleName() + " within 30 s");
    }
}
