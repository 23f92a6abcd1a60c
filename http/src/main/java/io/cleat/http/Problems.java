package io.cleat.http;

import io.cleat.api.Faults;
import io.cleat.base.Refusal;
import io.cleat.base.Trouble;
import io.cleat.base.VisibleText;

/**
 * The one place where refusals and troubles become statuses and texts: a bare message, 400 for what cannot be read, 404
 * for what is not there on reads, 403 for what is not allowed, and 500 for all the rest.
 */
final class Problems {
    private Problems() {}

    static Reply reply(Refusal refusal, boolean missingIs404) {
        return switch (refusal) {
            case Refusal.NotFound notFound -> text(missingIs404 ? 404 : 500, notFound.message());
            case Refusal.Malformed malformed -> text(400, malformed.message());
            case Refusal.Invalid invalid -> text(500, text(invalid));
            case Refusal.Conflict conflict -> text(500, conflict.message());
            case Refusal.Exhausted exhausted ->
                text(429, exhausted.message())
                        .with(
                                "Retry-After",
                                String.valueOf(
                                        Math.max(1, exhausted.retryAfter().toSeconds())));
            case Refusal.Forbidden forbidden -> text(403, forbidden.message());
            case Refusal.NoLeader _ -> text(500, "No cluster leader");
            case Refusal.Fault fault -> text(500, fault.message());
            case Refusal.Failed failed -> text(500, failed.message());
        };
    }

    static Reply reply(Trouble trouble) {
        return text(500, trouble.reason());
    }

    /** What was given is quoted, and must not act on the terminal that shows it. */
    private static Reply text(int status, String message) {
        return Reply.text(status, VisibleText.lines(message));
    }

    private static String text(Refusal.Invalid invalid) {
        return invalid.faults().size() == 1 ? invalid.faults().getFirst() : Faults.render(invalid.faults());
    }
}
