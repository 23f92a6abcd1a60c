package io.cleat.api;

import io.cleat.base.Effect;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Refused;
import io.cleat.base.Retry;
import io.cleat.exchange.HttpReply;
import java.io.IOException;
import java.util.Optional;

/** The lines of an event stream. Owned by the thread that reads. */
public final class EventStream implements AutoCloseable {
    private final HttpReply reply;
    private final JsonSequence<EventBatch> lines;

    EventStream(HttpReply reply) {
        this.reply = reply;
        lines = Json.sequence(reply.body(), EventBatch.class);
    }

    /**
     * The next line, heartbeats too; blocks until there is one. Empty when the server ended it.
     *
     * @throws LinkTrouble the connection broke, or what came cannot be read
     */
    public Optional<EventBatch> line() throws LinkTrouble {
        try {
            return lines.next();
        } catch (Refused unreadable) {
            throw new LinkTrouble(
                    "the event stream broke: " + unreadable.refusal().message(),
                    Effect.NONE,
                    Retry.SAME_CALL,
                    unreadable);
        }
    }

    /** As {@link #line}, without heartbeats. */
    public Optional<EventBatch> next() throws LinkTrouble {
        Optional<EventBatch> line = line();
        while (line.isPresent() && line.get().isHeartbeat()) {
            line = line();
        }
        return line;
    }

    /** Ends the stream; the server notices at its next line. */
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
