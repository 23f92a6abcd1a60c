package io.cleat.server.commit;

import io.cleat.base.FaultHandler;
import io.cleat.base.Ids;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Time;
import io.cleat.log.LogSettings;
import io.cleat.log.Outcome;
import io.cleat.log.ReplicatedLog;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Decides, one turn after the other, against the newest image including what is not committed.
 *
 * <p>A reign: once this member leads, its opening is logged under a random id; nothing is decided until that is
 * applied. Entries carry the reign and their number in it, and only the next number of the open reign is applied, so a
 * lost, refused or late entry cannot let a later one through. Any failure of an entry ends the reign; the next one's
 * opening makes the fate of all earlier entries certain.
 *
 * <p>Owned by the thread that calls {@link #turn}.
 */
final class Decider<S, C> {
    private static final int ENTRY_BYTES = LogSettings.ENTRY_BYTES - EntryCodec.OVERHEAD;
    private static final Duration FIRST_WAIT = Duration.ofMillis(20);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);
    private static final Duration IDLE = Duration.ofHours(1);

    private final StateMachine<S, C> machine;
    private final ReplicatedLog log;
    private final Replica<S, C> replica;
    private final Ledger<S, C> ledger;
    private final Time time;
    private final Ids ids;
    private final FaultHandler faults;
    private final DecidedClock clock;
    private final int digestEvery;
    private final List<ReignListener> listeners = new CopyOnWriteArrayList<>();
    private @Nullable String reign;
    private Applied<S> newest;
    private long number;
    private int openingsFailed;
    private long openAt;
    private volatile @Nullable Refusal openingRefused;

    /** @param digestEvery a digest is logged after that many entries; 0 for never */
    Decider(
            StateMachine<S, C> machine,
            ReplicatedLog log,
            Replica<S, C> replica,
            Ledger<S, C> ledger,
            Time time,
            Ids ids,
            FaultHandler faults,
            int digestEvery) {
        this.machine = machine;
        this.log = log;
        this.replica = replica;
        this.ledger = ledger;
        this.time = time;
        this.ids = ids;
        this.faults = faults;
        this.digestEvery = digestEvery;
        this.clock = new DecidedClock(time);
        this.newest = replica.applied();
        this.openAt = time.nanos();
        replica.watch(new Replica.Watcher<>() {
            @Override
            public void advanced(Applied<S> now) {
                ledger.settle(now);
            }

            @Override
            public void leading(long term) {
                ledger.leading(term);
            }

            @Override
            public void following(long term) {
                ledger.following(term);
            }
        });
    }

    DecidedClock clock() {
        return clock;
    }

    void listen(ReignListener listener) {
        listeners.add(listener);
    }

    /**
     * Does all that can be done now.
     *
     * @return how long nothing more can be done, unless something is signalled
     */
    Duration turn() {
        String held = reign;
        if (held != null && !held.equals(ledger.ruling())) {
            reign = null;
            listeners.forEach(listener -> listener.ended(held));
        }
        if (reign == null) {
            begin();
        }
        if (reign == null) {
            return open();
        }
        decideAll(reign);
        return IDLE;
    }

    private void begin() {
        Applied<S> now = replica.applied();
        String begun = ledger.begun(now);
        if (begun != null) {
            reign = begun;
            newest = now;
            number = 0;
            openingsFailed = 0;
            listeners.forEach(listener -> listener.opened(begun));
        }
    }

    private Duration open() {
        Refusal refused = openingRefused;
        if (refused != null) {
            openingRefused = null;
            ledger.rejectQueued(refused, replica.applied().version());
        }
        if (!ledger.wantsReign()) {
            log.status()
                    .refusing()
                    .ifPresent(why -> ledger.rejectQueued(why, replica.applied().version()));
            return IDLE;
        }
        long wait = openAt - time.nanos();
        if (wait > 0) {
            return Duration.ofNanos(wait);
        }
        Duration pause = FIRST_WAIT.multipliedBy(1L << Math.min(6, openingsFailed));
        openAt = time.nanos() + (pause.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : pause).toNanos();
        openingsFailed++;
        String wanted = ids.next();
        ledger.opening(wanted);
        log.append(EntryCodec.encode(new Entry.ReignOpened(wanted)), outcome -> openingTold(wanted, outcome));
        return IDLE;
    }

    private void openingTold(String wanted, Outcome outcome) {
        switch (outcome) {
            case Outcome.Applied _ -> {}
            case Outcome.NotAppended not -> {
                if (not.refusal() instanceof Refusal.Exhausted) {
                    openingRefused = not.refusal();
                }
                ledger.openingFailed(wanted);
            }
            case Outcome.Unknown _ -> ledger.openingFailed(wanted);
        }
    }

    private void decideAll(String held) {
        raiseLevel(held);
        Batch<S, C> batch = new Batch<>();
        for (Waiter<S, C, ?> next = ledger.take(held); next != null; next = ledger.take(held)) {
            if (batch.isFresh()) {
                batch.begin(newest, clock.read(newest.decidedAt()));
            }
            Applied<S> before = newest;
            ReadBack<S, C> stored = decide(next, batch);
            if (stored != null && batch.size() + stored.bytes().length > ENTRY_BYTES && !batch.isEmpty()) {
                // It was decided on what is in the batch, and follows in an entry of its own.
                Instant decidedAt = batch.decidedAt();
                if (!send(held, batch)) {
                    ledger.giveBack(List.of(next));
                    return;
                }
                batch = new Batch<>();
                batch.begin(before, decidedAt);
            }
            batch.add(next, stored);
        }
        if (!batch.isFresh() && send(held, batch) && digestEvery > 0 && number % digestEvery == 0) {
            sendDigest(held);
        }
    }

    /**
     * Logs the newest feature level that every member reads, once they all say so, before anything is decided at it. It
     * is never lowered: what was written at it stays in the log.
     */
    private void raiseLevel(String held) {
        int common = Math.min(log.commonLevel(), machine.newestLevel());
        if (common <= newest.featureLevel() || log.status().refusing().isPresent()) {
            return;
        }
        Stamp stamp = new Stamp(newest.version() + 1, clock.read(newest.decidedAt()));
        Entry entry = new Entry.ChangeSet(
                held, number, newest.version(), stamp.decidedAt(), List.of(new Entry.Decided(common, new byte[0])));
        if (launch(new Flight<>(held, number, new ArrayList<>()), entry)) {
            newest = newest.raised(common, stamp);
        }
    }

    /**
     * Decides, prepares the answer, and moves {@link #newest}.
     *
     * @return what is stored, null when nothing changes
     */
    private <R> @Nullable ReadBack<S, C> decide(Waiter<S, C, R> waiter, Batch<S, C> batch) {
        Stamp stamp = new Stamp(newest.version() + 1, batch.decidedAt());
        DecideContext context =
                new DecideContext(stamp.version(), stamp.decidedAt(), waiter.requestId(), newest.featureLevel());
        return switch (decision(waiter, context)) {
            case Decision.Reject<C, R> reject -> refuse(waiter, reject.refusal());
            case Decision.Accept<C, R> accept -> accept(waiter, accept, stamp);
        };
    }

    /** Deciding is pure: whatever it meets, nothing was changed, and only this one is refused. */
    private <R> Decision<C, R> decision(Waiter<S, C, R> waiter, DecideContext context) {
        try {
            return waiter.decide(machine, newest.image(), context);
        } catch (RuntimeException | Error fault) {
            return new Decision.Reject<>(contained(waiter, fault));
        }
    }

    private Refusal contained(Waiter<S, C, ?> waiter, Throwable fault) {
        faults.contain("deciding " + waiter.what(), fault);
        return new Refusal.Fault("internal error while this was decided, and nothing was changed: " + fault);
    }

    private <R> @Nullable ReadBack<S, C> accept(Waiter<S, C, R> waiter, Decision.Accept<C, R> accept, Stamp stamp) {
        if (accept.changes().isEmpty()) {
            waiter.prepare(new Answer.Accepted<>(accept.reply(), newest.version()));
            return null;
        }
        ReadBack<S, C> stored;
        try {
            stored =
                    ReadBack.of(machine, newest.image(), accept.changes(), newest.featureLevel(), stamp, waiter.kind());
        } catch (Refused unfit) {
            return refuse(waiter, unfit.refusal());
        } catch (RuntimeException | Error fault) {
            return refuse(waiter, contained(waiter, fault));
        }
        int size = stored.bytes().length;
        if (size + EntryCodec.PER_DECISION > ENTRY_BYTES) {
            return refuse(
                    waiter,
                    new Refusal.Invalid("this changes "
                            + size
                            + " bytes at once, and at most "
                            + ENTRY_BYTES
                            + " can be logged: do it in parts"));
        }
        newest = newest.decided(stored.decision().after(), stamp);
        waiter.prepare(new Answer.Accepted<>(accept.reply(), stamp.version()));
        return stored;
    }

    private <R> @Nullable ReadBack<S, C> refuse(Waiter<S, C, R> waiter, Refusal refusal) {
        waiter.prepare(new Answer.Rejected<>(refusal, newest.version()));
        return null;
    }

    /**
     * Appends the batch; false when the reign has ended, and then its waiters are queued again; or when the log takes
     * nothing now, which they are told.
     */
    private boolean send(String held, Batch<S, C> batch) {
        if (batch.isEmpty()) {
            return answerUnchanged(held, batch.waiters());
        }
        Optional<Refusal> refusing = log.status().refusing();
        if (refusing.isPresent()) {
            // Known before it is appended, so the reign goes on, and with it the nodes' links.
            newest = batch.before();
            long version = replica.applied().version();
            batch.waiters().forEach(waiter -> waiter.reject(refusing.get(), version));
            return false;
        }
        Flight<S, C> flight = new Flight<>(held, number, batch.waiters());
        Entry.ChangeSet entry =
                new Entry.ChangeSet(held, number, batch.before().version(), batch.decidedAt(), batch.decisions());
        replica.foreseen().add(entry, batch.led());
        return launch(flight, entry);
    }

    private boolean answerUnchanged(String held, List<Waiter<S, C, ?>> waiters) {
        try {
            if (!ledger.attach(held, waiters)) {
                waiters.forEach(Waiter::answer);
            }
            return true;
        } catch (Ledger.ReignEnded ended) {
            ledger.giveBack(waiters);
            return false;
        }
    }

    private boolean launch(Flight<S, C> flight, Entry entry) {
        if (!ledger.launch(flight)) {
            ledger.giveBack(flight.waiters());
            return false;
        }
        number++;
        log.append(ReadBack.entry(entry), outcome -> told(flight, outcome));
        return true;
    }

    private void told(Flight<S, C> flight, Outcome outcome) {
        switch (outcome) {
            // Still in flight though applied: it was not the next one, and so changed nothing.
            case Outcome.Applied _ -> ledger.failed(flight);
            case Outcome.NotAppended not -> {
                if (not.refusal() instanceof Refusal.Exhausted full) {
                    ledger.refused(flight, full, replica.applied().version());
                } else {
                    ledger.failed(flight);
                }
            }
            case Outcome.Unknown _ -> ledger.failed(flight);
        }
    }

    private void sendDigest(String held) {
        OptionalLong sum = machine.digest(newest.image(), newest.featureLevel());
        if (sum.isPresent()) {
            launch(
                    new Flight<>(held, number, new ArrayList<>()),
                    new Entry.SumTaken(held, number, newest.version(), sum.getAsLong()));
        }
    }
}
