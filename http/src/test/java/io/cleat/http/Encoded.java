package io.cleat.http;

import io.cleat.base.ByteBudget;
import io.cleat.base.Refused;
import io.cleat.base.SystemTime;
import io.cleat.base.Trouble;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;

/**
 * An answer as it was sent.
 *
 * @param headers all of them but the length
 * @param length as its head said it, or {@link AnswerSink#UNKNOWN}
 */
@SuppressWarnings("ArrayRecordComponent")
record Encoded(int status, Map<String, String> headers, long length, byte[] body) {
    private static final ByteBudget ROOM = new ByteBudget(Long.MAX_VALUE / 2, new SystemTime());

    /** A reply to what could not be read as a request. */
    static Encoded of(Reply reply) {
        Sent sent = new Sent();
        return sent.by(AnswerWriter.to(sent, ROOM), reply);
    }

    static Encoded of(Reply reply, Request request) {
        Sent sent = new Sent();
        return sent.by(AnswerWriter.to(sent, ROOM, request), reply);
    }

    /** Gathers what is sent. */
    private static final class Sent implements AnswerSink {
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private int status;
        private Map<String, String> headers = Map.of();
        private long length;

        @Override
        public ByteArrayOutputStream begin(int begun, Map<String, String> with, long of) {
            status = begun;
            headers = with;
            length = of;
            return body;
        }

        Encoded by(AnswerWriter writer, Reply reply) {
            try {
                writer.write(reply);
            } catch (IOException | Refused | Trouble | InterruptedException cut) {
                throw new AssertionError("the answer was cut", cut);
            }
            return new Encoded(status, headers, length, body.toByteArray());
        }
    }
}
