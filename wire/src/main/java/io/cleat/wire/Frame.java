package io.cleat.wire;

import io.cleat.base.DiskTrouble;
import io.cleat.base.VisibleText;
import io.cleat.codec.RecordCodec;
import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * What goes over a stream of gRPC: bytes that leave; a message that arrives, or bytes that are none. The latter is a
 * value and no exception: gRPC logs each exception of a reader with its whole stack, and whoever reaches the socket
 * could fill the log with them.
 *
 * @param leaving what is sent; null of what arrives
 * @param message null if the bytes are none, and of what leaves
 * @param fault why they are none, in at most some {@link #MOST_WORDS} characters of one line; empty for a message
 */
record Frame<T>(@Nullable InputStream leaving, @Nullable T message, String fault) {
    private static final int MOST_WORDS = 200;

    static <T> Frame<T> of(T message) {
        return new Frame<>(null, message, "");
    }

    static <T> Frame<T> leaving(byte[] encoded) {
        return new Frame<>(new ByteArrayInputStream(encoded), null, "");
    }

    private static <T> Frame<T> unreadable(String why) {
        return new Frame<>(null, null, VisibleText.cut(why, MOST_WORDS));
    }

    /** Messages in the envelopes of {@link WireFormat}. */
    record Marshaller<T>(RecordCodec<T> codec) implements MethodDescriptor.Marshaller<Frame<T>> {
        @Override
        public InputStream stream(Frame<T> frame) {
            InputStream leaving = frame.leaving();
            if (leaving == null) {
                throw new IllegalStateException("what arrives is not sent");
            }
            return leaving;
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
