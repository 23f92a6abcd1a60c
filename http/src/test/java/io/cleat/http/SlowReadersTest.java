package io.cleat.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.CleatClient;
import io.cleat.api.Rows;
import io.cleat.api.ServerAddress;
import io.cleat.base.ByteBudget;
import io.cleat.base.Deadline;
import io.cleat.base.Ids;
import io.cleat.base.LinkTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Time;
import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that ask for much and take it slowly, or not at all, through real sockets. */
class SlowReadersTest {
    private static final int READERS = 50;
    private static final int OTHERS = 10;

    /** Ten million rows: a gigabyte, if anybody kept them. */
    private static final int ENDLESS = 10_000_000;

    private static final String ROW = "r".repeat(100);

    /** What the kernel takes of an answer that nobody reads. */
    private static final int OF_KERNEL = 1024 * 1024;

    private static final HttpServer.Limits SHORT =
            new HttpServer.Limits(64 * 1024, Duration.ofSeconds(1), Duration.ofSeconds(2), 100);

    @TempDir
    Path directory;

    /** How much faster than the machine's the time is by which readers are cut. */
    private static final int HASTE = 200;

    private final Time time = new SystemTime();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger made = new AtomicInteger();
    private final AtomicBoolean isFull = new AtomicBoolean();
    private final List<String> faults = new CopyOnWriteArrayList<>();
    private final ByteBudget answers = new ByteBudget(64 * (long) AnswerBody.LARGE, time);
    private Optional<HttpServer> server = Optional.empty();
    private Path socket = Path.of("unset");

    @BeforeEach
    void listen() throws Exception {
        listen(SHORT, time);
    }

    private void listen(HttpServer.Limits limits, Time clock) throws Exception {
        socket = directory.resolve("s");
        List<Route> routes = List.of(
                Route.get("/v1/rows", request -> Reply.json(rows(ENDLESS))),
                Route.get("/v1/broken", request -> Reply.json(rows(20_000))),
                Route.get("/v1/broken-early", request -> Reply.json(rows(3))),
                Route.get("/v1/metrics", request -> Reply.json("metrics")),
                Route.delete("/v1/job/:id", request -> Reply.json("deleted")),
                Route.get("/v1/regions", request -> Reply.json(List.of("global"))));
        server = Optional.of(HttpServer.open(
                List.of(new Listener.Unix(socket)),
                new Dispatcher(
                        Guard.local(),
                        routes,
                        () -> List.of("global"),
                        (where, fault) -> faults.add(where),
                        Ids.random()),
                new Admission(isFull::get, new ByteBudget(1 << 20, time), answers),
                limits,
                clock));
    }

    @AfterEach
    void stop() {
        server.ifPresent(HttpServer::close);
    }

    private Rows<String> rows(int breaksAt) {
        return Rows.of(() -> {
            begun.incrementAndGet();
            return IntStream.range(0, ENDLESS).mapToObj(number -> {
                made.incrementAndGet();
                if (number == breaksAt) {
                    throw new IllegalStateException("row " + number);
                }
                return ROW;
            });
        });
    }

    private SocketChannel ask(String method, String target) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(socket));
        String request = method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.UTF_8)));
        return channel;
    }

    private String all(String method, String target) throws IOException {
        try (SocketChannel channel = ask(method, target);
                InputStream in = Channels.newInputStream(channel)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** On a busy machine one of them, too, may do nothing for as long as is granted; another asks. */
    private void assertOthersAreAnswered() throws Exception {
        for (int asked = 1; ; asked++) {
            CleatClient other = new CleatClient(new ServerAddress.Unix(socket), CleatClient.Options.NONE);
            try {
                assertEquals(List.of("global"), other.agent().regions());
                return;
            } catch (LinkTrouble cut) {
                if (asked == OTHERS) {
                    throw cut;
                }
            }
        }
    }

    @Test
    void fiftyWhoTakeNothingAreCutAndSlowNobody() throws Exception {
        List<SocketChannel> readers = new ArrayList<>();
        Deadline soon = Deadline.in(time, Duration.ofSeconds(60));
        while (begun.get() < READERS && !soon.isExpired()) {
            // On a busy machine one may be cut before it is heard, and the first before the last has come.
            int before = begun.get();
            Deadline heard = Deadline.in(time, Duration.ofSeconds(2));
            readers.add(ask("GET", "/v1/rows"));
            while (begun.get() == before && !heard.isExpired()) {
                Thread.onSpinWait();
            }
        }
        assertTrue(begun.get() >= READERS, begun + " answers were begun");
        assertOthersAreAnswered();
        while (answers.taken() > 0 && !soon.isExpired()) {
            assertOthersAreAnswered();
        }
        assertEquals(0, answers.taken(), "bytes of answers that nobody takes");
        long bytes = made.get() * (long) ROW.length();
        assertTrue(bytes < readers.size() * (long) OF_KERNEL, bytes + " bytes were made for nobody");
        for (SocketChannel reader : readers) {
            reader.close();
        }
        assertEquals(List.of(), faults);
    }

    /** It takes so much in each idle time that it is never idle; here that time is an hour. */
    @Test
    void whoIsNotIdleAndTakesTooLittleIsCut() throws Exception {
        stop();
        Duration hour = Duration.ofHours(1);
        listen(new HttpServer.Limits(64 * 1024, hour, hour, 100), hasty());
        try (SocketChannel reader = ask("GET", "/v1/rows")) {
            Deadline soon = Deadline.in(time, Duration.ofSeconds(30));
            while (answers.taken() == 0 && !soon.isExpired()) {
                assertOthersAreAnswered();
            }
            assertEquals(AnswerBody.LARGE, answers.taken());
            while (answers.taken() > 0 && !soon.isExpired()) {
                assertOthersAreAnswered();
            }
            assertEquals(0, answers.taken(), "bytes of an answer that is not taken");
            assertTrue(reader.isOpen());
        }
        assertEquals(List.of(), faults);
    }

    private Time hasty() {
        return new Time() {
            @Override
            public Instant now() {
                return time.now();
            }

            @Override
            public long nanos() {
                return time.nanos() * HASTE;
            }

            @Override
            public void sleep(Duration duration) throws InterruptedException {
                time.sleep(duration.dividedBy(HASTE));
            }

            @Override
            public boolean await(Condition condition, Deadline deadline) throws InterruptedException {
                return time.await(condition, Deadline.in(time, deadline.left().dividedBy(HASTE)));
            }
        };
    }

    @Test
    void whoAsksWhileTooManyLargeAnswersAreUnderWayIsToldToComeLater() throws Exception {
        assertTrue(answers.takeNow(64 * (long) AnswerBody.LARGE));
        String refused = all("GET", "/v1/rows");
        assertTrue(refused.startsWith("HTTP/1.1 429 "), refused);
        assertTrue(refused.contains("\r\nRetry-After: 5\r\n"), refused);
        assertOthersAreAnswered();
    }

    @Test
    void aFaultInTheMiddleOfAListCutsTheConnection() throws Exception {
        String cut = all("GET", "/v1/broken");
        assertTrue(cut.startsWith("HTTP/1.1 200 "), cut.substring(0, 100));
        assertTrue(cut.contains(ROW));
        assertFalse(cut.endsWith("0\r\n\r\n"), "the end of the body was said");
        assertEquals(1, faults.size(), faults.toString());
        assertTrue(faults.getFirst().startsWith("http GET (cut in its answer), request "));
        assertOthersAreAnswered();
    }

    @Test
    void aFaultAtTheBeginningOfAListIsAnAnswer() throws Exception {
        String answer = all("GET", "/v1/broken-early");
        assertTrue(answer.startsWith("HTTP/1.1 500 "), answer);
        assertFalse(answer.contains(ROW), answer);
        assertEquals(1, faults.size(), faults.toString());
        assertTrue(faults.getFirst().startsWith("http GET, request "));
    }

    @Test
    void aFullHeapRefusesAllButWhatFreesAndWhatTells() throws Exception {
        isFull.set(true);
        String refused = all("GET", "/v1/regions");
        assertTrue(refused.startsWith("HTTP/1.1 429 "), refused);
        assertTrue(refused.contains("\r\nRetry-After: 5\r\n"), refused);
        assertTrue(refused.contains("the memory of this agent is full"), refused);
        assertTrue(all("GET", "/v1/metrics").startsWith("HTTP/1.1 200 "));
        assertTrue(all("DELETE", "/v1/job/web").startsWith("HTTP/1.1 200 "));
        isFull.set(false);
        assertTrue(all("GET", "/v1/regions").startsWith("HTTP/1.1 200 "));
    }

    @Test
    void aBodyThatIsAnnouncedTooLargeIsRefusedBeforeItComes() throws Exception {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            List<String> lines = List.of("DELETE /v1/job/web HTTP/1.1", "Host: localhost", "Content-Length: 99999999");
            String head = String.join("\r\n", lines) + "\r\n\r\n";
            channel.write(ByteBuffer.wrap(head.getBytes(StandardCharsets.UTF_8)));
            byte[] begin = Channels.newInputStream(channel).readNBytes(12);
            assertEquals("HTTP/1.1 400", new String(begin, StandardCharsets.UTF_8));
        }
    }
}
