package io.cleat.clusterapi.allocations;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.TaskEvent;
import io.cleat.clusterapi.SampleCluster;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** States of tasks, as the API shows them. */
final class TaskViewTest {
    @Test
    void oldFieldsOfAnEventRepeatItsDetails() {
        TaskEvent event = TaskView.event(new io.cleat.model.TaskEvent(
                "Killing",
                SampleCluster.AT,
                "Sent interrupt",
                Map.of(
                        "kill_timeout",
                        "5000000000",
                        "exit_code",
                        "137",
                        "signal",
                        "9",
                        "fails_task",
                        "true",
                        "failed_sibling",
                        "other",
                        "restart_reason",
                        "why",
                        "start_delay",
                        "no number",
                        "driver_error",
                        "broken")));
        assertEquals(5_000_000_000L, event.KillTimeout());
        assertEquals(137, event.ExitCode());
        assertEquals(9, event.Signal());
        assertTrue(event.FailsTask());
        assertEquals("other", event.FailedSibling());
        assertEquals("why", event.RestartReason());
        assertEquals(0, event.StartDelay());
        assertEquals("broken", event.DriverError());
        assertEquals("Sent interrupt", event.DisplayMessage());
        assertEquals("", event.Message());
    }
}
