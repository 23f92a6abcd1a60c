package io.cleat.csi;

import com.google.protobuf.Message;
import io.cleat.base.Chance;
import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.Time;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes one call in up to so many tries, and says how it ended over all of them.
 *
 * <p>Each try is done, surely not done, or unknown. The whole is done when a try is; unknown when any try was and none
 * is done, since a refusal of the second try says nothing of the first, which may still be running in the plugin;
 * surely not done otherwise.
 */
final class Tries {
    private final String plugin;
    private final Transport transport;
    private final CallPolicy policy;
    private final Time time;
    private final Chance chance;
    private final CallObserver observer;
    private final Gate gate;
    private final RunEnds ends;

    Tries(
            String plugin,
            Transport transport,
            CallPolicy policy,
            Time time,
            Chance chance,
            CallObserver observer,
            RunEnds ends) {
        this.plugin = plugin;
        this.transport = transport;
        this.policy = policy;
        this.time = time;
        this.chance = chance;
        this.observer = observer;
        this.ends = ends;
        this.gate = new Gate(policy.mostAtOnce(), time);
    }

    /** What a service of this plugin announces, asked by {@code asking}. */
    <C extends Enum<C>> Abilities<C> abilities(Abilities.Asking<C> asking) {
        return new Abilities<>(plugin, time, asking);
    }

    /** As {@link #makeUngated}, when there is a place among the plugin's calls in flight. */
    <Q extends Message, R extends Message, T> T make(Call<Q, R, T> call, Deadline deadline)
            throws CsiTrouble, InterruptedException {
        if (!call.isAboutSomething()) {
            return makeGated(call, deadline, null);
        }
        try (RunEnds.Made made = ends.begin(new Ending(plugin, call, 0, false), deadline)) {
            return makeGated(call, deadline, made);
        }
    }

    private <Q extends Message, R extends Message, T> T makeGated(
            Call<Q, R, T> call, Deadline deadline, RunEnds.@Nullable Made made)
            throws CsiTrouble, InterruptedException {
        if (!gate.enter(deadline)) {
            throw new Ending(plugin, call, 0, false).busy(policy.mostAtOnce());
        }
        try {
            return make(call, deadline, policy.tries(), made);
        } finally {
            gate.leave();
        }
    }

    /** As {@link #make}, where NotFound surely in all tries is an answer of its own. */
    <Q extends Message, R extends Message> Removal remove(Call<Q, R, Removal> call, Deadline deadline)
            throws CsiTrouble, InterruptedException {
        try {
            return make(call, deadline);
        } catch (CsiRejected refused) {
            if (refused.code() == CsiCode.NOT_FOUND && refused.effect() == Effect.NONE) {
                return Removal.NOT_FOUND;
            }
            throw refused;
        }
    }

    /** Makes the call. An interrupt leaves its effect unknown. */
    <Q extends Message, R extends Message, T> T makeUngated(Call<Q, R, T> call, Deadline deadline)
            throws CsiTrouble, InterruptedException {
        return makeUngated(call, deadline, policy.tries());
    }

    /** As {@link #makeUngated(Call, Deadline)}, in at most so many tries. */
    <Q extends Message, R extends Message, T> T makeUngated(Call<Q, R, T> call, Deadline deadline, int most)
            throws CsiTrouble, InterruptedException {
        return make(call, deadline, most, null);
    }

    /**
     * @param made for a call that is not repeated once the connection broke under it: it may be the call that ends the
     *     plugin
     */
    private <Q extends Message, R extends Message, T> T make(
            Call<Q, R, T> call, Deadline deadline, int most, RunEnds.@Nullable Made made)
            throws CsiTrouble, InterruptedException {
        boolean unknown = false;
        for (int number = 1; ; number++) {
            Duration limit = deadline.atMost(policy.tryTimeout()).left();
            if (limit.isZero()) {
                throw new Ending(plugin, call, number - 1, unknown).late();
            }
            switch (exchange(call, number, limit)) {
                case Transport.Reply<R>(R message) -> {
                    answered(made);
                    try {
                        return call.reader().read(message);
                    } catch (BadReply bad) {
                        throw new Ending(plugin, call, number, call.changes()).bad(bad);
                    }
                }
                case Transport.Failure<R> failure -> {
                    unknown |= call.changes() && !failure.isHarmless(call);
                    if (failure.answered()) {
                        answered(made);
                    } else if (made != null && failure.isBrokenOff()) {
                        throw broken(call, number, unknown, failure, made.broke());
                    }
                    Duration pause = policy.backOff().wait(number - 1, chance);
                    if (!failure.isPassing(call) || number >= most || pause.compareTo(deadline.left()) >= 0) {
                        throw new Ending(plugin, call, number, unknown).failed(failure);
                    }
                    time.sleep(pause);
                }
            }
        }
    }

    private static void answered(RunEnds.@Nullable Made made) {
        if (made != null) {
            made.answered();
        }
    }

    private CsiTrouble broken(
            Call<?, ?, ?> call, int number, boolean unknown, Transport.Failure<?> failure, RunEnds.Verdict verdict) {
        Ending ending = new Ending(plugin, call, number, unknown);
        return switch (verdict) {
            case GOES_ON -> ending.failed(failure);
            case ENDED -> ending.pluginEnded(failure, false);
            case WITHHELD -> ending.pluginEnded(failure, true);
        };
    }

    /**
     * Reads a stream of replies, when there is a place among the plugin's calls in flight. A try that ended early after
     * it brought something does not count among the tries.
     *
     * @param calls the call from where the reading is now; its reader says whether to go on
     * @return whether the plugin ended it; false if the reader did
     */
    <Q extends Message, R extends Message> boolean stream(Supplier<Call<Q, R, Boolean>> calls, Deadline deadline)
            throws CsiTrouble, InterruptedException {
        if (!gate.enter(deadline)) {
            throw new Ending(plugin, calls.get(), 0, false).busy(policy.mostAtOnce());
        }
        try {
            int number = 1;
            while (true) {
                Call<Q, R, Boolean> call = calls.get();
                Duration limit = deadline.atMost(policy.tryTimeout()).left();
                if (limit.isZero()) {
                    throw new Ending(plugin, call, number - 1, false).late();
                }
                AtomicInteger brought = new AtomicInteger();
                Transport.Answer<Boolean> answer = streamed(call, number, limit, brought);
                if (answer instanceof Transport.Reply<Boolean>(Boolean complete)) {
                    return complete;
                }
                Transport.Failure<Boolean> failure = (Transport.Failure<Boolean>) answer;
                boolean forward = brought.get() > 0;
                Duration pause = policy.backOff().wait(forward ? 0 : number - 1, chance);
                if (!failure.isPassing(call)
                        || (!forward && number >= policy.tries())
                        || pause.compareTo(deadline.left()) >= 0) {
                    throw new Ending(plugin, call, number, false).failed(failure);
                }
                time.sleep(pause);
                number = forward ? 1 : number + 1;
            }
        } finally {
            gate.leave();
        }
    }

    private <Q extends Message, R extends Message> Transport.Answer<Boolean> streamed(
            Call<Q, R, Boolean> call, int number, Duration limit, AtomicInteger brought)
            throws CsiTrouble, InterruptedException {
        try {
            return observed(
                    call,
                    number,
                    () -> transport.stream(call.method(), call.request(), limit, reply -> {
                        boolean goesOn = call.reader().read(reply);
                        brought.incrementAndGet();
                        return goesOn;
                    }));
        } catch (BadReply bad) {
            throw new Ending(plugin, call, number, false).bad(bad);
        }
    }

    private <Q extends Message, R extends Message, T> Transport.Answer<R> exchange(
            Call<Q, R, T> call, int number, Duration limit) throws InterruptedException {
        return this.<R, RuntimeException>observed(
                call, number, () -> transport.exchange(call.method(), call.request(), limit));
    }

    /** One exchange. */
    private interface Exchange<R, X extends Exception> {
        Transport.Answer<R> make() throws X, InterruptedException;
    }

    private <R, X extends Exception> Transport.Answer<R> observed(
            Call<?, ?, ?> call, int number, Exchange<R, X> exchange) throws X, InterruptedException {
        long start = time.nanos();
        CsiCode code = CsiCode.CANCELLED;
        try {
            Transport.Answer<R> answer = exchange.make();
            code = answer instanceof Transport.Failure<R> failure ? failure.code() : CsiCode.OK;
            return answer;
        } finally {
            Duration took = Duration.ofNanos(time.nanos() - start);
            observer.tried(new CallTry(plugin, call.name(), call.subject(), number, code, took));
        }
    }
}
