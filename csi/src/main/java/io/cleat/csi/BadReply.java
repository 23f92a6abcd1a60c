package io.cleat.csi;

/** A reply that breaks the specification or our limits. The message says how. */
final class BadReply extends Exception {
    private static final long serialVersionUID = 1;

    BadReply(String message) {
        super(message);
    }
}
