package io.cleat.agent.alloc;

import io.cleat.agent.task.SteadyMarks;
import io.cleat.base.Deadline;
import io.cleat.base.Time;
import io.cleat.model.AllocHealth;
import io.cleat.model.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Looks at an allocation until it is known whether it is healthy, anew for each deployment that
 * asks. One thread.
 */
final class HealthLook {
    private final AllocationDiary diary;
    private final Time time;
    private final Consumer<String> unhealthy;
    private final SteadyMarks marks;

    /**
     * @param unhealthy hears why it is not healthy
     */
    HealthLook(AllocationDiary diary, Time time, Consumer<String> unhealthy) {
        this.diary = diary;
        this.time = time;
        this.unhealthy = unhealthy;
        this.marks = new SteadyMarks(time);
    }

    /** Looks until the allocation's tasks are ended. */
    void run() throws InterruptedException {
        for (; ; ) {
            AllocationDiary.Sight sight = diary.sight();
            KnownAllocation known = sight.known();
            if (sight.isOver()) {
                return;
            }
            Deadline deadline = null;
            KnownAllocation.Watch watch = known.watch();
            if (watch != null && watch.found() == null) {
                deadline = look(known, watch).orElse(null);
            }
            diary.await(later -> !later.equals(sight), deadline);
        }
    }

    /** After a fault of {@link #run}: nobody may wait for what is not looked at any more. */
    void failed(Throwable fault) {
        KnownAllocation.Watch watch = diary.known().watch();
        String why = "its health could not be looked at, by a fault of the agent: " + fault;
        unhealthy.accept(why);
        if (watch != null && watch.found() == null) {
            found(watch, false, time.now());
        }
    }

    /** When to look again though nothing has happened. */
    private Optional<Deadline> look(KnownAllocation known, KnownAllocation.Watch watch) {
        Optional<HealthRule> rule =
                HealthRule.of(known.taskGroup(), !watch.deploymentId().isEmpty());
        if (rule.isEmpty()) {
            return Optional.empty();
        }
        return switch (look(rule.get(), known.states(), watch.since())) {
            case HealthRule.Verdict.Healthy _ -> found(watch, true, time.now());
            case HealthRule.Verdict.Unhealthy(String why) -> {
                unhealthy.accept(why);
                yield found(watch, false, time.now());
            }
            case HealthRule.Verdict.Later(Instant at) ->
                    Optional.of(Deadline.in(time, Duration.between(marks.now(), at)));
        };
    }

    private HealthRule.Verdict look(HealthRule rule, Map<String, TaskState> states, Instant since) {
        Set<Instant> known = new HashSet<>(Set.of(since));
        Map<String, TaskState> steady = new HashMap<>();
        states.forEach(
                (task, state) -> {
                    Instant started = state.startedAt();
                    if (started == null) {
                        steady.put(task, state);
                    } else {
                        known.add(started);
                        steady.put(task, state.withStartAt(marks.of(started)));
                    }
                });
        marks.keep(known);
        return rule.look(steady, marks.of(since), marks.now());
    }

    private Optional<Deadline> found(KnownAllocation.Watch watch, boolean healthy, Instant now) {
        AllocHealth health = new AllocHealth(watch.deploymentId(), healthy, now);
        diary.change(k -> watch.equals(k.watch()) ? k.found(health) : k);
        return Optional.empty();
    }
}
