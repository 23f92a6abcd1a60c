package io.cleat.server.commit;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.Ids;
import io.cleat.base.LogTrouble;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Retry;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import io.cleat.base.Watched;
import io.cleat.log.LogApplier;
import io.cleat.log.LogStatus;
import io.cleat.log.Outcome;
import io.cleat.log.ReplicatedLog;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The way into the log and the image out of it: what the rest of the server sees of this package.
 *
 * <p>Any thread; one thread of its own, {@code commit/decider}, decides.
 */
public final class Committer<S, C> implements AutoCloseable {
    /** How many proposals may wait to be decided; one more is answered {@code Exhausted}. */
    public static final int QUEUE = 10_000;

    private static final int DIGEST_EVERY = 1000;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    /** A log that is being opened may say for a moment that it takes nothing. */
    private static final Duration FULL_FOR = Duration.ofSeconds(1);

    private static final Duration BARRIER_PAUSE = Duration.ofMillis(20);

    private final StateMachine<S, C> machine;
    private final ReplicatedLog log;
    private final Time time;
    private final Threads threads;
    private final Replica<S, C> replica;
    private final Ledger<S, C> ledger;
    private final Decider<S, C> decider;
    private final Gate<String> ruling = new Gate<>();

    public Committer(StateMachine<S, C> machine, ReplicatedLog log, Time time, Threads threads, Ids ids) {
        this.machine = machine;
        this.log = log;
        this.time = time;
        this.threads = threads;
        this.replica = new Replica<>(machine);
        this.ledger = new Ledger<>(QUEUE);
        this.decider = new Decider<>(machine, log, replica, ledger, time, ids, threads.faults(), DIGEST_EVERY);
        decider.listen(new ReignListener() {
            @Override
            public void opened(String reign) {
                ruling.bring(reign);
            }

            @Override
            public void ended(String reign) {
                ruling.empty();
            }
        });
    }

    /** What only applies a log of this machine's entries: a member that never decides. */
    public static LogApplier follower(StateMachine<?, ?> machine) {
        return new Replica<>(machine);
    }

    /** As {@link #follower(StateMachine)}, for a log that begins with what is applied. */
    public static <S> LogApplier follower(StateMachine<S, ?> machine, Applied<S> applied) {
        return new Replica<>(machine, applied);
    }

    /** An entry that opens a reign: entries of earlier ones change nothing after it. */
    public static byte[] opening(String reign) {
        return EntryCodec.encode(new Entry.ReignOpened(reign));
    }

    /** Opens the log and begins to decide as soon as this member leads. Listeners are added before. */
    public void start() throws Trouble {
        log.start(replica);
        threads.vital("commit/decider", this::decide, ledger::isClosed);
    }

    private void decide() throws InterruptedException {
        boolean isOpen = true;
        while (isOpen) {
            Duration idle = decider.turn();
            isOpen = ledger.await(time, Deadline.in(time, idle));
        }
    }

    /**
     * Decides {@code proposal}, and returns once what the answer rests on is applied here. A proposal waits for a
     * leader until the deadline.
     *
     * @param requestId the caller's id of this request, for the decision to look up
     * @return the answer; also {@link Refusal.Exhausted} when too many wait, and {@link Refusal.NoLeader} or
     *     {@code Exhausted} when it was not decided by the deadline, both of which mean that nothing happened
     * @throws LogTrouble whether it happened is not known; repeat it with the same request id
     */
    public <R> Answer<R> commit(Proposal<S, C, R> proposal, Optional<String> requestId, Deadline deadline)
            throws LogTrouble, InterruptedException {
        Optional<Refusal> tight = proposal.bringsMore() ? log.tight() : Optional.empty();
        if (tight.isPresent()) {
            return notDecided(tight.get());
        }
        Waiter<S, C, R> waiter = new Waiter<>(proposal, requestId, deadline);
        if (!ledger.offer(waiter)) {
            return notDecided(new Refusal.Exhausted("the queue of decisions", RETRY_AFTER));
        }
        try {
            waiter.await(time);
        } finally {
            waiter.abandon();
        }
        Optional<Answer<R>> answer = waiter.answered();
        if (answer.isPresent()) {
            return answer.get();
        }
        if (waiter.effect() == Effect.NONE) {
            return notDecided(
                    ledger.ruling() == null
                            ? new Refusal.NoLeader("no member could decide this in time")
                            : new Refusal.Exhausted("the queue of decisions", RETRY_AFTER));
        }
        throw new LogTrouble(
                "decided, but not known to be committed in time: repeat the request with the same id",
                Effect.UNKNOWN,
                Retry.SAME_CALL);
    }

    private <R> Answer<R> notDecided(Refusal refusal) {
        return new Answer.Rejected<>(refusal, replica.applied().version());
    }

    /**
     * The time that a decision made now would carry. Whoever compares anything with the times of decisions asks this:
     * the machine's own clock may be wrong, and held back.
     */
    public Instant now() {
        return decider.clock().peek(applied().decidedAt());
    }

    /** The newest applied image; perhaps older than what another member has answered. */
    public Applied<S> applied() {
        return replica.applied();
    }

    /**
     * The image after a check, begun after this call, that this member leads: it holds everything that anybody was
     * answered before the call. Waits for leadership until the deadline.
     *
     * @throws Refused this member does not lead; without a wait for it if its log waits for room
     * @throws LogTrouble the check did not end in time; nothing happened
     */
    public Applied<S> read(Deadline deadline) throws Refused, LogTrouble, InterruptedException {
        Deadline patience = Deadline.in(time, FULL_FOR);
        while (true) {
            Gate<Outcome> gate = new Gate<>();
            log.barrier(gate::bring);
            Optional<Outcome> outcome = gate.await(time, deadline);
            if (outcome.isPresent() && outcome.get() instanceof Outcome.Applied) {
                return replica.applied();
            }
            if (patience.isExpired()
                    && outcome.isPresent()
                    && outcome.get() instanceof Outcome.NotAppended waiting
                    && waiting.refusal() instanceof Refusal.Exhausted) {
                throw new Refused(waiting.refusal());
            }
            if (deadline.isExpired()) {
                if (outcome.isPresent() && outcome.get() instanceof Outcome.NotAppended notLeading) {
                    throw new Refused(notLeading.refusal());
                }
                throw new LogTrouble("could not check in time that this member leads", Effect.NONE, Retry.SAME_CALL);
            }
            time.sleep(deadline.atMost(BARRIER_PAUSE).left());
        }
    }

    /** As {@link #read}, to be kept outside of the log. */
    public Saved<S> save(Deadline deadline) throws Refused, LogTrouble, InterruptedException {
        return new Saved<>(read(deadline), machine);
    }

    /** Waits until this member decides; false when the deadline passes first. */
    public boolean awaitReign(Deadline deadline) throws InterruptedException {
        return ruling.await(time, deadline).isPresent();
    }

    /** Adds a listener; before {@link #start} to hear everything. */
    public void listen(AppliedListener<S> listener) {
        replica.listen(listener);
    }

    /** Adds a listener; before {@link #start} to hear everything. */
    public void listenToDecisions(DecisionListener<S, C> listener) {
        replica.listenToDecisions(listener);
    }

    /** Adds a listener; before {@link #start} to hear everything. */
    public void listenToReigns(ReignListener listener) {
        decider.listen(listener);
    }

    /**
     * The decision that is next to be applied or made, for a watchdog. None while this member does not lead, or the log
     * takes no entries for a reason that it tells: then to wait is right.
     */
    public Optional<Watched.Head> head() {
        LogStatus now = log.status();
        return now.alive() && now.leading() && now.refusing().isEmpty() ? ledger.head() : Optional.empty();
    }

    public CommitStatus status() {
        return new CommitStatus(
                Optional.ofNullable(ledger.ruling()),
                ledger.queued(),
                ledger.inFlight(),
                decider.clock().heldBack(),
                log.status());
    }

    /** Stops deciding, ends all waits, and closes the log. */
    @Override
    public void close() {
        ledger.close();
        log.close();
    }
}
