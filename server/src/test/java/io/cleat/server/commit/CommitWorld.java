package io.cleat.server.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.Refusal;
import io.cleat.base.Trouble;
import io.cleat.log.fake.FakeDisk;
import io.cleat.log.fake.FakeLog;
import io.cleat.log.fake.FakeMix;
import io.cleat.testkit.FakeTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;

/** One thread, one seed: callers, the decider, the log and the clock, each a step when chance says. */
final class CommitWorld {
    private final Journal.Machine machine = new Journal.Machine(1);
    private final Random random;
    private final FakeMix mix;
    private final FakeTime time = new FakeTime();
    private final FakeDisk disk = new FakeDisk();
    private final List<Caller> callers = new ArrayList<>();
    private final TreeMap<String, Integer> coverage = new TreeMap<>();
    private final StringBuilder trace = new StringBuilder();
    private Replica<Journal, String> replica;
    private Ledger<Journal, String> ledger;
    private Decider<Journal, String> decider;
    private FakeLog log;
    private boolean isDead;
    private boolean isCalm;
    private int ids;

    /** A caller; {@code text} is what it wants written, or empty when it only counts. */
    private static final class Caller {
        final String text;
        final Waiter<Journal, String, Integer> waiter;
        final long versionBefore;
        int decisions;
        boolean isSeen;

        Caller(String text, Proposal<Journal, String, Integer> proposal, Deadline deadline, long versionBefore) {
            this.text = text;
            this.versionBefore = versionBefore;
            this.waiter = new Waiter<>(
                    (newest, context) -> {
                        decisions++;
                        return proposal.decide(newest, context);
                    },
                    Optional.empty(),
                    deadline);
        }
    }

    CommitWorld(long seed, FakeMix mix) throws Trouble {
        this.random = new Random(seed);
        this.mix = mix;
        this.replica = new Replica<>(machine);
        this.ledger = new Ledger<>(1000);
        this.log = newLog();
        this.decider = newDecider();
        log.start(replica);
    }

    private FakeLog newLog() {
        return new FakeLog(disk, mix, random::nextLong, new Replica<>(machine), (where, fault) -> {
            say(where + " " + fault.getMessage());
            assertTrue(fault instanceof Trouble, () -> "a fault: " + fault);
            isDead = true;
        });
    }

    private Decider<Journal, String> newDecider() {
        Decider<Journal, String> made = new Decider<>(
                machine, log, replica, ledger, time, () -> "reign-" + ids++, (where, fault) -> fail(where, fault), 20);
        made.listen(new ReignListener() {
            @Override
            public void opened(String reign) {
                count("reigns");
                say("opened " + reign);
            }

            @Override
            public void ended(String reign) {
                say("ended " + reign);
            }
        });
        return made;
    }

    void run(int steps) throws Trouble {
        for (int i = 0; i < steps; i++) {
            step();
        }
        isCalm = true;
        log.calmDown();
        for (int i = 0; i < 1000; i++) {
            step();
        }
        int probes = callers.size();
        for (int i = 0; i < 5; i++) {
            String text = "probe-" + i;
            ask(text, Journal.writing(text), Duration.ofMinutes(10));
        }
        for (int i = 0; i < 3000; i++) {
            step();
        }
        for (Caller probe : callers.subList(probes, callers.size())) {
            assertTrue(
                    probe.waiter.answered().orElse(null) instanceof Answer.Accepted,
                    probe.text + " is not decided though nothing goes wrong any more");
        }
    }

    private void ask(String text, Proposal<Journal, String, Integer> proposal, Duration limit) {
        Caller caller = new Caller(
                text, proposal, Deadline.in(time, limit), replica.applied().version());
        callers.add(caller);
        assertTrue(ledger.offer(caller.waiter));
    }

    private void step() throws Trouble {
        switch (random.nextInt(10)) {
            case 0, 1 -> submit();
            case 2, 3 -> decider.turn();
            case 4 -> time.advance(Duration.ofMillis(random.nextInt(isCalm ? 500 : 100)));
            case 5 -> misuse();
            default -> log.step();
        }
        if (isDead) {
            reboot();
        }
        look();
    }

    private void submit() {
        if (isCalm) {
            return;
        }
        int burst = random.nextInt(4) == 0 ? 5 : 1;
        for (int i = 0; i < burst; i++) {
            boolean isWrite = random.nextInt(4) > 0;
            String text = isWrite ? "line-" + callers.size() : "";
            Proposal<Journal, String, Integer> proposal =
                    isWrite ? Journal.writing(text) : random.nextBoolean() ? Journal.counting() : CommitWorld::refusing;
            ask(text, proposal, Duration.ofMillis(50 + random.nextInt(4000)));
        }
    }

    private static Decision<String, Integer> refusing(Journal newest, DecideContext context) {
        return new Decision.Reject<>(new Refusal.Conflict("at " + newest.lines().size()));
    }

    /** The clock jumps, or a snapshot is asked for. */
    private void misuse() {
        switch (random.nextInt(6)) {
            case 0 -> time.jump(Duration.ofMinutes(random.nextInt(60) - 30));
            case 1 -> log.takeSnapshot();
            default -> {}
        }
    }

    private void reboot() throws Trouble {
        isDead = false;
        count("died");
        say("reboot");
        ledger.close();
        look();
        replica = new Replica<>(machine);
        ledger = new Ledger<>(1000);
        log = newLog();
        decider = newDecider();
        log.start(replica);
        if (isCalm) {
            log.calmDown();
        }
    }

    /** Plays the callers: gives up at the deadline, and checks each answer as it comes. */
    private void look() {
        for (Caller caller : callers) {
            if (caller.isSeen) {
                continue;
            }
            if (caller.waiter.deadline().isExpired()) {
                caller.waiter.abandon();
            }
            Optional<Answer<Integer>> answer = caller.waiter.answered();
            caller.isSeen = answer.isPresent() || caller.waiter.state() == Waiter.State.ABANDONED;
            if (answer.isPresent()) {
                say(caller.text + " " + answer.get());
                checkAnswer(caller, answer.get());
            }
        }
    }

    private void checkAnswer(Caller caller, Answer<Integer> answer) {
        long applied = replica.applied().version();
        if (caller.decisions > 1) {
            count("decided again");
        }
        switch (answer) {
            case Answer.Accepted<Integer> accepted -> {
                assertTrue(accepted.version() <= applied, "answered before it was applied");
                assertEquals(accepted.version(), (long) accepted.reply(), "the reply");
                assertTrue(
                        accepted.version() >= caller.versionBefore + (caller.text.isEmpty() ? 0 : 1),
                        "decided on an image older than the caller had seen");
                count(caller.text.isEmpty() ? "read" : "accepted");
            }
            case Answer.Rejected<Integer> rejected -> {
                assertTrue(rejected.version() <= applied, "refused by what was not applied");
                assertTrue(rejected.version() >= caller.versionBefore, "refused by an old image");
                if (rejected.refusal() instanceof Refusal.Conflict conflict) {
                    assertEquals("at " + rejected.version(), conflict.message());
                }
                count("rejected");
            }
        }
    }

    void check() throws Trouble {
        Journal journal = replica.applied().image();
        List<String> texts = journal.texts();
        assertEquals(texts.size(), new TreeSet<>(texts).size(), "something was applied twice");
        Instant last = Instant.EPOCH;
        for (int i = 0; i < texts.size(); i++) {
            Journal.Line line = journal.lines().get(i);
            assertEquals(i + 1L, line.version(), "versions count decisions");
            if (line.decidedAt().equals(last)) {
                count("shared entries");
            }
            assertTrue(!line.decidedAt().isBefore(last), "decided earlier than the one before");
            last = line.decidedAt();
        }
        for (Caller caller : callers) {
            assertTrue(caller.isSeen, caller.text + " was never answered");
            checkFate(caller, texts);
        }
        checkReplay();
    }

    private void checkFate(Caller caller, List<String> texts) {
        boolean isThere = texts.contains(caller.text);
        Optional<Answer<Integer>> answer = caller.waiter.answered();
        if (answer.isPresent() && answer.get() instanceof Answer.Accepted<Integer> accepted) {
            if (!caller.text.isEmpty()) {
                assertEquals(caller.text, texts.get((int) accepted.version() - 1));
            }
        } else if (answer.isPresent() || caller.waiter.effect() == Effect.NONE) {
            assertTrue(!isThere, caller.text + " was refused, or surely not done, and is there");
            count("none");
        } else if (!caller.text.isEmpty()) {
            count(isThere ? "unknown-applied" : "unknown-lost");
        }
    }

    /** A member that starts from what is stored comes to the same image. */
    private void checkReplay() throws Trouble {
        Replica<Journal, String> other = new Replica<>(machine);
        try (FakeLog again = new FakeLog(
                disk,
                FakeMix.calm(),
                random::nextLong,
                new Replica<>(machine),
                (where, fault) -> assertEquals("no fault", fault.toString()))) {
            log.close();
            again.start(other);
            while (again.step()) {
                assertTrue(again.status().alive());
            }
        }
        assertEquals(replica.applied(), other.applied());
    }

    private void count(String what) {
        coverage.merge(what, 1, Integer::sum);
    }

    private void say(String what) {
        trace.append(time.nanos() / 1_000_000).append(" ms ").append(what).append('\n');
    }

    Map<String, Integer> coverage() {
        return coverage;
    }

    String trace() {
        return trace.toString();
    }
}
