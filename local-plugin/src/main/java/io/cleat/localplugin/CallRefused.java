package io.cleat.localplugin;

import io.grpc.Status;

/** A call's refusal: the code that the CSI specification names for the case, and a sentence. */
final class CallRefused extends Exception {
    private static final long serialVersionUID = 1;

    private final Status.Code code;
    private final String sentence;

    private CallRefused(Status.Code code, String sentence) {
        super(sentence);
        this.code = code;
        this.sentence = sentence;
    }

    /** The request cannot be what its caller wants, whatever the state of the volume. */
    static CallRefused invalid(String sentence) {
        return new CallRefused(Status.Code.INVALID_ARGUMENT, sentence);
    }

    static CallRefused notFound(String sentence) {
        return new CallRefused(Status.Code.NOT_FOUND, sentence);
    }

    /** It is there already, and differs from what was asked for. */
    static CallRefused different(String sentence) {
        return new CallRefused(Status.Code.ALREADY_EXISTS, sentence);
    }

    /** Something else must be done, or undone, before. */
    static CallRefused tooSoon(String sentence) {
        return new CallRefused(Status.Code.FAILED_PRECONDITION, sentence);
    }

    static CallRefused outOfRange(String sentence) {
        return new CallRefused(Status.Code.OUT_OF_RANGE, sentence);
    }

    /** Another call about the same volume is still at work, or a list must be begun anew. */
    static CallRefused aborted(String sentence) {
        return new CallRefused(Status.Code.ABORTED, sentence);
    }

    static CallRefused full(String sentence) {
        return new CallRefused(Status.Code.RESOURCE_EXHAUSTED, sentence);
    }

    Status.Code code() {
        return code;
    }

    String sentence() {
        return sentence;
    }
}
