package io.cleat.testkit;

import com.google.protobuf.Message;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Carries out one call that answers with a stream, as its behaviour says: a message is sent when its caller has room
 * for it. The library runs one call's methods one after the other.
 */
final class Streaming<R extends Message> {
    private final ServerCallStreamObserver<R> caller;
    private final Runnable crash;
    private final Runnable ended;
    private final AtomicInteger sent;
    private final AtomicInteger heldBack;
    private final ArrayDeque<R> left = new ArrayDeque<>();
    private Behaviour end = Behaviour.ok();
    private boolean over;

    Streaming(
            ServerCallStreamObserver<R> caller,
            Runnable crash,
            Runnable ended,
            AtomicInteger sent,
            AtomicInteger heldBack) {
        this.caller = caller;
        this.crash = crash;
        this.ended = ended;
        this.sent = sent;
        this.heldBack = heldBack;
    }

    void behave(Behaviour behaviour, Supplier<List<R>> work) {
        caller.setOnReadyHandler(this::send);
        try {
            switch (behaviour) {
                case Behaviour.Ok() -> left.addAll(work.get());
                case Behaviour.Part(int messages, Behaviour after) -> {
                    left.addAll(work.get().subList(0, messages));
                    end = after;
                }
                case Behaviour.Answer(Message reply) -> left.add(alike(reply));
                case Behaviour.Refuse refuse -> end = refuse;
                case Behaviour.Hang hang -> end = hang;
                case Behaviour.Crash now -> end = now;
                default -> throw new IllegalArgumentException("a stream cannot behave as " + behaviour);
            }
            send();
        } catch (StatusRuntimeException refusal) {
            ended.run();
            caller.onError(refusal);
        }
    }

    // A message of another type is found out by its caller.
    @SuppressWarnings("unchecked")
    private R alike(Message reply) {
        return (R) reply;
    }

    private void send() {
        while (!over && caller.isReady() && !left.isEmpty()) {
            sent.incrementAndGet();
            caller.onNext(left.removeFirst());
        }
        if (!left.isEmpty()) {
            heldBack.incrementAndGet();
        } else if (!over) {
            over = true;
            switch (end) {
                case Behaviour.Refuse(Status.Code code, String words) -> {
                    ended.run();
                    caller.onError(code.toStatus().withDescription(words).asRuntimeException());
                }
                case Behaviour.Crash() -> crash.run();
                case Behaviour.Hang() -> {}
                default -> {
                    ended.run();
                    caller.onCompleted();
                }
            }
        }
    }
}
