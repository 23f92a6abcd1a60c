package io.cleat.jobspec.hcl;

import io.cleat.base.Deadline;
import io.cleat.base.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;

/** A world that is always the same. */
public final class FixedRuntime {
    private FixedRuntime() {}

    public static RuntimeValues runtime() {
        AtomicInteger ids = new AtomicInteger();
        return new RuntimeValues(new StoppedTime(), () -> "id-" + ids.incrementAndGet());
    }

    /** The value of one expression without variables. */
    static Value evaluate(Source source, Faults faults) {
        Expr expr = BodyParser.expression(source, faults);
        return new Evaluator(new Declarations(), new Functions(runtime()), faults).eval(expr, Scope.EMPTY);
    }

    /** A clock that shows one moment. */
    private static final class StoppedTime implements Time {
        @Override
        public Instant now() {
            return Instant.parse("2026-01-02T03:04:05.6Z");
        }

        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public void sleep(Duration duration) {
            throw new AssertionError("Reading a file never sleeps");
        }

        @Override
        public boolean await(Condition condition, Deadline deadline) {
            throw new AssertionError("Reading a file never waits");
        }
    }
}
