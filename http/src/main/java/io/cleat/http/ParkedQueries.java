package io.cleat.http;

import io.cleat.base.Deadline;
import io.cleat.base.EarlyEnd;
import io.cleat.base.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.jspecify.annotations.Nullable;

/**
 * The queries that wait for news, each with the connection of who waits. Nobody reads from it meanwhile, so that a
 * client that has hung up would be waited for to the end, and its connection be kept. One thread looks at all of them.
 *
 * <p>What can be read of such a client is its hanging up, or what it sends before it has its answer; both end the wait,
 * and who is still there has an answer that came early. So have those who wait longest while fewer than a quarter of
 * the connections are left for others.
 *
 * <p>Guarded by {@code lock}: what is attached to a connection, and whether it is looked at.
 */
final class ParkedQueries extends AbstractLifeCycle {
    /** Who came to wait is looked at at once; who only came, within this. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    /** While fewer connections are left than are kept, between two looks. */
    private static final Duration SOON = Duration.ofMillis(200);

    /** Of the connections, what is kept for those who do not wait. */
    private static final int FREE_SHARE = 4;

    private final Executor threads;
    private final IntSupplier connections;
    private final int most;
    private final InternalErrors errors;
    private final Time time;
    private final AtomicLong last = new AtomicLong();
    private final ConcurrentNavigableMap<Long, EarlyEnd> parked = new ConcurrentSkipListMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable Selector selector;

    /** Counts the looks. */
    private final AtomicLong round = new AtomicLong();

    /**
     * What is attached to a connection while it waits.
     *
     * @param round in which it came
     */
    private record Watched(EarlyEnd early, long round) {}

    /** A query that waits, until it is closed. */
    interface Parked extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * @param threads runs one thread of the kernel, while this is started
     * @param connections how many there are now
     * @param most how many there may be
     */
    ParkedQueries(Executor threads, IntSupplier connections, int most, InternalErrors errors, Time time) {
        this.threads = threads;
        this.connections = connections;
        this.most = most;
        this.errors = errors;
        this.time = time;
    }

    @Override
    protected void doStart() throws IOException {
        Selector opened = Selector.open();
        selector = opened;
        threads.execute(() -> watch(opened));
    }

    @Override
    protected void doStop() throws IOException {
        Selector opened = selector;
        if (opened != null) {
            opened.close();
        }
    }

    /**
     * A query is going to wait.
     *
     * @param early is ended when the client has hung up, at once if it has
     */
    Parked park(SocketChannel client, EarlyEnd early) {
        long number = last.incrementAndGet();
        parked.put(number, early);
        Selector opened = selector;
        Watched own = new Watched(early, round.get());
        SelectionKey key = opened == null ? null : watched(opened, client, own);
        return () -> {
            parked.remove(number);
            if (opened != null && key != null) {
                over(opened, key, own);
            }
        };
    }

    private @Nullable SelectionKey watched(Selector opened, SocketChannel client, Watched own) {
        lock.lock();
        try {
            // It stays for all queries of its connection: a key that was given up is in the way
            // until the thread has looked.
            SelectionKey key = client.keyFor(opened);
            if (key == null) {
                key = client.register(opened, SelectionKey.OP_READ, own);
            } else {
                key.attach(own);
                key.interestOps(SelectionKey.OP_READ);
            }
            opened.wakeup();
            return key;
        } catch (ClosedChannelException | CancelledKeyException gone) {
            own.early().end();
            return null;
        } catch (ClosedSelectorException stopping) {
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** A connection that is to be closed lets go of its descriptor only without a key. */
    private void over(Selector opened, SelectionKey key, Watched own) {
        lock.lock();
        try {
            if (own.early().isEnded()) {
                key.cancel();
                opened.wakeup();
            } else if (own.equals(key.attachment())) {
                rest(key);
            }
        } finally {
            lock.unlock();
        }
    }

    private static void rest(SelectionKey key) {
        try {
            key.interestOps(0);
            key.attach(null);
        } catch (CancelledKeyException gone) {
            // With its connection.
            return;
        }
    }

    private void watch(Selector opened) {
        try {
            Deadline next = Deadline.in(time, SOON);
            Duration pause = LOOK;
            while (opened.isOpen()) {
                round.incrementAndGet();
                opened.select(this::canBeRead, pause.toMillis());
                if (next.isExpired()) {
                    pause = relieve() ? SOON : LOOK;
                    next = Deadline.in(time, SOON);
                }
            }
        } catch (ClosedSelectorException stopping) {
            return;
        } catch (IOException failed) {
            errors.tell("parked queries", new UncheckedIOException(failed));
        } catch (RuntimeException | Error fault) {
            errors.tell("parked queries", fault);
        }
    }

    /** What was seen before a query came may be the query itself: of one that came in this round the next one tells. */
    private void canBeRead(SelectionKey key) {
        EarlyEnd early;
        lock.lock();
        try {
            if (!(key.attachment() instanceof Watched(EarlyEnd waits, long since)) || since == round.get()) {
                return;
            }
            early = waits;
            rest(key);
        } finally {
            lock.unlock();
        }
        early.end();
    }

    /** Those who wait longest make room. Whether there was little. */
    private boolean relieve() {
        int tooMany = connections.getAsInt() - (most - most / FREE_SHARE);
        parked.values().stream().limit(Math.max(0, tooMany)).forEach(EarlyEnd::end);
        return tooMany > 0;
    }
}
