package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.TaskArtifact;
import io.cleat.model.TaskDraft;
import io.cleat.model.TaskTemplate;
import io.cleat.testkit.FullJob;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a new version of a job does to what runs. Change -> replaced or not. */
final class VersionChangeTest {
    private static final JobSpec JOB = Cluster.job("a", JobType.BATCH, 1);

    private final Cluster cluster = new Cluster();
    private String before = "";

    @BeforeEach
    void run() {
        cluster.node("n1");
        cluster.run(JOB);
        before = cluster.allocation("a").id();
    }

    private void change(UnaryOperator<TaskDraft> change) {
        cluster.run(FullJob.with(
                JOB,
                JOB.groups().getFirst().tasks().stream()
                        .map(task -> change.apply(task.edit()).done())
                        .toList()));
    }

    @Test
    void howItIsEnded_goesOn() {
        change(task -> task.killTimeout(Duration.ofSeconds(9)));
        assertEquals(before, cluster.allocation("a").id());
    }

    @Test
    void aTemplate_isReplaced() {
        change(task -> task.templates(List.of(new TaskTemplate(
                "",
                "local/a",
                "a",
                TaskTemplate.ChangeMode.NOOP,
                "",
                null,
                Duration.ZERO,
                "0644",
                null,
                null,
                "{{",
                "}}",
                false,
                false,
                false,
                null))));
        assertNotEquals(before, cluster.allocation("a").id());
    }

    @Test
    void anArtifact_isReplaced() {
        change(task -> task.artifacts(List.of(new TaskArtifact(
                "https://example.com/a", Map.of(), Map.of(), TaskArtifact.Mode.ANY, "local/", false, false))));
        assertNotEquals(before, cluster.allocation("a").id());
    }
}
