package io.cleat.agent.check;

import io.cleat.base.VisibleText;
import java.time.Instant;

/**
 * What came of one call of a check.
 *
 * @param code of the answer of HTTP, or the exit code of a script; 0 for none
 * @param output for people
 */
public record CheckResult(CheckStatus status, int code, String output, Instant at) {
    /** Characters of an output. */
    static final int LONGEST = 3 * 1024;

    public CheckResult {
        output = VisibleText.head(VisibleText.lines(output), LONGEST);
    }

    /** Before the first call. */
    public static CheckResult pending(Instant at) {
        return new CheckResult(CheckStatus.PENDING, 0, "nomad: waiting to run", at);
    }

    public static CheckResult failure(String why, Instant at) {
        return new CheckResult(CheckStatus.FAILURE, 0, "nomad: " + why, at);
    }

    /** Whether it says the same, whenever it was. */
    boolean isAs(CheckResult other) {
        return status == other.status && code == other.code && output.equals(other.output);
    }
}
