package io.cleat.agent.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.TestTime;
import io.cleat.base.Threads;
import io.cleat.driver.TaskHandle;
import io.cleat.model.TaskEvent;
import io.cleat.testkit.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TaskOutputTest {
    private static final TaskHandle TASK = new TaskHandle("memory", "alloc/t/1", 1, "");

    private final TestTime time = new TestTime();
    private final MemoryDriver driver = new MemoryDriver();
    private final ConcurrentLinkedQueue<Throwable> faults = new ConcurrentLinkedQueue<>();
    private final Threads threads = Threads.virtual((where, fault) -> faults.add(fault));
    private final TaskDiary diary = new TaskDiary("t", TaskRecord.NEW, new TaskRunner.Keeper() {
        @Override
        public void keep(String task, TaskRecord record) {}

        @Override
        public void note(String task, TaskRecord record) {}

        @Override
        public void settled(String task) {}
    });

    private List<TaskEvent> told() {
        return diary.record().state().events();
    }

    @Test
    void whatIsLostIsToldNowAndThen() throws Exception {
        TaskOutput output = new TaskOutput(driver, threads, time, diary, new TaskEvents(time));
        driver.loseOutput(0);
        output.afterStart(TASK);
        driver.loseOutput(500);
        Eventually.holds(() -> told().size() == 1, "it is told");
        driver.loseOutput(900);
        Eventually.holds(() -> told().size() == 2, "more is told");
        output.afterEnd();
        assertEquals(
                List.of("500", "900"),
                told().stream().map(e -> e.details().get("bytes")).toList());
        Duration between = Duration.between(told().get(0).at(), told().get(1).at());
        assertTrue(between.compareTo(Duration.ofHours(1)) >= 0, between.toString());
        assertTrue(faults.isEmpty(), faults.toString());
    }
}
