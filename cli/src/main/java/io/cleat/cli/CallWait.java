package io.cleat.cli;

import io.cleat.api.CleatClient;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.api.VolumeOperation;
import io.cleat.api.VolumeWhy;
import io.cleat.base.Deadline;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Threads;
import io.cleat.base.VisibleText;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a request that is answered once a plugin's call has ended. It says what it waits for after a second and
 * whenever there are other words about the call. The call goes on though nobody waits for it; whoever stops waiting is
 * told how to look after it.
 *
 * <p>Guarded by {@code lock}.
 */
final class CallWait<T> {
    static final Flag DETACH = Flag.yes("detach", "Do not wait for the plugin; print the operation's id and return.");

    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);
    private static final Duration BEFORE_DETACHING = Duration.ofMillis(100);

    /** A request, as a client makes it. */
    @FunctionalInterface
    interface Request<T> {
        T make() throws UnexpectedAnswer, LinkTrouble;
    }

    private final Call call;
    private final CleatClient client;
    private final String about;
    private final Request<T> request;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean isEnded;
    private @Nullable T answer;
    private @Nullable Throwable fault;
    private Optional<VolumeOperation> seen = Optional.empty();
    private String told = "";

    private CallWait(Call call, CleatClient client, String about, Request<T> request) {
        this.call = call;
        this.client = client;
        this.about = about;
        this.request = request;
    }

    /**
     * Makes a request.
     *
     * @param about the id of the volume or snapshot that the plugin's call is about
     * @return empty if its end is not waited for, as the flag {@link #DETACH} wants
     */
    static <T> Optional<T> of(Call call, CleatClient client, String about, Request<T> request)
            throws Failure, UnexpectedAnswer, LinkTrouble, InterruptedException {
        CallWait<T> wait = new CallWait<>(call, client, about, request);
        try (Terminal.Interrupts _ = call.environment().terminal().beforeEnd(() -> wait.sayItGoesOn())) {
            return wait.wait(call.flags().has(DETACH));
        } catch (InterruptedException interrupted) {
            wait.sayItGoesOn();
            throw interrupted;
        }
    }

    private Optional<T> wait(boolean isDetached) throws Failure, UnexpectedAnswer, LinkTrouble, InterruptedException {
        Threads.virtual((where, error) -> call.say(where + ": " + error))
                .contained("cli/request", this::make, this::failed);
        while (!hasEndedWithin(isDetached ? BEFORE_DETACHING : BETWEEN_LOOKS)) {
            look();
            if (isDetached && seen.isPresent()) {
                sayItGoesOn();
                return Optional.empty();
            }
            if (!isDetached) {
                tell();
            }
        }
        return Optional.ofNullable(result());
    }

    private void make() {
        try {
            T got = request.make();
            end(got, null);
        } catch (UnexpectedAnswer | LinkTrouble failed) {
            end(null, failed);
        }
    }

    private void failed(Throwable error) {
        end(null, error);
    }

    private void end(@Nullable T got, @Nullable Throwable error) {
        lock.lock();
        try {
            isEnded = true;
            answer = got;
            fault = error;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean hasEndedWithin(Duration time) throws InterruptedException {
        Deadline deadline = Deadline.in(call.time(), time);
        lock.lockInterruptibly();
        try {
            boolean hasTime = true;
            while (hasTime && !isEnded) {
                hasTime = call.time().await(changed, deadline);
            }
            return isEnded;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable T result() throws UnexpectedAnswer, LinkTrouble {
        lock.lock();
        try {
            switch (fault) {
                case null -> {
                    return answer;
                }
                case UnexpectedAnswer unexpected -> throw unexpected;
                case LinkTrouble trouble -> throw trouble;
                default -> throw new IllegalStateException(fault);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Nothing is told where nothing can be asked: the request itself says what is wrong. */
    private void look() {
        try {
            List<VolumeOperation> found =
                    client.volumes().operations(about, Params.none()).body();
            lock.lock();
            try {
                seen = found.stream().findFirst();
            } finally {
                lock.unlock();
            }
        } catch (UnexpectedAnswer | LinkTrouble notTold) {
            // An older agent, or one that ends.
        }
    }

    private void tell() {
        if (seen.isEmpty()) {
            return;
        }
        VolumeOperation operation = seen.get();
        String key = operation.ID() + " " + operation.Words();
        VolumeWhy.Waiting wait = operation.BlockedBy();
        if (key.equals(told) || wait == null) {
            return;
        }
        told = key;
        call.say(VisibleText.line(
                "Waiting for %s: %s".formatted(wait.Holder(), wait.Hint().isEmpty() ? operation.Call() : wait.Hint())));
    }

    private void sayItGoesOn() {
        Optional<VolumeOperation> last;
        lock.lock();
        try {
            last = isEnded ? Optional.empty() : seen;
        } finally {
            lock.unlock();
        }
        if (last.isEmpty()) {
            return;
        }
        VolumeOperation operation = last.get();
        call.say(VisibleText.line("%s goes on: operation %s".formatted(operation.Call(), call.id(operation.ID())))
                + "\n  look: cleat volume why "
                + VisibleText.line(about)
                + "\n  cancel: cleat volume cancel "
                + call.id(operation.ID()));
    }
}
