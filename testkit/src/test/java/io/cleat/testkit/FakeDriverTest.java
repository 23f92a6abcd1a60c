package io.cleat.testkit;

import io.cleat.base.SystemTime;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.TaskHandle;
import io.cleat.model.Resources;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The fake keeps the contract that the real drivers keep. */
class FakeDriverTest extends TaskDriverContract {
    private final FakeDriver driver = new FakeDriver("fake", new SystemTime());

    @Override
    protected TaskDriver driver() {
        return driver;
    }

    @Override
    protected void restart() {}

    @Override
    protected TaskConfig config(String id, Map<String, Object> block) {
        Path nowhere = Path.of("/nonexistent");
        return new TaskConfig(
                id,
                "alloc",
                "web",
                block,
                Map.of(),
                "",
                Resources.NONE,
                nowhere,
                nowhere,
                List.of(),
                new TaskConfig.Logs(nowhere, 1, 1, true));
    }

    @Override
    protected Map<String, Object> exiting(int code) {
        return Map.of("exit", (long) code);
    }

    @Override
    protected Map<String, Object> waiting() {
        return Map.of();
    }

    @Override
    protected Map<String, Object> stubborn() {
        return Map.of("stubborn", true);
    }

    @Override
    protected void awaitStubbornness(TaskHandle task) {}
}
