package io.cleat.launch;

import io.cleat.api.Json;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.VisibleText;
import io.cleat.http.AgentLog;
import io.cleat.http.PieceReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Hands what is logged to those who follow it. Nobody who logs waits for them: one that reads too slowly loses lines,
 * and is told how many. While somebody wants more than is printed, more is logged.
 */
final class LogFollowers extends Handler implements AgentLog {
    /** Followers at once. */
    static final int MOST = 16;

    /** Lines that wait for one of them. */
    static final int LINES = 1_024;

    private static final Duration AGAIN = Duration.ofSeconds(10);

    private final Formatter lines;
    private final Logger root;
    private final Level usual;
    private final List<Follower> followers = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();

    /**
     * @param root to which this handler is added by whoever makes it
     * @param lines how what is logged is printed
     */
    LogFollowers(Logger root, Formatter lines) {
        this.root = root;
        this.usual = root.getLevel() == null ? Level.INFO : root.getLevel();
        this.lines = lines;
        setLevel(Level.ALL);
    }

    @Override
    public PieceReader follow(AgentLog.Severity level, boolean json) throws Refused {
        Follower follower = new Follower(of(level), json);
        lock.lock();
        try {
            if (followers.size() < MOST) {
                followers.add(follower);
                setRootLevel();
                return follower;
            }
        } finally {
            lock.unlock();
        }
        throw new Refused(new Refusal.Exhausted("the room for those who follow the log", AGAIN));
    }

    /** The most that anybody wants, and no less than usual. */
    private void setRootLevel() {
        Level wanted = followers.stream()
                .map(follower -> follower.level)
                .min(Comparator.comparingInt(Level::intValue))
                .filter(least -> least.intValue() < usual.intValue())
                .orElse(usual);
        root.setLevel(wanted);
    }

    private static Level of(AgentLog.Severity level) {
        return switch (level) {
            case TRACE -> Level.FINEST;
            case DEBUG -> Level.FINE;
            case INFO -> Level.INFO;
            case WARN -> Level.WARNING;
            case ERROR -> Level.SEVERE;
        };
    }

    @Override
    public void publish(LogRecord record) {
        for (Follower follower : followers) {
            if (record.getLevel().intValue() >= follower.level.intValue()) {
                follower.offer(follower.json ? json(record) : lines.format(record));
            }
        }
    }

    /** With the names that readers of such logs know. */
    private String json(LogRecord record) {
        Map<String, String> line = new TreeMap<>();
        line.put("@level", record.getLevel().getName().toLowerCase(Locale.ROOT));
        line.put("@message", VisibleText.lines(lines.formatMessage(record)));
        line.put("@module", String.valueOf(record.getLoggerName()));
        line.put("@timestamp", Instant.ofEpochMilli(record.getMillis()).toString());
        return Json.text(line) + "\n";
    }

    @Override
    public void flush() {
        // Nothing is held back.
    }

    @Override
    public void close() {
        // A follower ends when its reader leaves.
    }

    /** One who follows; read by one thread. */
    private final class Follower implements PieceReader {
        private final Level level;
        private final boolean json;
        private final ArrayBlockingQueue<String> waiting = new ArrayBlockingQueue<>(LINES);
        private final AtomicInteger lost = new AtomicInteger();

        Follower(Level level, boolean json) {
            this.level = level;
            this.json = json;
        }

        void offer(String line) {
            if (!waiting.offer(line)) {
                lost.incrementAndGet();
            }
        }

        @Override
        public Step next(Duration wait) throws InterruptedException {
            String line = waiting.poll(wait.toNanos(), TimeUnit.NANOSECONDS);
            int missing = line == null ? 0 : lost.getAndSet(0);
            if (missing > 0) {
                line = told(missing + " lines were lost: they came faster than they were read") + line;
            }
            return line == null ? new Quiet() : new Piece(line.getBytes(StandardCharsets.UTF_8), "", 0);
        }

        private String told(String words) {
            LogRecord record = new LogRecord(Level.WARNING, words);
            record.setLoggerName(LogFollowers.class.getName());
            return json ? LogFollowers.this.json(record) : lines.format(record);
        }

        @Override
        public void close() {
            lock.lock();
            try {
                followers.remove(this);
                setRootLevel();
            } finally {
                lock.unlock();
            }
        }
    }
}
