package io.cleat.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.Json;
import io.cleat.api.Rows;
import io.cleat.base.ByteBudget;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.SystemTime;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** Answers of any length in a memory of one length. */
class LargeAnswersTest {
    private static final int MANY = 200_000;

    /** What the writer of JSON keeps before it hands it on, and the row that it is at. */
    private static final int OF_JSON = 2 * 8192;

    private record Row(int Number, String Text) {}

    private static Row row(int number) {
        return new Row(number, "grün, 😀, <b>\u0001 " + "x".repeat(40));
    }

    private static Request get(String query, Map<String, String> headers) throws Refused {
        return Request.of("GET", "/v1/rows" + query, headers, new byte[0], Request.UNIX);
    }

    private static ByteBudget room(long bytes) {
        return new ByteBudget(bytes, new SystemTime());
    }

    /** Tells how much it was given so far, at each write. */
    private static final class Reader extends OutputStream {
        private final LongConsumer onWrite;
        private long count;

        Reader(LongConsumer onWrite) {
            this.onWrite = onWrite;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            onWrite.accept(count);
            count += length;
        }
    }

    @Test
    void noMoreRowsAreMadeThanTheBufferHolds() throws Exception {
        AtomicLong made = new AtomicLong();
        AtomicLong furthest = new AtomicLong();
        int size = Json.write(row(0)).length;
        Rows<Row> rows = Rows.of(() -> IntStream.range(0, MANY).mapToObj(number -> {
            made.incrementAndGet();
            return row(number);
        }));
        Reader reader = new Reader(taken -> furthest.accumulateAndGet(made.get() * size - taken, Math::max));
        AnswerWriter.to((status, headers, length) -> reader, room(AnswerBody.LARGE), get("", Map.of()))
                .write(Reply.json(rows));
        assertEquals(MANY, made.get());
        assertTrue(
                furthest.get() <= AnswerBody.BUFFER + OF_JSON,
                "at most " + furthest.get() + " bytes were made and not taken");
    }

    @Test
    void theBytesAreThoseOfTheListInMemory() throws Exception {
        for (int count : List.of(0, 1, 1000)) {
            List<Row> list =
                    IntStream.range(0, count).mapToObj(LargeAnswersTest::row).toList();
            Reply reply = Reply.json(Rows.of(() -> list.stream()));
            assertArrayEquals(
                    Json.write(list), Encoded.of(reply, get("", Map.of())).body());
            assertArrayEquals(
                    Json.writePretty(list),
                    Encoded.of(reply, get("?pretty", Map.of())).body());
            Encoded zipped = Encoded.of(reply, get("", Map.of("accept-encoding", "gzip")));
            if (count > 1) {
                assertEquals("gzip", zipped.headers().get("Content-Encoding"));
                assertArrayEquals(
                        Json.write(list), new GZIPInputStream(new ByteArrayInputStream(zipped.body())).readAllBytes());
            }
        }
    }

    @Test
    void aSmallAnswerSaysItsLengthAndALargeOneDoesNot() throws Exception {
        String most = "x".repeat(AnswerBody.BUFFER - 2);
        Encoded small = Encoded.of(Reply.json(most), get("", Map.of()));
        assertEquals(AnswerBody.BUFFER, small.length());
        assertEquals(AnswerBody.BUFFER, small.body().length);
        Encoded large = Encoded.of(Reply.json(most + "x"), get("", Map.of()));
        assertEquals(AnswerSink.UNKNOWN, large.length());
        assertEquals(AnswerBody.BUFFER + 1, large.body().length);
    }

    @Test
    void largeAnswersShareABudgetAndGiveItBack() throws Exception {
        ByteBudget budget = room(AnswerBody.LARGE);
        Reply large = Reply.json("x".repeat(AnswerBody.BUFFER));
        AnswerSink cut = (status, headers, length) -> {
            Refused full = assertThrows(
                    Refused.class,
                    () -> AnswerWriter.to((a, b, c) -> OutputStream.nullOutputStream(), budget)
                            .write(large));
            assertTrue(full.refusal() instanceof Refusal.Exhausted, "" + full.refusal());
            throw new IOException("gone");
        };
        assertThrows(IOException.class, () -> AnswerWriter.to(cut, budget).write(large));
        assertEquals(0, budget.taken());
        AnswerWriter.to((a, b, c) -> OutputStream.nullOutputStream(), budget).write(large);
        assertEquals(0, budget.taken());
    }

    @Test
    void aReaderThatIsGoneIsNoFaultOfTheWriter() {
        Rows<Row> rows = Rows.of(() -> IntStream.range(0, MANY).mapToObj(LargeAnswersTest::row));
        OutputStream broken = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("gone");
            }
        };
        IOException gone = assertThrows(
                IOException.class,
                () -> AnswerWriter.to((status, headers, length) -> broken, room(AnswerBody.LARGE))
                        .write(Reply.json(rows)));
        assertEquals("gone", gone.getMessage());
    }
}
