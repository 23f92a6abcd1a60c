package io.cleat.agent.alloc;

import io.cleat.base.Deadline;
import io.cleat.base.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Waits until an allocation has run for as long as it may, and says so, unless its tasks are ended before. The time
 * counts from the first start of a task, restarts and deaths of agents included.
 *
 * <p>One thread.
 */
final class RunTimeWatch {
    private final AllocationDiary diary;
    private final Time time;
    private final Duration most;
    private final Consumer<String> exceeded;

    /** @param exceeded hears, once, how long it may run, and what to do */
    RunTimeWatch(AllocationDiary diary, Time time, Duration most, Consumer<String> exceeded) {
        this.diary = diary;
        this.time = time;
        this.most = most;
        this.exceeded = exceeded;
    }

    void run() throws InterruptedException {
        Instant start = diary.known().begunAt();
        if (start == null) {
            Optional<Instant> first = firstStart(
                    diary.await(entry -> entry.isOver() || firstStart(entry).isPresent()));
            if (first.isEmpty()) {
                return;
            }
            start = first.get();
            Instant begun = start;
            diary.change(known -> known.begun(begun));
        }
        Duration left = most.minus(Duration.between(start, time.now()));
        AllocationDiary.Entry last =
                diary.await(AllocationDiary.Entry::isOver, Deadline.in(time, left.isNegative() ? Duration.ZERO : left));
        if (!last.isOver()) {
            exceeded.accept("it has run for "
                    + most.toSeconds()
                    + " s, which is the max_run_duration of group \""
                    + diary.known().group()
                    + "\": let its tasks do less, or give the group longer");
        }
    }

    private static Optional<Instant> firstStart(AllocationDiary.Entry entry) {
        return entry.known().tasks().values().stream()
                .map(task -> task.state().startedAt())
                .filter(Objects::nonNull)
                .min(Instant::compareTo);
    }
}
