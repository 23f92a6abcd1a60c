package io.cleat.testkit;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/** Carries out one call as its behaviour says. */
record Answering<Q extends Message, R extends Message>(
        Q request, StreamObserver<R> caller, Work<Q, R> work, R imagined, Runnable crash) {
    /** The real work of a call, in the fake's memory and, where a test says so, on the machine. */
    interface Work<Q, R> {
        R apply(Q request);
    }

    void behave(Behaviour behaviour) {
        try {
            switch (behaviour) {
                case Behaviour.Ok() -> answer(work.apply(request));
                case Behaviour.Refuse(Status.Code code, String words) ->
                    throw code.toStatus().withDescription(words).asRuntimeException();
                case Behaviour.Hang() -> {}
                case Behaviour.Slow slow -> {
                    Thread.sleep(slow.pause());
                    answer(work.apply(request));
                }
                case Behaviour.WaitFor(CountDownLatch gate) -> {
                    gate.await();
                    answer(work.apply(request));
                }
                case Behaviour.DoThen(Behaviour after) -> {
                    work.apply(request);
                    behave(after);
                }
                case Behaviour.Lie() -> answer(imagined);
                case Behaviour.Crash() -> crash.run();
                case Behaviour.About(String subject, Behaviour what) ->
                    behave(mentions(subject) ? what : Behaviour.ok());
                case Behaviour.Answer(Message reply) -> answer(likeImagined(reply));
                case Behaviour.Empty() -> answer(likeImagined(imagined.getDefaultInstanceForType()));
                case Behaviour.Part part -> throw new IllegalArgumentException("no stream: " + part);
                case Behaviour.Huge(int length) -> answer(likeImagined(grown(work.apply(request), "x".repeat(length))));
            }
        } catch (StatusRuntimeException refusal) {
            caller.onError(refusal);
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean mentions(String subject) {
        return request.getAllFields().entrySet().stream()
                .filter(set -> Set.of("name", "volume_id").contains(set.getKey().getName()))
                .anyMatch(set -> set.getValue().equals(subject));
    }

    private void answer(R reply) {
        caller.onNext(reply);
        caller.onCompleted();
    }

    // Safe: a message of the same descriptor is of the same generated class.
    @SuppressWarnings("unchecked")
    private R likeImagined(Message reply) {
        if (reply.getDescriptorForType() != imagined.getDescriptorForType()) {
            throw new IllegalArgumentException("scripted "
                    + reply.getDescriptorForType().getName()
                    + ", expected "
                    + imagined.getDescriptorForType().getName());
        }
        return (R) reply;
    }

    private static Message grown(Message message, String text) {
        Message.Builder bigger = message.toBuilder();
        for (Map.Entry<FieldDescriptor, Object> set : message.getAllFields().entrySet()) {
            FieldDescriptor field = set.getKey();
            if (field.isRepeated()) {
                if (field.getJavaType() == FieldDescriptor.JavaType.STRING) {
                    bigger.setField(field, List.of(text));
                }
            } else if (field.getJavaType() == FieldDescriptor.JavaType.STRING) {
                bigger.setField(field, text);
            } else if (set.getValue() instanceof Message inner) {
                bigger.setField(field, grown(inner, text));
            }
        }
        return bigger.build();
    }
}
