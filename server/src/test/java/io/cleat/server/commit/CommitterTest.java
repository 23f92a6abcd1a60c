package io.cleat.server.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.Ids;
import io.cleat.base.Refusal;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.base.Trouble;
import io.cleat.log.LogSettings;
import io.cleat.log.RatisLog;
import io.cleat.testkit.Eventually;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole pipeline over Ratis, with threads and a disk. */
final class CommitterTest {
    private final SystemTime time = new SystemTime();
    private final List<String> faults = new CopyOnWriteArrayList<>();
    private final Threads threads = Threads.virtual((where, fault) -> faults.add(where + ": " + fault.getMessage()));
    private final List<Committer<Journal, String>> opened = new ArrayList<>();

    @TempDir
    Path directory;

    @AfterEach
    void closeAll() {
        opened.forEach(Committer::close);
    }

    private Committer<Journal, String> committer(int newestLevel) {
        return committer(new Journal.Machine(newestLevel));
    }

    private Committer<Journal, String> committer(Journal.Machine machine) {
        RatisLog log = new RatisLog(
                LogSettings.in(directory),
                time,
                threads,
                Ids.random(),
                (where, fault) -> faults.add(where + ": " + fault.getMessage()));
        Committer<Journal, String> committer = new Committer<>(machine, log, time, threads, Ids.random());
        opened.add(committer);
        return committer;
    }

    private Committer<Journal, String> open() throws Exception {
        Committer<Journal, String> committer = committer(1);
        committer.start();
        assertTrue(committer.awaitReign(soon()));
        return committer;
    }

    private Deadline soon() {
        return Deadline.in(time, Duration.ofSeconds(20));
    }

    private Answer<Integer> write(Committer<Journal, String> committer, String text) throws Exception {
        return committer.commit(Journal.writing(text), Optional.empty(), soon());
    }

    /** Two equal images would hold each row twice, and each change was decoded and applied twice. */
    @Test
    void whatWasDecidedHereIsAppliedAsItIs_soTheNextDecisionRestsOnTheAppliedImageItself() throws Exception {
        // The first entry of its log raises the feature level.
        Committer<Journal, String> committer = committer(2);
        committer.start();
        assertTrue(committer.awaitReign(soon()));
        AtomicReference<Journal> told = new AtomicReference<>();
        committer.listenToDecisions(new DecisionListener<>() {
            @Override
            public void applied(AppliedDecision<Journal, String> decision) {
                told.set(decision.after());
            }

            @Override
            public void installed(Applied<Journal> after) {}
        });
        for (int i = 0; i < 3; i++) {
            write(committer, "text " + i);
            Journal applied = committer.applied().image();
            AtomicReference<Journal> decidedOn = new AtomicReference<>();
            committer.commit(
                    (newest, context) -> {
                        decidedOn.set(newest);
                        return new Decision.Reject<>(new Refusal.Invalid("only a look"));
                    },
                    Optional.empty(),
                    soon());
            assertSame(applied, decidedOn.get());
            assertSame(applied, told.get());
        }
        assertEquals(2, committer.applied().featureLevel());
    }

    /** Deciding is pure: a request on which it fails has changed nothing. */
    @Test
    void aFaultInOneDecisionRefusesThatOneAndTheNextIsMade() throws Exception {
        Committer<Journal, String> committer = open();
        Proposal<Journal, String, Integer> faulty = (newest, context) -> {
            throw new IllegalStateException("no such thing");
        };
        Answer<Integer> answer = committer.commit(faulty, Optional.empty(), soon());
        Answer.Rejected<?> rejected = assertInstanceOf(Answer.Rejected.class, answer);
        assertInstanceOf(Refusal.Fault.class, rejected.refusal());
        assertInstanceOf(Answer.Accepted.class, write(committer, "after it"));
        assertEquals(List.of("after it"), committer.applied().image().texts());
        assertEquals(1, faults.size());
        assertTrue(faults.getFirst().startsWith("deciding "), faults.getFirst());
    }

    /** A watchdog takes it for stuck only while it could go on. */
    @Test
    void nothingIsNextWhenAllIsDecided() throws Exception {
        Committer<Journal, String> committer = open();
        assertInstanceOf(Answer.Accepted.class, write(committer, "text"));
        assertEquals(Optional.empty(), committer.head());
    }

    @Test
    void callersSideBySideGetTheirOwnAnswersAndShareEntries() throws Exception {
        Committer<Journal, String> committer = committer(1);
        List<Long> steps = new CopyOnWriteArrayList<>();
        committer.listen(new AppliedListener<>() {
            @Override
            public void applied(Applied<Journal> before, Applied<Journal> after) {
                steps.add(after.version() - before.version());
            }

            @Override
            public void installed(Applied<Journal> after) {
                faults.add("no snapshot is installed here");
            }
        });
        committer.start();
        List<Thread> callers = new ArrayList<>();
        for (int caller = 0; caller < 32; caller++) {
            String name = "caller-" + caller + "-";
            callers.add(threads.vitalWork(name, () -> {
                for (int i = 0; i < 20; i++) {
                    String text = name + i;
                    try {
                        Answer.Accepted<?> accepted = assertInstanceOf(Answer.Accepted.class, write(committer, text));
                        Journal now = committer.applied().image();
                        assertEquals(text, now.texts().get((int) accepted.version() - 1));
                    } catch (Exception trouble) {
                        throw new AssertionError(trouble);
                    }
                }
            }));
        }
        for (Thread caller : callers) {
            assertTrue(caller.join(Duration.ofSeconds(60)));
        }
        assertEquals(List.of(), faults);
        List<String> texts = committer.applied().image().texts();
        assertEquals(640, texts.size());
        assertEquals(640, new TreeSet<>(texts).size());
        assertEquals(640, steps.stream().mapToLong(Long::longValue).sum());
        assertTrue(steps.size() < 640, "no two decisions shared an entry");
        assertEquals(
                Optional.of(committer.applied().reign()), committer.status().reign());
    }

    @Test
    void everythingIsThereAfterARestartUnderANewReign() throws Exception {
        Committer<Journal, String> first = open();
        for (int i = 0; i < 10; i++) {
            write(first, "line " + i);
        }
        Applied<Journal> before = first.applied();
        first.close();
        Committer<Journal, String> second = open();
        assertEquals(before.image(), second.applied().image());
        assertEquals(before.version(), second.applied().version());
        assertFalse(before.reign().equals(second.applied().reign()));
        assertEquals(new Answer.Accepted<>(11, 11), write(second, "line 10"));
        assertEquals(11, second.read(soon()).image().lines().size());
    }

    @Test
    void repliesThatChangeNothingCarryTheVersionTheyWereDecidedOn() throws Exception {
        Committer<Journal, String> committer = open();
        write(committer, "one");
        assertEquals(new Answer.Accepted<>(1, 1), committer.commit(Journal.counting(), Optional.empty(), soon()));
        Proposal<Journal, String, Integer> refusing = (newest, context) ->
                new Decision.Reject<>(new Refusal.Conflict(context.requestId().orElse("none")));
        assertEquals(
                new Answer.Rejected<>(new Refusal.Conflict("request-7"), 1),
                committer.commit(refusing, Optional.of("request-7"), soon()));
        assertEquals(1, committer.applied().version());
    }

    @Test
    void proposalWithoutALeaderIsAnsweredAtItsDeadline() throws Exception {
        Committer<Journal, String> committer = committer(1);
        Answer<Integer> answer =
                committer.commit(Journal.writing("never"), Optional.empty(), Deadline.in(time, Duration.ofMillis(50)));
        Answer.Rejected<?> rejected = assertInstanceOf(Answer.Rejected.class, answer);
        assertInstanceOf(Refusal.NoLeader.class, rejected.refusal());
        committer.start();
        assertTrue(committer.awaitReign(soon()));
        assertEquals(new Answer.Accepted<>(1, 1), write(committer, "first"));
    }

    @Test
    void changeTooLargeForAnEntryIsRefused() throws Exception {
        Committer<Journal, String> committer = open();
        Answer.Rejected<?> rejected = assertInstanceOf(Answer.Rejected.class, write(committer, "x".repeat(1 << 20)));
        assertInstanceOf(Refusal.Invalid.class, rejected.refusal());
        String large = "y".repeat(700_000);
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            String text = large + i;
            callers.add(threads.vitalWork("large/" + i, () -> {
                try {
                    write(committer, text);
                } catch (Exception trouble) {
                    throw new AssertionError(trouble);
                }
            }));
        }
        for (Thread caller : callers) {
            assertTrue(caller.join(Duration.ofSeconds(60)));
        }
        assertEquals(List.of(), faults);
        assertEquals(6, committer.applied().version());
    }

    @Test
    void theLevelIsRaisedOnceTheMemberReadsItAndStaysSo() throws Exception {
        Committer<Journal, String> before = open();
        Answer.Rejected<?> rejected = assertInstanceOf(Answer.Rejected.class, write(before, "v2:new"));
        assertTrue(rejected.refusal().message().contains("level 2"));
        assertEquals(0, before.applied().version());
        before.close();
        Committer<Journal, String> committer = committer(2);
        committer.start();
        assertEquals(new Answer.Accepted<>(1, 2), write(committer, "v2:new"));
        assertEquals(2, committer.applied().featureLevel());
        committer.close();
        // The program before it cannot read that, says so, and applies nothing more.
        Committer<Journal, String> old = committer(1);
        try {
            old.start();
            assertFalse(old.awaitReign(Deadline.in(time, Duration.ofSeconds(2))));
        } catch (Trouble refused) {
            assertTrue(refused.reason().contains("level 2"));
            return;
        }
        assertTrue(String.join("\n", faults).contains("feature level 2"), faults.toString());
        assertEquals(0, old.applied().version());
        assertFalse(old.status().log().alive());
    }

    @Test
    void whatWouldNotBeReadBackIsRefusedAndNothingIsLogged() throws Exception {
        Committer<Journal, String> committer = open();
        write(committer, "before");
        for (String unfit : List.of("unreadable", "altering")) {
            Answer.Rejected<?> rejected = assertInstanceOf(Answer.Rejected.class, write(committer, unfit));
            assertTrue(
                    rejected.refusal().message().contains("could not be read back"),
                    rejected.refusal().message());
        }
        write(committer, "after");
        assertEquals(List.of(), faults);
        committer.close();
        assertEquals(List.of("before", "after"), open().applied().image().texts());
        assertEquals(List.of(), faults);
    }

    /** Logged, it would end every member at every start. */
    @Test
    void whatCannotBeAppliedIsRefusedAndNothingIsLogged() throws Exception {
        Committer<Journal, String> committer = open();
        Answer.Rejected<?> rejected = assertInstanceOf(Answer.Rejected.class, write(committer, "inapplicable"));
        assertInstanceOf(Refusal.Fault.class, rejected.refusal());
        write(committer, "after");
        committer.close();
        assertEquals(List.of("after"), open().applied().image().texts());
        assertEquals(1, faults.size(), faults.toString());
    }

    /** Who decided it has read it already; who reads it later stops there. */
    @Test
    void changeThatCannotBeReadAgainStopsTheMember() throws Exception {
        Journal.Machine machine = new Journal.Machine(1);
        Committer<Journal, String> committer = committer(machine);
        committer.start();
        write(committer, "before");
        assertInstanceOf(Answer.Accepted.class, write(committer, "decaying"));
        committer.close();
        Committer<Journal, String> again = committer(machine);
        try {
            again.start();
            assertFalse(again.awaitReign(Deadline.in(time, Duration.ofSeconds(2))));
            Eventually.holds(() -> !again.status().log().alive(), "the member stops");
        } catch (Trouble refused) {
            assertTrue(refused.reason().contains("cannot read decaying"), refused.reason());
        }
        assertEquals(List.of("before"), again.applied().image().texts());
    }
}
