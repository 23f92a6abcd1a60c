package io.cleat.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.cleat.base.ByteBudget;
import io.cleat.base.Deadline;
import io.cleat.base.InputLimits;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.SystemTime;
import io.cleat.base.Time;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.Test;

/** Bodies of requests, however many, in a memory of one size. */
class BodyReaderTest {
    private static final HttpServer.Limits LIMITS =
            new HttpServer.Limits(64 * 1024, Duration.ofSeconds(1), Duration.ofSeconds(1), 1);

    private final Time system = new SystemTime();

    /** Here every deadline of a wait is over at once. */
    private final Time impatient = new Time() {
        @Override
        public Instant now() {
            return system.now();
        }

        @Override
        public long nanos() {
            return system.nanos();
        }

        @Override
        public void sleep(Duration duration) {}

        @Override
        public boolean await(Condition condition, Deadline deadline) {
            return false;
        }
    };

    private final ByteBudget budget = new ByteBudget(100_000, impatient);
    private final BodyReader reader = new BodyReader(LIMITS, budget, system);

    private static InputStream body(int bytes) {
        return new ByteArrayInputStream(new byte[bytes]);
    }

    @Test
    void whoFindsNoMemoryIsToldToComeLaterAndTakesNone() throws Exception {
        try (BodyReader.Body first = reader.read(60_000, body(60_000))) {
            assertEquals(60_000, first.bytes().length);
            Refused refused = assertThrows(Refused.class, () -> reader.read(60_000, body(60_000)));
            assertInstanceOf(Refusal.Exhausted.class, refused.refusal());
            assertEquals(60_000, budget.taken());
        }
        assertEquals(0, budget.taken());
        reader.read(60_000, body(60_000)).close();
    }

    @Test
    void whatIsAnnouncedTooLargeIsRefusedUnread() {
        InputStream unread = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("it was read");
            }

            @Override
            public int read(byte[] some, int from, int most) throws IOException {
                return read();
            }
        };
        Refused refused = assertThrows(Refused.class, () -> reader.read(64 * 1024 + 1, unread));
        assertInstanceOf(Refusal.Malformed.class, refused.refusal());
        assertEquals(0, budget.taken());
    }

    /** Of few bytes much may be made. */
    @Test
    void listsAndObjectsTakeMoreThanTheirBytes() throws Exception {
        byte[] dense = "[{},{},\"x\"]".repeat(10).getBytes(StandardCharsets.UTF_8);
        try (BodyReader.Body body = reader.read(-1, new ByteArrayInputStream(dense))) {
            assertEquals(dense.length, body.bytes().length);
            assertEquals(dense.length + 30 * BodyReader.PART, budget.taken());
        }
        assertEquals(0, budget.taken());
    }

    @Test
    void aBodyTakesNoMoreForPartsThanItMayHave() throws Exception {
        ByteBudget large = new ByteBudget(2_000_000, impatient);
        BodyReader wide = new BodyReader(LIMITS, large, system);
        byte[] dense = "[".repeat(64 * 1024).getBytes(StandardCharsets.UTF_8);
        try (BodyReader.Body body = wide.read(-1, new ByteArrayInputStream(dense))) {
            assertEquals(body.bytes().length + (long) InputLimits.SENT_PARTS * BodyReader.PART, large.taken());
        }
    }

    @Test
    void whatGrowsTooLargeUnannouncedIsRefused() {
        Refused refused = assertThrows(Refused.class, () -> reader.read(-1, body(64 * 1024 + 1)));
        assertInstanceOf(Refusal.Malformed.class, refused.refusal());
        assertEquals(0, budget.taken());
    }

    @Test
    void aBodyThatIsCutGivesBackWhatItTook() {
        InputStream cut = new InputStream() {
            private boolean isCut;

            @Override
            public int read() throws IOException {
                throw new IOException("cut");
            }

            @Override
            public int read(byte[] some, int from, int most) throws IOException {
                if (isCut) {
                    return read();
                }
                isCut = true;
                return most;
            }
        };
        assertThrows(IOException.class, () -> reader.read(20_000, cut));
        assertEquals(0, budget.taken());
    }
}
