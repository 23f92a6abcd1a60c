package io.cleat.fuzz;

import com.sun.management.ThreadMXBean;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One input given to one target, and how it ended. For the thread that made it. */
public final class Trial {
    /**
     * What reading one input may take of a processor. A template that uses up all of its steps takes more than a second
     * of it while each branch is counted, and three times that where others use the same core.
     */
    static final Duration LONGEST = Duration.ofSeconds(8);

    private static final String OURS = "io.cleat.";
    private static final String FUZZ = "io.cleat.fuzz.";
    private static final int FRAMES = 2;

    private final ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    private final Target target;

    /**
     * What was found.
     *
     * @param key the same for what has the same cause, as far as can be told
     * @param words what happened
     */
    public record Fault(String key, String words) {}

    /**
     * How an input ended.
     *
     * @param answer in a few words, without what differs from input to input
     */
    record End(String answer, Optional<Fault> fault) {}

    public Trial(Target target) {
        this.target = target;
    }

    /** Gives it the input; what takes long or much does so twice, or it was not the input. */
    public Optional<Fault> fault(byte[] input) {
        Optional<Fault> first = end(input).fault();
        return first.isPresent() && first.get().key().startsWith("took")
                ? end(input).fault()
                : first;
    }

    // Whatever comes out is what is looked for.
    @SuppressWarnings("CatchAndPrintStackTrace")
    End end(byte[] input) {
        long cpu = threads.getCurrentThreadCpuTime();
        long bytes = threads.getCurrentThreadAllocatedBytes();
        String answer;
        try {
            target.run(input);
            answer = "read";
        } catch (Refused | Trouble typed) {
            answer = typed.getClass().getSimpleName() + " " + outline(String.valueOf(typed.getMessage()));
        } catch (Throwable fault) {
            return new End("fault", Optional.of(fault(fault)));
        }
        long nanos = threads.getCurrentThreadCpuTime() - cpu;
        if (nanos > LONGEST.toNanos()) {
            String words = "took " + Duration.ofNanos(nanos).toMillis() + " ms of a processor";
            return new End(answer, Optional.of(new Fault("took long", words)));
        }
        long allocated = threads.getCurrentThreadAllocatedBytes() - bytes;
        if (allocated > target.mostBytes()) {
            String words = "took " + (allocated >> 20) + " MB of the heap";
            return new End(answer, Optional.of(new Fault("took much", words)));
        }
        return new End(answer, Optional.empty());
    }

    private static Fault fault(Throwable thrown) {
        // A target may wrap what was caught before it came to it.
        Throwable fault = thrown instanceof AssertionError && thrown.getCause() != null ? thrown.getCause() : thrown;
        String kind = fault.getClass().getSimpleName();
        String where = fault instanceof StackOverflowError
                ? "deep"
                : Stream.of(fault.getStackTrace())
                        .filter(frame -> frame.getClassName().startsWith(OURS))
                        .filter(frame -> !frame.getClassName().startsWith(FUZZ))
                        .limit(FRAMES)
                        .map(Trial::place)
                        .collect(Collectors.joining(" < "));
        String words = kind + " at " + where + ": " + fault.getMessage();
        return new Fault(kind + " " + where, words);
    }

    private static String place(StackTraceElement frame) {
        String type = frame.getClassName();
        return type.substring(type.lastIndexOf('.') + 1) + "." + frame.getMethodName() + ":" + frame.getLineNumber();
    }

    /** What was said, without numbers and without what was quoted. */
    private static String outline(String words) {
        StringBuilder outline = new StringBuilder();
        for (int i = 0; i < Math.min(50, words.length()); i++) {
            char c = words.charAt(i);
            if (c == '\'' || c == '"') {
                break;
            }
            outline.append(Character.isDigit(c) ? '#' : c);
        }
        return outline.toString();
    }
}
