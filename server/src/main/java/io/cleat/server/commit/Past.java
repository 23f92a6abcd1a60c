package io.cleat.server.commit;

/** How what somebody has seen stands to what is applied here. */
public enum Past {
    /** It is a part of what is applied, or nothing speaks against it. */
    SAME,
    /** More was seen than is applied: the end of the log is lost. */
    AHEAD,
    /** Something else was decided here since: the end of the log was lost, and replaced. */
    DIVERGED
}
