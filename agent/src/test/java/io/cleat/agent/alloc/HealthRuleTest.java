package io.cleat.agent.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.agent.task.TestTasks;
import io.cleat.model.JobType;
import io.cleat.model.TaskGroup;
import io.cleat.model.TaskLifecycle;
import io.cleat.model.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Health as a table: tasks started so many seconds after the look began, looked at so many seconds after that; 10 s are
 * to pass in good order, within 60 s.
 */
final class HealthRuleTest {
    private static final Instant SINCE = Instant.parse("2026-11-22T01:00:00Z");
    private static final TaskGroup GROUP = TestTasks.job(
                    JobType.SERVICE,
                    Map.of(),
                    TestTasks.hook("pre", TaskLifecycle.Hook.PRESTART, false),
                    TestTasks.task("main", 0, null),
                    TestTasks.hook("side", TaskLifecycle.Hook.POSTSTART, true),
                    TestTasks.hook("stop", TaskLifecycle.Hook.POSTSTOP, false))
            .groups()
            .getFirst();
    private static final HealthRule RULE = new HealthRule(GROUP, Duration.ofSeconds(10), Duration.ofSeconds(60), true);

    private static TaskState state(String word) {
        if (word.equals("new")) {
            return TaskState.PENDING;
        }
        TaskState.Phase phase =
                word.equals("done") || word.equals("failed") ? TaskState.Phase.DEAD : TaskState.Phase.RUNNING;
        Instant started = phase == TaskState.Phase.DEAD ? SINCE : SINCE.plusSeconds(Long.parseLong(word));
        return new TaskState(phase, word.equals("failed"), 0, null, started, null, List.of());
    }

    @ParameterizedTest(name = "{0} after {1} s: {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "pre=new main=new side=new | 5 | later 60",
                "pre=3 main=new side=new | 5 | later 60",
                "pre=done main=4 side=5 | 6 | later 15",
                "pre=done main=4 side=5 | 14 | later 15",
                "pre=done main=4 side=5 | 15 | healthy",
                "pre=done main=12 side=5 | 15 | later 22",
                "pre=done main=55 side=5 | 58 | later 60",
                "pre=done main=55 side=5 | 60 | unhealthy",
                "pre=done main=50 side=5 | 60 | healthy",
                "pre=failed main=new side=new | 1 | unhealthy",
                "pre=done main=done side=5 | 6 | unhealthy",
                "pre=done main=4 side=failed | 6 | unhealthy",
            })
    void whatIsKnown(String states, long after, String expected) {
        Map<String, TaskState> now = Arrays.stream(states.split(" "))
                .map(word -> word.split("="))
                .collect(Collectors.toMap(word -> word[0], word -> state(word[1])));
        assertEquals(expected, verdict(RULE.look(now, HealthRule.Checks.NONE, SINCE, SINCE.plusSeconds(after))));
    }

    private static String verdict(HealthRule.Verdict verdict) {
        return switch (verdict) {
            case HealthRule.Verdict.Healthy _ -> "healthy";
            case HealthRule.Verdict.Unhealthy(String why) ->
                why.startsWith("check") ? "unhealthy: " + why : "unhealthy";
            case HealthRule.Verdict.Later(Instant at) ->
                "later " + Duration.between(SINCE, at).toSeconds();
        };
    }

    /** The tasks run from the beginning on; checks are well since, or one is not. */
    @ParameterizedTest(name = "well since {0}, one that is not: {1}, after {2} s: {3}")
    @CsvSource(
            delimiter = '|',
            value = {
                "0  |         | 10 | healthy",
                "20 |         | 25 | later 30",
                "20 |         | 30 | healthy",
                "20 | check c | 30 | later 60",
                "0  | check c | 60 | unhealthy: check c by healthy_deadline of 60s",
                "55 |         | 60 | unhealthy",
            })
    void checksOfServicesCountToo(long since, @Nullable String unwell, long after, String expected) {
        Map<String, TaskState> now = Map.of("pre", state("done"), "main", state("0"), "side", state("0"));
        HealthRule.Checks checks = new HealthRule.Checks(SINCE.plusSeconds(since), Optional.ofNullable(unwell));
        assertEquals(expected, verdict(RULE.look(now, checks, SINCE, SINCE.plusSeconds(after))));
        HealthRule ofTasks = new HealthRule(GROUP, Duration.ofSeconds(10), Duration.ofSeconds(60), false);
        assertEquals(
                after >= 10 ? "healthy" : "later 10",
                verdict(ofTasks.look(now, checks, SINCE, SINCE.plusSeconds(after))));
    }
}
