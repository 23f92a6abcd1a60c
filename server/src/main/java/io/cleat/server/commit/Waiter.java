package io.cleat.server.commit;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.InvariantBroken;
import io.cleat.base.Refusal;
import io.cleat.base.Time;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One caller and its proposal. Answered once; from then on nobody works for it.
 *
 * <p>Guarded by {@code lock}, under which nothing else is locked.
 */
final class Waiter<S, C, R> {
    /** How far it is. */
    enum State {
        /** Not decided, or what was decided is surely lost: surely nothing has happened. */
        QUEUED,
        /** Decided; what it rests on is not known to be applied. */
        TAKEN,
        ANSWERED,
        /** Given up by the caller, or by a server that stops. */
        ABANDONED
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Proposal<S, C, R> proposal;
    private final Optional<String> requestId;
    private final Deadline deadline;
    private State state = State.QUEUED;
    private Effect effect = Effect.NONE;
    private @Nullable Answer<R> prepared;
    private @Nullable Answer<R> answer;

    Waiter(Proposal<S, C, R> proposal, Optional<String> requestId, Deadline deadline) {
        this.proposal = proposal;
        this.requestId = requestId;
        this.deadline = deadline;
    }

    Deadline deadline() {
        return deadline;
    }

    /** The kind of its proposal, and its request id: for the log. */
    String what() {
        return proposal.kind() + requestId.map(id -> " of request " + id).orElse("");
    }

    Optional<String> requestId() {
        return requestId;
    }

    /** What is asked, in a word. */
    String kind() {
        return proposal.kind();
    }

    /** Takes it out of the queue to decide it; false when nobody waits for it any more. */
    boolean take() {
        lock.lock();
        try {
            if (state != State.QUEUED || deadline.isExpired()) {
                return false;
            }
            state = State.TAKEN;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Decides it, unless the image forbids that; {@link #prepare} is to follow. */
    Decision<C, R> decide(StateMachine<S, C> machine, S newest, DecideContext context) {
        Optional<Refusal> forbidden = machine.forbids(newest, proposal);
        return forbidden.isPresent() ? new Decision.Reject<>(forbidden.get()) : proposal.decide(newest, context);
    }

    /** Keeps the answer until what it rests on is applied. */
    void prepare(Answer<R> ready) {
        lock.lock();
        try {
            prepared = ready;
        } finally {
            lock.unlock();
        }
    }

    /** What it rested on is surely lost, and it is to be decided again. */
    boolean requeue() {
        lock.lock();
        try {
            if (state != State.TAKEN) {
                return false;
            }
            state = State.QUEUED;
            prepared = null;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Gives the prepared answer: what it rests on is applied. */
    void answer() {
        lock.lock();
        try {
            if (prepared == null && state == State.TAKEN) {
                throw new InvariantBroken("an answer is prepared before it is given", state);
            }
            finish(State.ANSWERED, prepared);
        } finally {
            lock.unlock();
        }
    }

    /** Answers that nothing has happened and why; only while that is certain. */
    void reject(Refusal refusal, long version) {
        lock.lock();
        try {
            finish(State.ANSWERED, new Answer.Rejected<>(refusal, version));
        } finally {
            lock.unlock();
        }
    }

    /** Ends the wait without an answer. */
    void abandon() {
        lock.lock();
        try {
            finish(State.ABANDONED, null);
        } finally {
            lock.unlock();
        }
    }

    private void finish(State last, @Nullable Answer<R> words) {
        if (state == State.QUEUED || state == State.TAKEN) {
            effect = state == State.QUEUED ? Effect.NONE : Effect.UNKNOWN;
            state = last;
            answer = words;
            changed.signalAll();
        }
    }

    /** Waits until it is answered, abandoned, or its deadline has passed, which abandons it. */
    State await(Time time) throws InterruptedException {
        lock.lock();
        try {
            boolean hasTime = true;
            while (hasTime && (state == State.QUEUED || state == State.TAKEN)) {
                hasTime = time.await(changed, deadline);
            }
            finish(State.ABANDONED, null);
            return state;
        } finally {
            lock.unlock();
        }
    }

    State state() {
        lock.lock();
        try {
            return state;
        } finally {
            lock.unlock();
        }
    }

    /** The answer, once answered. */
    Optional<Answer<R>> answered() {
        lock.lock();
        try {
            return Optional.ofNullable(answer);
        } finally {
            lock.unlock();
        }
    }

    /** What is known of its effect, once abandoned. */
    Effect effect() {
        lock.lock();
        try {
            return effect;
        } finally {
            lock.unlock();
        }
    }
}
