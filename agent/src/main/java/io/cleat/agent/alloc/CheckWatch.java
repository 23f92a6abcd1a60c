package io.cleat.agent.alloc;

import io.cleat.agent.check.CheckKey;
import io.cleat.agent.check.CheckResult;
import io.cleat.agent.check.CheckResults;
import io.cleat.agent.check.CheckStatus;
import io.cleat.agent.check.PortCall;
import io.cleat.agent.task.ScriptEnd;
import io.cleat.agent.task.TaskParts;
import io.cleat.agent.task.TaskRunner;
import io.cleat.base.Deadline;
import io.cleat.model.CheckRestart;
import io.cleat.model.ServiceProbe;
import io.cleat.model.ServiceWords;
import io.cleat.model.Task;
import io.cleat.model.TaskGroup;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes the checks of one allocation's services, each at its interval while what it checks runs, and has tasks started
 * again whose checks have failed too often. What came of them is on the board; only what has changed is told.
 *
 * <p>One thread runs {@link #run}, and each check that is under way has one of its own.
 */
final class CheckWatch {
    private final AllocationDiary diary;
    private final GroupTasks tasks;
    private final CheckResults results;
    private final TaskParts parts;

    /** When each is due. Of the thread of {@link #run}. */
    private final Map<CheckKey, Deadline> due = new HashMap<>();

    private final Set<CheckKey> underWay = ConcurrentHashMap.newKeySet();

    /** How often each has failed in a row, and of which start of its tasks. */
    private final Map<CheckKey, Failures> failures = new ConcurrentHashMap<>();

    private record Failures(Start since, int count) {}

    /** When the tasks of each were last started. */
    private final Map<CheckKey, Start> starts = new ConcurrentHashMap<>();

    private record Start(List<Instant> at, Deadline grace) {}

    CheckWatch(AllocationDiary diary, GroupTasks tasks, CheckResults results, TaskParts parts) {
        this.diary = diary;
        this.tasks = tasks;
        this.results = results;
        this.parts = parts;
    }

    /** Makes checks until the allocation's tasks are ended. */
    void run() throws InterruptedException {
        for (; ; ) {
            AllocationDiary.Entry entry = diary.entry();
            if (entry.isOver()) {
                return;
            }
            CheckedServices services =
                    new CheckedServices(entry.known(), parts.node().get());
            Map<CheckKey, CheckedServices.Checked> all = services.all();
            results.keep(CheckedServices.wanted(all), parts.time().now());
            due.keySet().retainAll(all.keySet());
            failures.keySet().retainAll(all.keySet());
            starts.keySet().retainAll(all.keySet());
            Deadline next = null;
            for (CheckedServices.Checked one : all.values()) {
                Deadline at = look(services, one);
                if (at != null && (next == null || at.left().compareTo(next.left()) < 0)) {
                    next = at;
                }
            }
            if (all.isEmpty()) {
                // Most allocations have none, and are not looked at until their job is another.
                TaskGroup group = entry.known().taskGroup();
                diary.await(
                        later -> later.isOver() || !later.known().taskGroup().equals(group));
            } else {
                diary.await(later -> !later.equals(entry), next);
            }
        }
    }

    /** When to look again; null for when something changes. */
    private @Nullable Deadline look(CheckedServices services, CheckedServices.Checked one) {
        if (!services.isUp(one)) {
            due.remove(one.key());
            return null;
        }
        noteStart(services, one);
        Deadline at = due.get(one.key());
        if (at == null || at.isExpired()) {
            at = Deadline.in(parts.time(), one.check().interval());
            due.put(one.key(), at);
            if (underWay.add(one.key())) {
                begin(services, one);
            }
        }
        return at;
    }

    private void begin(CheckedServices services, CheckedServices.Checked one) {
        parts.threads()
                .contained(
                        "check/" + diary.known().allocId(),
                        () -> {
                            try {
                                put(services, one, made(services, one));
                            } finally {
                                underWay.remove(one.key());
                            }
                        },
                        fault -> {
                            underWay.remove(one.key());
                            put(
                                    services,
                                    one,
                                    CheckResult.failure(
                                            "a fault of the agent: " + fault,
                                            parts.time().now()));
                        });
    }

    private CheckResult made(CheckedServices services, CheckedServices.Checked one) throws InterruptedException {
        parts.checks().enter();
        try {
            return one.check().probe() instanceof ServiceProbe.Script script
                    ? script(services, one, script)
                    : call(services, one);
        } finally {
            parts.checks().leave();
        }
    }

    private CheckResult call(CheckedServices services, CheckedServices.Checked one) throws InterruptedException {
        Optional<ServiceWords.Place> place = services.place(one);
        if (place.isEmpty()) {
            return CheckResult.failure(
                    "its port is none that the allocation was given",
                    parts.time().now());
        }
        PortCall call = new PortCall(place.get(), one.check().timeout(), parts.threads(), parts.time());
        return one.check().probe() instanceof ServiceProbe.Http http ? call.http(http) : call.tcp();
    }

    private CheckResult script(CheckedServices services, CheckedServices.Checked one, ServiceProbe.Script script)
            throws InterruptedException {
        Optional<TaskRunner> runner = tasks.runner(one.task());
        Optional<ScriptEnd> end = runner.isEmpty()
                ? Optional.empty()
                : runner.get()
                        .running()
                        .script(
                                services.expand(one, script.command()),
                                script.args().stream()
                                        .map(arg -> services.expand(one, arg))
                                        .toList(),
                                one.check().timeout());
        Instant now = parts.time().now();
        if (end.isEmpty()) {
            return CheckResult.failure("task " + one.task() + " does not run", now);
        }
        int code = end.get().code();
        return new CheckResult(
                code == 0 ? CheckStatus.SUCCESS : code == 1 ? CheckStatus.WARNING : CheckStatus.FAILURE,
                Math.max(0, code),
                end.get().words().isEmpty() ? "nomad: script ok" : end.get().words(),
                now);
    }

    private void put(CheckedServices services, CheckedServices.Checked one, CheckResult result)
            throws InterruptedException {
        if (results.put(one.key(), result)) {
            diary.checked();
        }
        CheckRestart restart = one.check().restart();
        if (restart != null && restart.limit() > 0) {
            count(services, one, restart, result);
        }
    }

    private void count(CheckedServices services, CheckedServices.Checked one, CheckRestart restart, CheckResult result)
            throws InterruptedException {
        if (!result.status().failsFor(restart)) {
            failures.remove(one.key());
            return;
        }
        Start start = starts.get(one.key());
        if (start == null || !start.grace().isExpired()) {
            return;
        }
        Failures before = failures.get(one.key());
        int count = before == null || !start.equals(before.since()) ? 1 : before.count() + 1;
        failures.put(one.key(), new Failures(start, count));
        if (count >= restart.limit()) {
            failures.remove(one.key());
            restart(services.tasks(one), one);
        }
    }

    /** When what is checked was last started; failures count once its grace is over. */
    private void noteStart(CheckedServices services, CheckedServices.Checked one) {
        CheckRestart restart = one.check().restart();
        List<Instant> at = services.tasks(one).stream()
                .map(task -> services.state(task).startedAt())
                .filter(Objects::nonNull)
                .toList();
        Start known = starts.get(one.key());
        if (restart != null && (known == null || !known.at().equals(at))) {
            starts.put(one.key(), new Start(at, Deadline.in(parts.time(), restart.grace())));
        }
    }

    private void restart(List<Task> those, CheckedServices.Checked one) throws InterruptedException {
        for (Task task : those) {
            Optional<TaskRunner> runner = tasks.runner(task.name());
            if (runner.isPresent()) {
                runner.get()
                        .running()
                        .failCheck("healthcheck: check \"" + one.check().name() + "\" unhealthy");
            }
        }
    }
}
