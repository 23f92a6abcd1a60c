package io.cleat.agent.alloc;

import io.cleat.agent.check.CheckKey;
import io.cleat.agent.check.CheckResults;
import io.cleat.agent.task.MonotonicMarks;
import io.cleat.base.Deadline;
import io.cleat.base.Time;
import io.cleat.model.AllocHealth;
import io.cleat.model.OnUpdate;
import io.cleat.model.Service;
import io.cleat.model.ServiceCheck;
import io.cleat.model.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Looks at an allocation until it is known whether it is healthy, anew for each deployment that asks. One thread. */
final class HealthLook {
    private final AllocationDiary diary;
    private final Time time;
    private final Consumer<String> unhealthy;
    private final MonotonicMarks marks;
    private final CheckResults checks;

    /** @param unhealthy hears why it is not healthy */
    HealthLook(AllocationDiary diary, CheckResults checks, Time time, Consumer<String> unhealthy) {
        this.checks = checks;
        this.diary = diary;
        this.time = time;
        this.unhealthy = unhealthy;
        this.marks = new MonotonicMarks(time);
    }

    /** Looks until the allocation's tasks are ended. */
    void run() throws InterruptedException {
        for (; ; ) {
            AllocationDiary.Entry entry = diary.entry();
            KnownAllocation known = entry.known();
            if (entry.isOver()) {
                return;
            }
            Deadline deadline = null;
            KnownAllocation.Watch watch = known.watch();
            if (watch != null && watch.found() == null) {
                deadline = look(known, watch).orElse(null);
            }
            diary.await(later -> !later.equals(entry), deadline);
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
        return switch (look(rule.get(), known, watch.since())) {
            case HealthRule.Verdict.Healthy _ -> found(watch, true, time.now());
            case HealthRule.Verdict.Unhealthy(String why) -> {
                unhealthy.accept(why);
                yield found(watch, false, time.now());
            }
            case HealthRule.Verdict.Later(Instant at) ->
                Optional.of(Deadline.in(time, Duration.between(marks.now(), at)));
        };
    }

    private HealthRule.Verdict look(HealthRule rule, KnownAllocation of, Instant since) {
        Set<Instant> known = new HashSet<>(Set.of(since));
        Map<String, TaskState> steady = new HashMap<>();
        CheckResults.Health health = checks.health(expected(of));
        known.add(health.since());
        of.states().forEach((task, state) -> {
            Instant started = state.startedAt();
            if (started == null) {
                steady.put(task, state);
            } else {
                known.add(started);
                steady.put(task, state.withStartAt(marks.of(started)));
            }
        });
        marks.keep(known);
        return rule.look(steady, services(health), marks.of(since), marks.now());
    }

    private HealthRule.Checks services(CheckResults.Health health) {
        CheckResults.Shown unwell = health.unwell();
        return new HealthRule.Checks(
                health.since().equals(Instant.EPOCH) ? Instant.EPOCH : marks.of(health.since()),
                Optional.ofNullable(unwell)
                        .map(each -> "Unhealthy because check \""
                                + each.key().check()
                                + "\" of service \""
                                + each.key().service()
                                + "\" does not pass ("
                                + each.last().output()
                                + ")"));
    }

    /** The checks that the allocation has now, made or not, but for those that nobody waits for. */
    private static List<CheckKey> expected(KnownAllocation known) {
        List<CheckKey> expected = new ArrayList<>();
        for (Service service : known.taskGroup().allServices()) {
            for (ServiceCheck check : service.checks()) {
                if (check.onUpdate() != OnUpdate.IGNORE) {
                    expected.add(new CheckedServices.Checked(service, check).key());
                }
            }
        }
        return expected;
    }

    private Optional<Deadline> found(KnownAllocation.Watch watch, boolean healthy, Instant now) {
        AllocHealth health = new AllocHealth(watch.deploymentId(), healthy, now);
        diary.change(k -> watch.equals(k.watch()) ? k.found(health) : k);
        return Optional.empty();
    }
}
