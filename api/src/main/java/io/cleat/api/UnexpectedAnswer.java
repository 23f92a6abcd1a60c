package io.cleat.api;

/** A server answered with a status other than success. */
public final class UnexpectedAnswer extends Exception {
    private static final long serialVersionUID = 1;

    private final int status;
    private final String body;

    public UnexpectedAnswer(int status, String body) {
        super("Unexpected response code: " + status + " (" + body + ")");
        this.status = status;
        this.body = body;
    }

    public int status() {
        return status;
    }

    /** What the server said, as it said it. */
    public String body() {
        return body;
    }

    /** Whether the server said that there is no such object. */
    public boolean isNotFound() {
        return status == 404;
    }
}
