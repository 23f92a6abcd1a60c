package io.cleat.fuzz;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;

/** So long at one target, from one seed. */
public final class Campaign {
    private static final int LARGEST = 256 * 1024;

    /** What larger ones reach is seen, but nothing is made of them: they would take all the time. */
    private static final int LARGEST_KEPT = 8 * 1024;

    /** Answers that are worth keeping an input for: texts of faults may hold anything. */
    private static final int MOST_ANSWERS = 300;

    private static final int MOST_FINDINGS = 20;
    private static final Duration SHRINKING = Duration.ofSeconds(3);
    private static final Duration TELLING = Duration.ofSeconds(5);

    private final Target target;
    private final long seed;
    private final Consumer<String> teller;
    private final Trial trial;
    private final Random chance;
    private final List<byte[]> kept = new ArrayList<>();
    private final Set<String> answers = new HashSet<>();
    private final Map<String, Finding> findings = new LinkedHashMap<>();
    private long inputs;
    private volatile byte[] current = new byte[0];
    private volatile long since = System.nanoTime();

    /**
     * What was found.
     *
     * @param input the smallest that shows it
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Finding(String target, Trial.Fault fault, byte[] input) {}

    /** The figures of a campaign. */
    public record Result(String target, long inputs, Duration time, int kept, List<Finding> findings) {}

    /** @param teller takes a line of progress now and then */
    public Campaign(Target target, long seed, Consumer<String> teller) {
        this.target = target;
        this.seed = seed;
        this.teller = teller;
        trial = new Trial(target);
        chance = new Random(seed);
    }

    /** Runs it on this thread. */
    public Result run(Duration time) throws Exception {
        List<byte[]> samples = target.samples();
        if (samples.isEmpty()) {
            throw new IOException("target " + target.name() + " has no samples");
        }
        for (byte[] sample : samples) {
            give(sample);
            kept.add(sample);
        }
        List<String> words = new ArrayList<>(target.words());
        words.addAll(Coverage.words());
        Mutation mutation = new Mutation(chance, words, LARGEST);
        long begin = System.nanoTime();
        long told = begin;
        while (System.nanoTime() - begin < time.toNanos() && findings.size() < MOST_FINDINGS) {
            give(mutation.of(one(), one()));
            if (System.nanoTime() - told > TELLING.toNanos()) {
                told = System.nanoTime();
                tell(Duration.ofNanos(told - begin));
            }
        }
        Duration taken = Duration.ofNanos(System.nanoTime() - begin);
        return new Result(target.name(), inputs, taken, kept.size(), List.copyOf(findings.values()));
    }

    /** What it reads now, for whoever watches that it does not take for ever. */
    public byte[] current() {
        return current;
    }

    /** For how long it has read that. */
    public Duration reading() {
        return Duration.ofNanos(System.nanoTime() - since);
    }

    /** Rather one of those that were kept last: they go where the others did not. */
    private byte[] one() {
        int size = kept.size();
        int at = chance.nextInt(3) == 0 ? size - 1 - chance.nextInt(Math.min(size, 16)) : -1;
        return kept.get(at < 0 ? chance.nextInt(size) : at);
    }

    private void give(byte[] input) {
        inputs++;
        current = input;
        since = System.nanoTime();
        Coverage.begin();
        Trial.End end = trial.end(input);
        boolean isNew = Coverage.isNew();
        if (end.fault().isPresent()) {
            found(input, end.fault().get());
            return;
        }
        isNew |= answers.size() < MOST_ANSWERS && answers.add(end.answer());
        if (isNew && input.length <= LARGEST_KEPT) {
            kept.add(input);
        }
    }

    private void found(byte[] input, Trial.Fault first) {
        if (findings.containsKey(first.key())) {
            return;
        }
        Optional<Trial.Fault> again = trial.fault(input);
        if (again.isEmpty()) {
            return;
        }
        Trial.Fault fault = again.get();
        long end = System.nanoTime() + SHRINKING.toNanos();
        byte[] least = new Shrinking(trial, () -> System.nanoTime() - end > 0).of(input, fault);
        findings.put(fault.key(), new Finding(target.name(), trial.fault(least).orElse(fault), least));
        teller.accept(target.name() + ": " + fault.words() + " (seed " + seed + ")");
    }

    private void tell(Duration since) {
        teller.accept(String.format(
                "%s: %d s, %d inputs, %d/s, %d kept, %d places, %d findings",
                target.name(),
                since.toSeconds(),
                inputs,
                inputs / Math.max(1, since.toSeconds()),
                kept.size(),
                Coverage.reached(),
                findings.size()));
    }
}
