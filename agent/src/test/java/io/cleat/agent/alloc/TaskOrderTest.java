package io.cleat.agent.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.agent.task.TestTasks;
import io.cleat.model.JobType;
import io.cleat.model.Task;
import io.cleat.model.TaskGroup;
import io.cleat.model.TaskLifecycle;
import io.cleat.model.TaskState;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The order of tasks as a table. A task's state is one word: {@code new}, {@code up}, {@code again} (it ran and is to
 * run again), {@code done} or {@code failed}.
 */
final class TaskOrderTest {
    private static final Instant AT = Instant.parse("2026-11-22T01:00:00Z");
    private static final TaskOrder ORDER = new TaskOrder(group(
            TestTasks.hook("pre", TaskLifecycle.Hook.PRESTART, false),
            TestTasks.hook("side", TaskLifecycle.Hook.PRESTART, true),
            TestTasks.task("main", 0, null),
            TestTasks.leader("lead"),
            TestTasks.hook("post", TaskLifecycle.Hook.POSTSTART, false),
            TestTasks.hook("stop", TaskLifecycle.Hook.POSTSTOP, false)));

    private static TaskGroup group(Task... tasks) {
        return TestTasks.job(JobType.SERVICE, Map.of(), tasks).groups().getFirst();
    }

    private static Map<String, TaskState> states(String words) {
        return Arrays.stream(words.split(" "))
                .map(word -> word.split("="))
                .collect(Collectors.toMap(word -> word[0], word -> state(word[1])));
    }

    private static TaskState state(String word) {
        return switch (word) {
            case "new" -> TaskState.PENDING;
            case "up" -> state(TaskState.Phase.RUNNING, false, AT);
            case "again" -> state(TaskState.Phase.PENDING, false, AT);
            case "done" -> state(TaskState.Phase.DEAD, false, AT);
            case "failed" -> state(TaskState.Phase.DEAD, true, AT);
            default -> throw new IllegalArgumentException(word);
        };
    }

    private static TaskState state(TaskState.Phase phase, boolean failed, Instant started) {
        return new TaskState(phase, failed, 0, null, started, null, List.of());
    }

    private static String names(List<Task> tasks) {
        return tasks.stream().map(Task::name).collect(Collectors.joining(" "));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "pre=new side=new | pre side",
                "pre=up side=up | pre side",
                "pre=done side=new | pre side",
                "pre=failed side=up | pre side",
                "pre=done side=up | pre side main lead",
                "pre=done side=again | pre side main lead",
                "pre=done side=up main=up lead=new | pre side main lead",
                "pre=done side=up main=up lead=up | pre side main lead post",
                "pre=done side=up main=again lead=up | pre side main lead post",
                "pre=done side=up main=done lead=done post=done | pre side main lead post",
                "pre=done side=done main=done lead=done post=done | pre side main lead post stop",
                "pre=failed side=done main=done lead=done post=done | pre side main lead post stop",
            })
    void aTaskStartsWhenItIsItsTurn(String states, String mayStart) {
        assertEquals(
                mayStart,
                names(ORDER.group().tasks().stream()
                        .filter(task -> ORDER.mayStart(task, states(states)))
                        .toList()));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "pre=done side=up main=up lead=up post=up | -",
                "pre=failed side=up | FAILED pre",
                "pre=done side=up main=failed lead=up | FAILED main",
                "pre=done side=up main=up lead=done | LEADER_DEAD lead",
                "pre=done side=up main=failed lead=done | LEADER_DEAD lead",
                "pre=done side=up main=up lead=failed | FAILED lead",
                "pre=done side=up main=done lead=up post=done | -",
                "pre=done side=done main=done lead=done post=done stop=up | -",
            })
    void whatEndsTheOthers(String states, String cause) {
        assertEquals(
                cause,
                ORDER.ending(states(states))
                        .map(ending -> ending.cause() + " " + ending.task())
                        .orElse("-"));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "pre=done side=up main=up lead=up post=up | lead",
                "pre=done side=up main=up lead=done post=up | main post",
                "pre=done side=up main=done lead=done post=done | side",
                "pre=done side=done main=done lead=done post=done stop=up | ''",
            })
    void theLeaderEndsFirstAndSidecarsLast(String states, String next) {
        assertEquals(next, names(ORDER.nextToEnd(states(states))));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "side=up main=up | -",
                "side=up main=done | MAINS_DEAD",
                "side=again main=done | MAINS_DEAD",
                "side=done main=done | -"
            })
    void sidecarsDoNotOutliveTheMainTasks(String states, String cause) {
        TaskOrder order = new TaskOrder(
                group(TestTasks.hook("side", TaskLifecycle.Hook.POSTSTART, true), TestTasks.task("main", 0, null)));
        assertEquals(
                cause,
                order.ending(states(states))
                        .map(ending -> ending.cause().name())
                        .orElse("-"));
    }
}
