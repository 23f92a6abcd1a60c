package io.cleat.agent.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.artifact.Artifacts;
import io.cleat.agent.network.JoinedNetwork;
import io.cleat.agent.plugins.PluginTasks;
import io.cleat.agent.template.PlainFiles;
import io.cleat.agent.template.Templates;
import io.cleat.base.Ids;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.driver.TaskConfig;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.Task;
import io.cleat.model.TaskEvent;
import io.cleat.model.TaskState;
import io.cleat.model.TaskTemplate;
import io.cleat.model.TaskTemplate.ChangeMode;
import io.cleat.testkit.Eventually;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the runner of a task does because of its templates. */
@Timeout(60)
class TaskTemplatesTest {
    private static final String READS = "a={{ file \"local/a\" }}";

    @TempDir
    Path root;

    private final Time time = new SystemTime();
    private final MemoryDriver driver = new MemoryDriver();
    private final ConcurrentLinkedQueue<Throwable> faults = new ConcurrentLinkedQueue<>();
    private final Threads threads = Threads.virtual((where, fault) -> faults.add(fault));
    private @Nullable Thread running;

    @BeforeEach
    void makeFiles() throws Exception {
        Files.createDirectories(root.resolve("t/local"));
        Files.createDirectories(root.resolve("alloc"));
    }

    @AfterEach
    void end() throws Exception {
        Thread runs = running;
        if (runs != null) {
            runs.interrupt();
            runs.join();
        }
        assertEquals(List.of(), List.copyOf(faults));
    }

    private void put(String text) throws Exception {
        Files.writeString(root.resolve("t/local/a"), text);
    }

    /** Nothing asks these. */
    private static <T> T unused(Class<T> type) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    throw new AssertionError(method);
                }));
    }

    /** No volume is wanted. */
    private static VolumeBinds nothingMounted() {
        return (VolumeBinds) Proxy.newProxyInstance(
                VolumeBinds.class.getClassLoader(), new Class<?>[] {VolumeBinds.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("mounted")) {
                        return Set.of();
                    }
                    throw new AssertionError(method);
                });
    }

    private TaskRunner runner(TaskTemplate... templates) throws Exception {
        Task task = TestTasks.task("t", 0, null)
                .edit()
                .templates(List.of(templates))
                .done();
        JobSpec job = TestTasks.job(JobType.SERVICE, Map.of(), task);
        TaskRunner runner = new TaskRunner(
                new TaskSetting(
                        "2849ded8",
                        "web.g[0]",
                        0,
                        job,
                        job.groups().getFirst(),
                        task,
                        root.resolve("alloc"),
                        root.resolve("t"),
                        root.resolve("logs"),
                        OwnUser.NONE,
                        Map.of(),
                        List.of(),
                        null,
                        JoinedNetwork.OF_NODE),
                new TaskParts(
                        Map.of("fake", driver),
                        Set.of(),
                        unused(PluginTasks.class),
                        nothingMounted(),
                        new PlainFiles(),
                        unused(Artifacts.class),
                        TestTasks::node,
                        threads,
                        time,
                        bound -> 0,
                        Ids.random()),
                TaskRecord.NEW,
                new TaskRunner.Keeper() {
                    @Override
                    public void keep(String name, TaskRecord record) {}

                    @Override
                    public void note(String name, TaskRecord record) {}

                    @Override
                    public void settled(String name) {}
                });
        runner.begin();
        running = threads.vitalWork("task", runner::run);
        return runner;
    }

    private static TaskTemplate template(String data, ChangeMode mode) {
        return Templates.of("local/out", data, mode, Duration.ZERO, null, false);
    }

    private static void awaitEvent(TaskRunner runner, String words) throws Exception {
        Eventually.holds(
                () -> runner.state().events().stream().map(TaskEvent::message).anyMatch(words::equals), words);
    }

    @Test
    void whatTheyGiveIsInTheEnvironment() throws Exception {
        put("1");
        runner(Templates.of("secrets/e", "A=" + READS, ChangeMode.NOOP, Duration.ZERO, null, true));
        TaskConfig config = driver.awaitStart(1);
        assertEquals("a=1", config.env().get("A"));
        assertEquals("A=a=1", Files.readString(root.resolve("t/secrets/e")));
    }

    @Test
    void aTaskThatWaitsForAFileCanBeKilled() throws Exception {
        TaskRunner runner = runner(template(READS, ChangeMode.NOOP));
        awaitEvent(runner, "Missing: file(local/a)");
        runner.kill("", false);
        Eventually.holds(() -> runner.state().phase() == TaskState.Phase.DEAD, "it is dead");
        assertEquals(0, driver.starts());
    }

    /** The watch was interrupted by the end that it had asked for, and the task held for ever. */
    @Test
    void aTaskThatEndsWhileItIsStillAskedToStartsAgain() throws Exception {
        put("1");
        driver.holdStops();
        TaskRunner runner = runner(template(READS, ChangeMode.RESTART));
        driver.awaitStart(1);
        put("22");
        driver.awaitStart(2);
        awaitEvent(runner, "Template with change_mode restart re-rendered");
        assertEquals("a=22", Files.readString(root.resolve("t/local/out")));
    }

    @Test
    void aScriptThatFailsFailsItsTask() throws Exception {
        put("1");
        TaskRunner runner = runner(template(READS, ChangeMode.SCRIPT));
        driver.awaitStart(1);
        put("22");
        awaitEvent(
                runner,
                "Template failed to run script reload with arguments: [a] on change:"
                        + " the driver fake runs no commands in its tasks");
        Eventually.holds(() -> runner.state().phase() == TaskState.Phase.DEAD, "it is dead");
        assertTrue(runner.state().failed());
    }

    @Test
    void whatCannotBeRenderedFailsTheTask() throws Exception {
        TaskRunner runner = runner(template("\n{{ key \"k\" }}", ChangeMode.NOOP));
        Eventually.holds(() -> runner.state().phase() == TaskState.Phase.DEAD, "it is dead");
        assertTrue(runner.state().failed());
        assertTrue(
                runner.state().events().stream()
                        .anyMatch(event -> event.type().equals("Template")
                                && event.message().startsWith("Template failed: template: local/out:2:4: key:")),
                runner.state().events().toString());
    }
}
