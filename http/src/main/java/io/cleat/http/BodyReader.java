package io.cleat.http;

import io.cleat.base.ByteBudget;
import io.cleat.base.Deadline;
import io.cleat.base.InputLimits;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Time;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/**
 * Reads the bodies of requests. Each takes its bytes from the budget that all share as they come: so what was announced
 * and does not come takes nothing, and no number of clients fills the heap. Any thread.
 */
final class BodyReader {
    /** How long one waits for others' bodies to be done with. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final int STEP = 8192;

    /**
     * What a list or an object takes of the budget beside its bytes: of two characters, a record and its defaults may
     * be made that are four hundred bytes large, where of other bytes at most twenty are made of each.
     */
    static final int PART = 20;

    private final HttpServer.Limits limits;
    private final ByteBudget budget;
    private final Time time;

    BodyReader(HttpServer.Limits limits, ByteBudget budget, Time time) {
        this.limits = limits;
        this.budget = budget;
        this.time = time;
    }

    /** A body, and its part of the budget until it is closed. For one thread. */
    final class Body implements AutoCloseable {
        private final ByteArrayOutputStream read = new ByteArrayOutputStream();
        private long taken;

        /** Lists and objects, if it is JSON, up to as many as may be. */
        private int parts;

        byte[] bytes() {
            return read.toByteArray();
        }

        private void add(byte[] some, int count) throws Refused, InterruptedException {
            if (read.size() + count > limits.largestBody()) {
                throw tooLarge();
            }
            int more = Math.min(parts(some, count), InputLimits.SENT_PARTS - parts);
            long bytes = count + (long) more * PART;
            if (!budget.take(bytes, Deadline.in(time, PATIENCE))) {
                throw new Refused(new Refusal.Exhausted("the memory for the bodies of requests", PATIENCE));
            }
            parts += more;
            taken += bytes;
            read.write(some, 0, count);
        }

        private static int parts(byte[] some, int count) {
            int parts = 0;
            for (int i = 0; i < count; i++) {
                parts += some[i] == '{' || some[i] == '[' ? 1 : 0;
            }
            return parts;
        }

        @Override
        public void close() {
            budget.give(taken);
            taken = 0;
        }
    }

    /**
     * Reads a body to its end.
     *
     * @param length as the request's head says it, or -1 if it does not
     * @throws Refused it is too large, too slow, or there is no memory for it
     */
    Body read(long length, InputStream in) throws IOException, Refused, InterruptedException {
        if (length > limits.largestBody()) {
            throw tooLarge();
        }
        Body body = new Body();
        if (length == 0) {
            return body;
        }
        boolean isWhole = false;
        try {
            fill(body, length, in);
            isWhole = true;
        } finally {
            if (!isWhole) {
                body.close();
            }
        }
        return body;
    }

    private void fill(Body body, long length, InputStream in) throws IOException, Refused, InterruptedException {
        Deadline deadline = Deadline.in(time, limits.wholeBody());
        byte[] some = new byte[(int) (length > 0 ? Math.min(length, STEP) : STEP)];
        for (int count = in.read(some); count >= 0; count = in.read(some)) {
            body.add(some, count);
            if (deadline.isExpired()) {
                throw new Refused(new Refusal.Malformed(
                        "the body did not come within " + limits.wholeBody().toSeconds() + " s"));
            }
        }
    }

    private Refused tooLarge() {
        return new Refused(new Refusal.Malformed("the body is larger than " + limits.largestBody() + " bytes"));
    }
}
