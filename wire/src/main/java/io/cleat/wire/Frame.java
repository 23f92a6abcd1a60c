package io.cleat.wire;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Refused;
import io.cleat.base.VisibleText;
import io.cleat.codec.RecordCodec;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * What arrives on a stream of gRPC: a message, or bytes that are none. The latter is a value and no
 * exception: gRPC logs each exception of a reader with its whole stack, and whoever reaches the
 * socket could fill the log with them.
 *
 * @param message null if the bytes are none
 * @param fault why they are none, in at most some {@link #MOST_WORDS} characters of one line; empty
 *     for a message
 */
record Frame<T>(@Nullable T message, String fault) {
    private static final int MOST_WORDS = 200;

    static <T> Frame<T> of(T message) {
        return new Frame<>(message, "");
    }

    private static <T> Frame<T> unreadable(String why) {
        return new Frame<>(null, VisibleText.cut(why, MOST_WORDS));
    }

    /** Messages in the envelopes of {@link WireFormat}. */
    record Marshaller<T>(RecordCodec<T> codec) implements MethodDescriptor.Marshaller<Frame<T>> {
        @Override
        public InputStream stream(Frame<T> frame) {
            T message = frame.message();
            if (message == null) {
                throw new IllegalStateException("only messages are sent");
            }
            try {
                return new ByteArrayInputStream(codec.encode(message));
            } catch (Refused unfit) {
                throw Status.INVALID_ARGUMENT
                        .withDescription(unfit.refusal().message())
                        .withCause(unfit)
                        .asRuntimeException();
            }
        }

        @Override
        public Frame<T> parse(InputStream stream) {
            try {
                return Frame.of(codec.decode(stream.readAllBytes()));
            } catch (DiskTrouble trouble) {
                return unreadable(trouble.reason());
            } catch (IOException broken) {
                return unreadable(broken.toString());
            }
        }
    }
}
