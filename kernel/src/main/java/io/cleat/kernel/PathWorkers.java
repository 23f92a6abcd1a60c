package io.cleat.kernel;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The path workers, a bounded number for each key (a plugin's id), so that what hangs on one plugin's paths delays no
 * other's. A worker that does not answer in time is killed and counts until the kernel lets it go.
 *
 * <p>Guarded by {@code lock}, which is never held across a call.
 */
public final class PathWorkers implements AutoCloseable {
    /** Workers per key, hanging ones included. */
    public static final int LIMIT = 4;

    private static final int KEPT_IDLE = 1;

    /** So long after several were at work at once, none is ended: they come in bursts. */
    private static final Duration BURST = Duration.ofSeconds(10);

    private final List<String> command;

    /** Those of the kernel: who reads a pipe does not let go of what carries a virtual one. */
    private final Threads threads;

    private final Time time;
    private final WorkerDeadlines deadlines;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Pool> pools = new HashMap<>();
    private boolean closed;

    /**
     * @param shim the shim program
     * @param threads where faults go; what is started are threads of the kernel
     */
    public PathWorkers(Path shim, Threads threads, Time time) {
        this(List.of(shim.toString(), "path"), threads, time);
    }

    PathWorkers(List<String> command, Threads threads, Time time) {
        this.command = List.copyOf(command);
        this.threads = Threads.platform(threads.faults());
        this.time = time;
        this.deadlines = new WorkerDeadlines(this.threads, time);
    }

    /** The workers of one key. Each who waits is woken alone: many may wait at once. */
    private final class Pool {
        private final ArrayDeque<PathWorker> idle = new ArrayDeque<>();
        private final Condition free = lock.newCondition();
        private int workers;
        private int hanging;
        private @Nullable Deadline burst;

        private boolean isFull() {
            return idle.isEmpty() && workers >= LIMIT;
        }

        private int kept() {
            return burst == null || burst.isExpired() ? KEPT_IDLE : LIMIT;
        }
    }

    /** What became of one request. */
    private final class Answer {
        private final Condition there = lock.newCondition();
        private @Nullable List<String> fields;
        private @Nullable Exception failure;
        private boolean late;
    }

    /** The port for paths of that key; kept as long as one likes. */
    public Paths of(String key) {
        return new WorkerPaths(this, key);
    }

    /** Reading of files, by the workers of that key; kept as long as one likes. */
    public FileReads reads(String key) {
        return new FileReads(this, key);
    }

    /** Writing of files, by the workers of that key; kept as long as one likes. */
    public FileWrites writes(String key) {
        return new FileWrites(this, key);
    }

    /** Moving of trees, by the workers of that key; kept as long as one likes. */
    public TreeMoves moves(String key) {
        return new TreeMoves(this, key);
    }

    /** How many workers of a key were given up and are still in the kernel. */
    public int hanging(String key) {
        lock.lock();
        try {
            Pool pool = pools.get(key);
            return pool == null ? 0 : pool.hanging;
        } finally {
            lock.unlock();
        }
    }

    /** Nothing more is asked under that key for now: its idle workers end. */
    public void rest(String key) {
        List<PathWorker> idle = new ArrayList<>();
        lock.lock();
        try {
            Pool pool = pool(key);
            idle.addAll(pool.idle);
            pool.idle.clear();
            pool.workers -= idle.size();
            dropIfEmpty(key, pool);
        } finally {
            lock.unlock();
        }
        idle.forEach(PathWorker::close);
    }

    /** Called with {@code lock} held. */
    private void dropIfEmpty(String key, Pool pool) {
        if (pool.workers == 0 && !lock.hasWaiters(pool.free)) {
            pools.remove(key);
        }
    }

    /** Ends idle workers now and the others once they answer. */
    @Override
    public void close() {
        List<PathWorker> idle = new ArrayList<>();
        lock.lock();
        try {
            closed = true;
            for (Pool pool : pools.values()) {
                idle.addAll(pool.idle);
                pool.idle.clear();
                pool.free.signalAll();
            }
        } finally {
            lock.unlock();
        }
        idle.forEach(PathWorker::close);
        deadlines.close();
    }

    /**
     * One request to a worker of {@code key}, and its answer's fields from the status on.
     *
     * @throws KernelTrouble with no effect if no worker was free, with unknown effect if the one that was asked did not
     *     answer
     */
    List<String> call(String key, List<String> request, Deadline deadline) throws KernelTrouble, InterruptedException {
        return call(key, request, null, 0, StandardCharsets.UTF_8, deadline);
    }

    /**
     * As {@link #call(String, List, Deadline)}.
     *
     * @param bytes the request's last field, which is shown in no message
     */
    List<String> call(String key, List<String> request, byte[] bytes, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        return call(key, request, bytes, 0, StandardCharsets.UTF_8, deadline);
    }

    /**
     * As {@link #call(String, List, Deadline)}.
     *
     * @param most how many fields, the last one being whatever follows; 0 for all there are
     * @param charset of the answer
     */
    List<String> call(String key, List<String> request, int most, Charset charset, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        return call(key, request, null, most, charset, deadline);
    }

    private List<String> call(
            String key, List<String> request, byte @Nullable [] bytes, int most, Charset charset, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        PathWorker worker = take(key, deadline);
        Answer answer = new Answer();
        boolean answered = false;
        try (WorkerDeadlines.Kept _ = deadlines.keep(deadline, () -> late(worker, answer))) {
            threads.contained(
                    "path/" + key,
                    () -> ask(worker, request, bytes, most, charset, answer),
                    fault -> told(answer, null, new IOException(fault)));
            List<String> fields = await(answer);
            if (fields == null) {
                throw unanswered(request, "it hangs and was given up", null);
            }
            answered = true;
            return fields;
        } catch (IOException failed) {
            throw unanswered(request, "its worker failed", failed);
        } finally {
            if (answered) {
                giveBack(key, worker);
            } else {
                abandon(key, worker);
            }
        }
    }

    private void ask(
            PathWorker worker,
            List<String> request,
            byte @Nullable [] bytes,
            int most,
            Charset charset,
            Answer answer) {
        List<String> fields = null;
        Exception failure = null;
        try {
            worker.send(request, bytes);
            fields = worker.receive(most, charset);
        } catch (IOException failed) {
            failure = failed;
        }
        told(answer, fields, failure);
    }

    /** What hangs is killed at once, though nobody else may come to run. */
    private void late(PathWorker worker, Answer answer) {
        boolean hangs;
        lock.lock();
        try {
            hangs = answer.fields == null && answer.failure == null;
            answer.late = hangs;
            answer.there.signal();
        } finally {
            lock.unlock();
        }
        if (hangs) {
            worker.process().destroyForcibly();
        }
    }

    private void told(Answer answer, @Nullable List<String> fields, @Nullable Exception failure) {
        lock.lock();
        try {
            answer.fields = fields;
            answer.failure = failure;
            answer.there.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Null if it was late. */
    private @Nullable List<String> await(Answer answer) throws InterruptedException, IOException {
        lock.lockInterruptibly();
        try {
            while (answer.fields == null && answer.failure == null && !answer.late) {
                answer.there.await();
            }
            if (answer.late) {
                return null;
            }
            if (answer.failure != null) {
                throw new IOException(answer.failure);
            }
            return answer.fields;
        } finally {
            lock.unlock();
        }
    }

    private PathWorker take(String key, Deadline deadline) throws KernelTrouble, InterruptedException {
        lock.lockInterruptibly();
        try {
            Pool pool = pool(key);
            while (!closed && pool.isFull() && !deadline.isExpired()) {
                time.await(pool.free, deadline);
            }
            if (closed || pool.isFull()) {
                throw new KernelTrouble(
                        closed
                                ? "the path workers are closed"
                                : "all "
                                        + LIMIT
                                        + " path workers of '"
                                        + key
                                        + "' are busy, "
                                        + pool.hanging
                                        + " of them hang on a path; they go on when its file system answers or is "
                                        + "unmounted",
                        Effect.NONE,
                        Retry.SAME_CALL);
            }
            PathWorker idle = pool.idle.poll();
            if (idle != null) {
                return idle;
            }
            if (pool.workers > 0) {
                pool.burst = Deadline.in(time, BURST);
            }
            pool.workers++;
        } finally {
            lock.unlock();
        }
        return start(key);
    }

    private PathWorker start(String key) throws KernelTrouble {
        try {
            return PathWorker.start(command);
        } catch (IOException failed) {
            gone(key, false);
            throw new KernelTrouble(
                    "the path worker " + command.getFirst() + " could not be started: " + failed,
                    Effect.NONE,
                    Retry.SAME_CALL,
                    failed);
        }
    }

    private void giveBack(String key, PathWorker worker) {
        List<PathWorker> surplus = new ArrayList<>();
        lock.lock();
        try {
            Pool pool = pool(key);
            pool.idle.push(worker);
            while (pool.idle.size() > (closed ? 0 : pool.kept())) {
                surplus.add(pool.idle.removeLast());
                pool.workers--;
            }
            pool.free.signal();
        } finally {
            lock.unlock();
        }
        surplus.forEach(PathWorker::close);
    }

    private void abandon(String key, PathWorker worker) {
        lock.lock();
        try {
            pool(key).hanging++;
        } finally {
            lock.unlock();
        }
        worker.process().destroyForcibly();
        threads.contained(
                "path-abandoned/" + key,
                () -> {
                    worker.process().waitFor();
                    gone(key, true);
                },
                fault -> gone(key, true));
    }

    private void gone(String key, boolean hung) {
        lock.lock();
        try {
            Pool pool = pool(key);
            pool.workers--;
            pool.hanging -= hung ? 1 : 0;
            pool.free.signal();
            dropIfEmpty(key, pool);
        } finally {
            lock.unlock();
        }
    }

    /** Called with {@code lock} held. */
    private Pool pool(String key) {
        return pools.computeIfAbsent(key, absent -> new Pool());
    }

    private static KernelTrouble unanswered(List<String> request, String why, @Nullable IOException cause) {
        return new KernelTrouble(
                "no answer to '" + String.join(" ", request) + "': " + why,
                Effect.UNKNOWN,
                Retry.AFTER_OBSERVING,
                cause);
    }
}
