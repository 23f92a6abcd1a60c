package io.cleat.jobspec.hcl;

import io.cleat.base.Ids;
import io.cleat.base.SystemTime;
import io.cleat.base.Time;

/** What an expression may learn from outside the file: {@code timestamp} and {@code uuidv4}. */
public record RuntimeValues(Time time, Ids ids) {
    /** The machine's clock and random ids. */
    public static RuntimeValues real() {
        return new RuntimeValues(new SystemTime(), Ids.random());
    }
}
