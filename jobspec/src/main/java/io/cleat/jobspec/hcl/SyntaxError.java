package io.cleat.jobspec.hcl;

/** Ends the reading of one attribute or block; the parser goes on behind it. */
final class SyntaxError extends Exception {
    private static final long serialVersionUID = 1;

    private final transient Span at;
    private final String summary;
    private final String detail;
    private final boolean toTheEnd;

    SyntaxError(Span at, String summary, String detail) {
        this(at, summary, detail, false);
    }

    private SyntaxError(Span at, String summary, String detail, boolean toTheEnd) {
        super(summary + "; " + detail, null, false, false);
        this.at = at;
        this.summary = summary;
        this.detail = detail;
        this.toTheEnd = toTheEnd;
    }

    /** What is wrong reaches to the end of the file, so there is nothing to go on with. */
    static SyntaxError toTheEnd(Span at, String summary, String detail) {
        return new SyntaxError(at, summary, detail, true);
    }

    void addTo(Faults faults) {
        faults.add(at, summary, detail);
    }

    Span at() {
        return at;
    }

    boolean reachesTheEnd() {
        return toTheEnd;
    }
}
