package io.cleat.sim;

import io.cleat.base.Deadline;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.server.intake.Asked;
import io.cleat.server.intake.Requests;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request to the server, made by a thread of its own in the server's process. */
final class Requested {
    private static final Duration WITHIN = Duration.ofSeconds(60);

    private final SimServer server;
    private @Nullable String end;
    private boolean isDone;
    private boolean isRefused;

    /** What is asked. */
    interface Question {
        void ask(Requests requests, Asked asked) throws Refused, Trouble, InterruptedException;
    }

    private Requested(SimServer server) {
        this.server = server;
    }

    static Requested of(SimServer server, Trace trace, String what, String id, Question question) {
        Requested requested = new Requested(server);
        trace.say("operator", what);
        server.process.start("request", () -> {
            try {
                Deadline deadline = Deadline.in(server.process, WITHIN);
                question.ask(server.server.requests(), new Asked(Optional.of(id), deadline));
                requested.isDone = true;
                requested.end = "done";
            } catch (Refused refused) {
                requested.isRefused = true;
                requested.end = "refused: " + refused.refusal().message();
            } catch (Trouble trouble) {
                requested.end = "trouble: " + trouble.reason();
            }
            trace.say("operator", what + ": " + requested.end);
        });
        return requested;
    }

    /** Whether there is an answer, or never will be. */
    boolean isOver() {
        return end != null || !server.process.isAlive();
    }

    boolean isDone() {
        return isDone;
    }

    boolean isRefused() {
        return isRefused;
    }

    /** How it ended, in words. */
    String end() {
        return end == null ? "no answer" : end;
    }
}
