package io.cleat.api;

import io.cleat.base.Effect;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Refused;
import io.cleat.base.Retry;
import io.cleat.exchange.HttpReply;
import java.io.IOException;
import java.util.Optional;

/** The frames of a task's output. Owned by the thread that reads. */
public final class LogStream implements AutoCloseable {
    private final HttpReply reply;
    private final JsonSequence<LogFrame> frames;

    LogStream(HttpReply reply) {
        this.reply = reply;
        frames = Json.sequence(reply.body(), LogFrame.class);
    }

    /**
     * The next frame that is no heartbeat; blocks until there is one. Empty at the end.
     *
     * @throws LinkTrouble the connection broke, or what came cannot be read
     */
    public Optional<LogFrame> next() throws LinkTrouble {
        try {
            Optional<LogFrame> frame = frames.next();
            while (frame.isPresent() && frame.get().equals(LogFrame.HEARTBEAT)) {
                frame = frames.next();
            }
            if (frame.isPresent()) {
                frame.get().bytes();
            }
            return frame;
        } catch (IllegalArgumentException notBase64) {
            throw new LinkTrouble(
                    "the log stream broke: a frame's data is not base64", Effect.NONE, Retry.SAME_CALL, notBase64);
        } catch (Refused unreadable) {
            throw new LinkTrouble(
                    "the log stream broke: " + unreadable.refusal().message(),
                    Effect.NONE,
                    Retry.SAME_CALL,
                    unreadable);
        }
    }

    /** Ends the stream; the server notices at its next frame. */
    @Override
    public void close() {
        try {
            reply.close();
        } catch (IOException alreadyGone) {
            // Closing is all that was wanted.
            return;
        }
    }
}
