package io.cleat.log;

import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.base.SystemTime;
import io.cleat.base.Time;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** An applier that keeps the texts it is given, and lets a test wait for what happens to it. */
final class Recording implements LogApplier {
    static final String UNREADABLE = "unreadable";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Time time = new SystemTime();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<String> texts = new ArrayList<>();
    private final List<Long> indexes = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private final List<Outcome> outcomes = new ArrayList<>();
    private int applyCalls;
    private long leadingTerm;
    private long followingTerm;
    private int leaderships;

    @Override
    public void apply(long index, byte[] entry) throws DiskTrouble {
        String text = new String(entry, StandardCharsets.UTF_8);
        if (text.equals(UNREADABLE)) {
            throw new DiskTrouble("cannot read " + text, Effect.NONE, Retry.NEVER);
        }
        change(() -> {
            applyCalls++;
            texts.add(text);
            indexes.add(index);
        });
    }

    @Override
    public int newestLevel() {
        return 1;
    }

    @Override
    public Image image() {
        List<String> copy = texts();
        return to -> write(copy, to);
    }

    private static void write(List<String> texts, OutputStream to) throws IOException {
        DataOutputStream out = new DataOutputStream(to);
        out.writeInt(texts.size());
        for (String text : texts) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            out.writeInt(bytes.length);
            out.write(bytes);
        }
        out.flush();
    }

    @Override
    public void readSnapshot(long index, InputStream from) throws IOException {
        DataInputStream in = new DataInputStream(from);
        List<String> read = new ArrayList<>();
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            read.add(new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8));
        }
        change(() -> {
            texts.clear();
            texts.addAll(read);
        });
    }

    @Override
    public void leading(long term) {
        change(() -> {
            leadingTerm = term;
            leaderships++;
        });
    }

    @Override
    public void following(long term) {
        change(() -> followingTerm = term);
    }

    void fault(String where, Throwable fault) {
        change(() -> faults.add(where + ": " + fault.getMessage()));
    }

    void told(Outcome outcome) {
        change(() -> outcomes.add(outcome));
    }

    private void change(Runnable how) {
        lock.lock();
        try {
            how.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void awaitLeading() {
        await("leadership", () -> leadingTerm > 0 && leadingTerm > followingTerm);
    }

    void awaitTexts(int count) {
        await(count + " texts", () -> texts.size() >= count);
    }

    void awaitOutcomes(int count) {
        await(count + " outcomes", () -> outcomes.size() >= count);
    }

    void awaitFault() {
        await("a fault", () -> !faults.isEmpty());
    }

    void await(String what, Supplier<Boolean> holds) {
        Deadline deadline = Deadline.in(time, PATIENCE);
        lock.lock();
        try {
            while (!holds.get()) {
                if (!time.await(changed, deadline) && !holds.get()) {
                    throw new AssertionError(
                            "waited in vain for " + what + "; outcomes " + outcomes + ", faults " + faults);
                }
            }
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        } finally {
            lock.unlock();
        }
    }

    List<String> texts() {
        return copy(texts);
    }

    List<Long> indexes() {
        return copy(indexes);
    }

    List<String> faults() {
        return copy(faults);
    }

    List<Outcome> outcomes() {
        return copy(outcomes);
    }

    int applyCalls() {
        return copy(List.of(applyCalls)).get(0);
    }

    int leaderships() {
        return copy(List.of(leaderships)).get(0);
    }

    private <T> List<T> copy(List<T> list) {
        lock.lock();
        try {
            return List.copyOf(list);
        } finally {
            lock.unlock();
        }
    }
}
