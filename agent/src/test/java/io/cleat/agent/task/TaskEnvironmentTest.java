package io.cleat.agent.task;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.Task;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TaskEnvironmentTest {
    private static TaskEnvironment environment() {
        Task task = TestTasks.task("t", 0, null);
        JobSpec job = TestTasks.job(JobType.SERVICE, Map.of(), task);
        return new TaskEnvironment(
                new TaskEnvironment.Facts(
                        "2849ded8-c520-74d0-6e49-2a300b1810ee",
                        "web.g[2]",
                        2,
                        job,
                        job.groups().getFirst(),
                        task,
                        TestTasks.node(),
                        Path.of("/a/alloc"),
                        Path.of("/a/t/local"),
                        Path.of("/a/t/secrets"),
                        Map.of("my-data", "/a/t/data"),
                        Map.of("CSI_ENDPOINT", "unix:///s"),
                        Map.of("RENDERED", "yes")));
    }

    @Test
    void theNamesOfTheRuntimeEnvironmentAreThere() {
        Map<String, String> variables = environment().variables();
        assertEquals("2849ded8", variables.get("NOMAD_SHORT_ALLOC_ID"));
        assertEquals("2", variables.get("NOMAD_ALLOC_INDEX"));
        assertEquals("web.g[2]", variables.get("NOMAD_ALLOC_NAME"));
        assertEquals("/a/t/local", variables.get("NOMAD_TASK_DIR"));
        assertEquals("one", variables.get("NOMAD_META_tier"));
        assertEquals("team", variables.get("NOMAD_META_OWNER"));
        assertEquals("100", variables.get("NOMAD_CPU_LIMIT"));
        assertEquals("cleat-node", variables.get("NOMAD_PARENT_CGROUP"));
        assertEquals("unix:///s", variables.get("CSI_ENDPOINT"));
        assertEquals("yes", variables.get("RENDERED"));
    }

    @Test
    void aVolumesPathIsInItsVariable() {
        assertEquals("/a/t/data", environment().variables().get("CLEAT_VOLUME_my_data"));
    }

    @Test
    void referencesAreReplacedAndUnknownOnesStay() {
        assertEquals("hello t on linux", environment().variables().get("GREETING"));
        assertEquals(
                List.of("2849ded8-c520-74d0-6e49-2a300b1810ee", "${unknown}"),
                environment()
                        .expand(Map.of("args", List.of("${NOMAD_ALLOC_ID}", "${unknown}")))
                        .get("args"));
        assertEquals(
                "t on dc1",
                environment()
                        .expand(Map.of("x", "${env[\"NOMAD_TASK_NAME\"]} on ${node.datacenter}"))
                        .get("x"));
    }
}
