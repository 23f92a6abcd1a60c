package io.cleat.agent.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.template.Templates;
import io.cleat.driver.DriverCapabilities;
import io.cleat.driver.DriverCapabilities.Isolation;
import io.cleat.model.LogLimits;
import io.cleat.model.Task;
import io.cleat.model.TaskTemplate.ChangeMode;
import io.cleat.model.VolumeMount;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** One part after the other that a driver of others may not have. */
class DriverNeedsTest {
    private static final DriverCapabilities ALL = new DriverCapabilities(true, true, Isolation.IMAGE, true, true);

    private static void assertNeeds(Task task, DriverCapabilities without, String words) {
        assertEquals(Optional.empty(), DriverNeeds.fault(task, ALL));
        String fault = DriverNeeds.fault(task, without).orElseThrow();
        assertTrue(fault.contains(words), fault);
        assertTrue(fault.contains("\"fake\" of task \"t\""), fault);
    }

    private static Task task() {
        return TestTasks.task("t", 0, null);
    }

    private static Task changing(ChangeMode mode) {
        return task().edit()
                .templates(List.of(Templates.of("local/out", "a", mode, Duration.ZERO, null, false)))
                .done();
    }

    @Test
    void withoutCommands_noScriptAnswersAChange() {
        assertNeeds(
                changing(ChangeMode.SCRIPT),
                new DriverCapabilities(true, false, Isolation.IMAGE, true, true),
                "run commands");
    }

    @Test
    void withoutSignals_noneAnswersAChangeAndNoneEndsTheTask() {
        DriverCapabilities without = new DriverCapabilities(false, true, Isolation.IMAGE, true, true);
        assertNeeds(changing(ChangeMode.SIGNAL), without, "change_mode = \"signal\"");
        assertNeeds(task().edit().killSignal("SIGINT").done(), without, "kill_signal = \"SIGINT\"");
        assertEquals(Optional.empty(), DriverNeeds.fault(changing(ChangeMode.RESTART), without));
    }

    @Test
    void withoutALogSwitch_logsAreNotSwitchedOff() {
        assertNeeds(
                task().edit().logs(new LogLimits(1, 1, true)).done(),
                new DriverCapabilities(true, true, Isolation.IMAGE, true, false),
                "without its logs");
    }

    @Test
    void isolatedWithoutMounts_noVolumeIsSeen() {
        Task mounting = task().edit()
                .volumeMounts(List.of(new VolumeMount("data", "/data", false, "private", "")))
                .done();
        assertNeeds(mounting, new DriverCapabilities(true, true, Isolation.IMAGE, false, true), "show volumes");
        assertEquals(
                Optional.empty(),
                DriverNeeds.fault(mounting, new DriverCapabilities(true, true, Isolation.NONE, false, true)));
    }
}
