package io.cleat.server.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Refusal;
import io.cleat.log.Completion;
import io.cleat.log.LogApplier;
import io.cleat.log.LogStatus;
import io.cleat.log.Outcome;
import io.cleat.log.ReplicatedLog;
import io.cleat.testkit.FakeTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A leader of the newest program, and a member that may still run the one before. */
final class TwoVersionsTest {
    private static final int OLD = 1;
    private static final int NEW = 2;

    private final FakeTime time = new FakeTime();
    private final Replica<Journal, String> leader = new Replica<>(new Journal.Machine(NEW));
    private final Members members = new Members();
    private final Ledger<Journal, String> ledger = new Ledger<>(100);
    private final Decider<Journal, String> decider = new Decider<>(
            new Journal.Machine(NEW),
            members,
            leader,
            ledger,
            time,
            () -> "reign",
            (where, fault) -> fail(where, fault),
            1);

    /** One log that two members apply, each entry at once and one after the other. */
    private final class Members implements ReplicatedLog {
        private final List<byte[]> entries = new ArrayList<>();
        private Replica<Journal, String> other = new Replica<>(new Journal.Machine(OLD));

        @Override
        public void start(LogApplier applier) {
            applier.leading(1);
        }

        @Override
        public void append(byte[] entry, Completion completion) {
            entries.add(entry);
            try {
                other.apply(entries.size(), entry);
                leader.apply(entries.size(), entry);
            } catch (DiskTrouble unreadable) {
                fail("a member cannot read what was written", unreadable);
            }
            completion.told(new Outcome.Applied(entries.size()));
        }

        /** The member starts again with a program of this level, from what it has stored. */
        void restart(int level) throws DiskTrouble {
            other = new Replica<>(new Journal.Machine(level));
            for (int i = 0; i < entries.size(); i++) {
                other.apply(i + 1, entries.get(i));
            }
        }

        @Override
        public int commonLevel() {
            return Math.min(leader.newestLevel(), other.newestLevel());
        }

        @Override
        public void barrier(Completion completion) {
            completion.told(new Outcome.Applied(entries.size()));
        }

        @Override
        public void takeSnapshot() {}

        @Override
        public LogStatus status() {
            return new LogStatus(true, true, 1, entries.size(), -1, 0, Path.of("test"), Optional.empty());
        }

        @Override
        public void close() {}
    }

    private Answer<Integer> write(String text) {
        Waiter<Journal, String, Integer> waiter =
                new Waiter<>(Journal.writing(text), Optional.empty(), Deadline.in(time, Duration.ofMinutes(1)));
        assertTrue(ledger.offer(waiter));
        for (int i = 0; i < 5 && waiter.answered().isEmpty(); i++) {
            decider.turn();
        }
        return waiter.answered().orElseThrow();
    }

    private void bothHave(int level, String... texts) {
        assertEquals(List.of(texts), leader.applied().image().texts());
        assertEquals(leader.applied(), members.other.applied());
        assertEquals(level, leader.applied().featureLevel());
    }

    @Test
    void nothingIsWrittenThatTheOlderMemberCannotRead() throws Exception {
        members.start(leader);
        assertInstanceOf(Answer.Accepted.class, write("old"));
        Answer.Rejected<?> rejected = assertInstanceOf(Answer.Rejected.class, write("v2:new"));
        assertInstanceOf(Refusal.Conflict.class, rejected.refusal());
        bothHave(1, "old");
    }

    @Test
    void onceTheOlderMemberRunsTheNewProgramTheLeaderRaisesTheLevel() throws Exception {
        members.start(leader);
        write("old");
        members.restart(NEW);
        assertInstanceOf(Answer.Accepted.class, write("v2:new"));
        bothHave(2, "old", "v2:new");
        assertEquals(3, leader.applied().version(), "it is raised once");
    }

    @Test
    void aMemberThatGoesBackToTheOlderProgramStopsAndTheLevelStays() throws Exception {
        members.start(leader);
        members.restart(NEW);
        write("new");
        DiskTrouble trouble = assertThrows(DiskTrouble.class, () -> members.restart(OLD));
        assertTrue(trouble.reason().contains("feature level 2"), trouble.reason());
        members.restart(NEW);
        write("v2:newer");
        bothHave(2, "new", "v2:newer");
    }

    /** It would differ in each: digests are compared after each entry here. */
    @Test
    void imagesAreComparedAtEveryLevel() throws Exception {
        members.start(leader);
        write("one");
        members.restart(NEW);
        write("two");
        assertEquals(
                2,
                members.entries.stream()
                        .filter(entry -> decoded(entry) instanceof Entry.SumTaken)
                        .count());
    }

    private static Entry decoded(byte[] entry) {
        try {
            return EntryCodec.decode(entry);
        } catch (DiskTrouble unreadable) {
            throw new AssertionError(unreadable);
        }
    }
}
