package io.cleat.csi;

import io.cleat.base.Effect;
import io.cleat.base.Retry;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Puts the end of a call that went wrong into words and into a kind of trouble.
 *
 * <p>A message begins with the call's title and says what it means for the object; the gRPC text as people know it from
 * other orchestrators comes last, so that it can be searched for.
 *
 * @param tries how many were made
 * @param unknown whether one of them may have had an effect
 */
record Ending(String plugin, Call<?, ?, ?> call, int tries, boolean unknown) {
    CsiTrouble failed(Transport.Failure<?> failure) {
        CsiCode code = failure.code();
        String words = Words.cleaned(failure.words(), call.hidden());
        String message = meaning(failure)
                + circumstances(failure.left())
                + ": rpc error: code = "
                + code.text()
                + " desc = "
                + words;
        CsiTrouble.Details details = details(message, retry(failure), code, words, failure.cause());
        if (failure.timedOut() || code == CsiCode.DEADLINE_EXCEEDED) {
            return new CsiTimedOut(details);
        }
        if (code == CsiCode.UNAVAILABLE || (!failure.left() && !failure.answered())) {
            return new CsiUnavailable(details);
        }
        // The plugin itself did not say this: its reply did not fit through.
        if (code == CsiCode.RESOURCE_EXHAUSTED && !failure.answered()) {
            return new CsiProtocol(details);
        }
        return new CsiRejected(details);
    }

    /** As {@link #failed}, where the connection broke since the plugin ended. */
    CsiTrouble pluginEnded(Transport.Failure<?> failure, boolean withheld) {
        String words = Words.cleaned(failure.words(), call.hidden());
        String message = "plugin "
                + Words.quoted(plugin)
                + " ended during it"
                + (withheld ? ", as it did before: it is not made again" : "")
                + subject(", ")
                + circumstances(true)
                + ": rpc error: code = "
                + failure.code().text()
                + " desc = "
                + words;
        return new CsiPluginEnded(
                details(message, Retry.SAME_CALL, failure.code(), words, failure.cause()), withheld, true);
    }

    /** The plugin ended during this call too often, as was said when it did. */
    CsiTrouble withheld() {
        String message = "plugin "
                + Words.quoted(plugin)
                + " ended "
                + RunEnds.MOST_ENDS
                + " times during it, so it is not made again"
                + subject(", ");
        return new CsiPluginEnded(details(message, Retry.SAME_CALL, CsiCode.ABORTED, "", null), true, false);
    }

    /** Another call is made alone, or this one was to be. */
    CsiTrouble crowded() {
        String message = "plugin "
                + Words.quoted(plugin)
                + " ended during several calls, which are made again one at a time, and the deadline passed"
                + subject(", waiting for ");
        return new CsiTimedOut(details(message, Retry.SAME_CALL, CsiCode.DEADLINE_EXCEEDED, "", null));
    }

    CsiTrouble bad(BadReply reply) {
        String message = "plugin "
                + Words.quoted(plugin)
                + " broke the CSI specification: its reply "
                + Words.cleaned(String.valueOf(reply.getMessage()), call.hidden())
                + subject(" about ")
                + circumstances(true);
        Retry retry = call.changes() ? Retry.AFTER_OBSERVING : Retry.SAME_CALL;
        return new CsiProtocol(details(message, retry, CsiCode.OK, "", reply));
    }

    /** The deadline passed between two tries, or before the first. */
    CsiTrouble late() {
        String message = "the deadline passed "
                + (tries == 0 ? "before the call was made" : "between two tries")
                + subject(" for ")
                + circumstances(tries > 0);
        return new CsiTimedOut(details(message, Retry.SAME_CALL, CsiCode.DEADLINE_EXCEEDED, "", null));
    }

    CsiTrouble busy(int mostAtOnce) {
        String message = "the deadline passed while "
                + mostAtOnce
                + " other calls to plugin "
                + Words.quoted(plugin)
                + " were in flight"
                + subject(", waiting for ");
        return new CsiTimedOut(details(message, Retry.SAME_CALL, CsiCode.DEADLINE_EXCEEDED, "", null));
    }

    /** The plugin says that it does not offer this call. */
    CsiTrouble notAnnounced(String capability) {
        String message = "plugin "
                + Words.quoted(plugin)
                + " does not announce "
                + capability
                + subject(", needed for ")
                + ", nothing was sent";
        return new CsiRejected(details(message, Retry.NEVER, CsiCode.UNIMPLEMENTED, "", null));
    }

    private CsiTrouble.Details details(
            String message, Retry retry, CsiCode code, String words, @Nullable Throwable cause) {
        return new CsiTrouble.Details(
                call.title() + ": " + message,
                unknown ? Effect.UNKNOWN : Effect.NONE,
                retry,
                plugin,
                call.name(),
                code,
                words,
                tries,
                // A cause's own message may hold what was cleaned from ours.
                call.hidden().isEmpty() ? cause : null);
    }

    private Retry retry(Transport.Failure<?> failure) {
        if (unknown || failure.isPassing(call)) {
            return Retry.SAME_CALL;
        }
        return failure.isHarmless(call) && failure.answered() ? Retry.NEVER : Retry.SAME_CALL;
    }

    private String circumstances(boolean left) {
        StringBuilder text = new StringBuilder();
        if (tries > 1) {
            text.append(", plugin ").append(Words.quoted(plugin));
            text.append(", ").append(tries).append(" tries");
        }
        if (unknown) {
            text.append(", whether it took effect is unknown: repeat the same call, or look");
        } else if (!left) {
            text.append(", nothing was sent");
        }
        return text.toString();
    }

    private String subject(String before) {
        return call.subject().isEmpty() ? "" : before + call.subject();
    }

    /** What a call would make is not what is missing. */
    private String missing(String it) {
        return call.sought().equals(call.subject())
                ? it + " could not be found"
                : call.sought() + " could not be found, from which " + it + " is made";
    }

    private String meaning(Transport.Failure<?> failure) {
        String it = call.subject().isEmpty() ? "plugin " + Words.quoted(plugin) : call.subject();
        return switch (failure.code()) {
            case NOT_FOUND -> missing(it);
            case ALREADY_EXISTS -> it + " exists already with other properties";
            case INVALID_ARGUMENT -> it + ": the plugin refuses the arguments";
            case FAILED_PRECONDITION -> it + " is not in a state that allows this";
            case OUT_OF_RANGE -> it + ": a value is outside what the plugin supports";
            case UNIMPLEMENTED -> it + ": the plugin does not implement this call";
            case PERMISSION_DENIED, UNAUTHENTICATED -> it + ": the provider does not permit this; check the secrets";
            case ABORTED -> it + ": another operation on it is under way";
            case RESOURCE_EXHAUSTED ->
                failure.answered()
                        ? it + ": the provider or plugin is exhausted"
                        : it + ": the reply is larger than is read";
            case UNAVAILABLE ->
                it
                        + (failure.answered()
                                ? ": the plugin is not available"
                                : failure.left() ? ": the connection broke" : ": the plugin is not there");
            case DEADLINE_EXCEEDED -> it + ": no answer in time";
            case CANCELLED -> it + ": the call was cancelled";
            case INTERNAL ->
                it
                        + ": the "
                        + call.service().toLowerCase(Locale.ROOT)
                        + " plugin returned an internal error, check the plugin allocation logs for more information";
            case OK, UNKNOWN, DATA_LOSS -> it + ": the plugin failed";
        };
    }
}
