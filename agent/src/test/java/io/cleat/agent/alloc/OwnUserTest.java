package io.cleat.agent.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.task.TestTasks;
import io.cleat.driver.ExitResult;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.shim.IdRange;
import io.cleat.kernel.IdSwap;
import io.cleat.kernel.Paths;
import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.Task;
import io.cleat.model.TaskEvent;
import io.cleat.model.VolumeMount;
import io.cleat.wire.ToNode;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tasks that name no user, under a driver that wants each allocation to have one of its own. */
class OwnUserTest extends AgentFixture {
    private static final IdRange TWO = new IdRange(70_001, 70_002);

    @BeforeEach
    void isolate() throws Exception {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")),
                "reason: giving a directory to another user needs root");
        driver.isolate(true);
        binds.isolates = true;
        users = Optional.of(TWO);
        restart();
    }

    private static ToNode.Assignment plain(String id, Task... tasks) {
        return new ToNode.Assignment(
                id,
                "web.g[0]",
                0,
                "eval",
                TestTasks.job(JobType.SERVICE, Map.of(), tasks),
                0,
                "g",
                DesiredStatus.RUN,
                Map.of(),
                false,
                null);
    }

    private static Task named(String name, String user) {
        return TestTasks.task(name, 0, null).edit().user(user).done();
    }

    private TaskConfig started(String alloc, String task, int n) throws InterruptedException {
        driver.awaitStart(task, n);
        for (int start = 1; ; start++) {
            TaskConfig config = driver.awaitStart(start);
            if (config.allocId().equals(alloc) && config.task().equals(task)) {
                return config;
            }
        }
    }

    private Object ownerOf(String below) throws Exception {
        Path path = dir.resolve("alloc").resolve(below);
        return Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    }

    @Test
    void eachAllocationHasItsOwn_andItsDirectoriesAreItsAlone() throws Exception {
        allocations.assign(
                1, List.of(plain("a-1", named("one", "")), plain("a-2", named("two", ""), named("root", "root"))));
        TaskConfig one = started("a-1", "one", 1);
        TaskConfig two = started("a-2", "two", 1);
        assertTrue(one.ownUser());
        assertTrue(two.ownUser());
        assertNotEquals(one.user(), two.user());
        assertEquals(Integer.valueOf(one.user()), ownerOf("a-1/one/local"));
        assertEquals(Integer.valueOf(two.user()), ownerOf("a-2/two/tmp"));
        TaskConfig root = started("a-2", "root", 1);
        assertEquals("root", root.user());
        assertFalse(root.ownUser());
        assertTrue(binds.sharing.contains(new TreeSet<>(List.of(Long.valueOf(two.user())))), binds.sharing::toString);
    }

    @Test
    void itIsKeptOverTheDeathOfTheAgent_andNoOtherAllocationGetsIt() throws Exception {
        allocations.assign(1, List.of(plain("a-1", named("one", ""))));
        String user = started("a-1", "one", 1).user();
        restart();
        allocations.assign(2, List.of(plain("a-1", named("one", "")), plain("a-2", named("two", ""))));
        assertNotEquals(user, started("a-2", "two", 1).user());
        driver.end(driver.running().getFirst(), new ExitResult(0, 0, false));
        restart();
        assertEquals(
                Optional.of(user),
                Optional.ofNullable(new AllocationStore(dir.resolve("state"))
                                .read("a-1")
                                .user())
                        .map(own -> Long.toString(own.id())));
    }

    @Test
    void whereAllAreTaken_theAllocationFailsWithWhatToDo_andGetsOneThatIsGivenBack() throws Exception {
        others = id -> id == 70_002;
        allocations.assign(1, List.of(plain("a-1", named("one", ""))));
        started("a-1", "one", 1);
        ToNode.Assignment late = assignment(DesiredStatus.RUN, Map.of(), job("late"));
        allocations.assign(2, List.of(plain("a-1", named("one", "")), late));
        String why = awaitReport(r -> r.status() == ClientStatus.FAILED).description();
        assertTrue(why.contains("-exec-users=70001-70002"), why);
        assertTrue(why.contains("name a user"), why);

        allocations.assign(3, List.of());
        awaitGone();
        while (!allocations.known().isEmpty()) {
            news.poll(10, TimeUnit.MILLISECONDS);
        }
        allocations.assign(4, List.of(plain("a-3", named("three", ""))));
        assertEquals("70001", started("a-3", "three", 1).user());
    }

    @Test
    void whatAnEarlierProgramBegan_goesOnAsNobody_alsoFromTheFirst() throws Exception {
        driver.isolate(false);
        ToNode.Assignment old = plain("a-1", named("one", ""));
        allocations.assign(1, List.of(old));
        assertEquals("", started("a-1", "one", 1).user());
        driver.isolate(true);
        restart();
        allocations.assign(2, List.of(old, plain("a-2", named("two", ""))));
        started("a-2", "two", 1);
        allocations.restartAll("a-1");
        driver.awaitStart("one", 2);
        restart();
        allocations.restartAll("a-1");
        TaskConfig third = driver.awaitStart(4);
        assertEquals("a-1", third.allocId());
        assertEquals("", third.user());
    }

    private static JobSpec job(String task) {
        return TestTasks.job(JobType.SERVICE, Map.of(), named(task, ""));
    }

    @Test
    void aVolumeIsShownWithWhatIsNobodysAsItsOwn() throws Exception {
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        TaskConfig started = driver.awaitStart(1);
        IdSwap shown = binds.held.element().orElseThrow();
        assertEquals(started.user(), Long.toString(shown.own()));
        assertEquals(65534, shown.user());
    }

    private List<String> saidOfVolumes() throws Exception {
        return state(awaitReport(r -> r.status() == ClientStatus.RUNNING), "t").events().stream()
                .filter(event -> event.type().equals("Volume Owner"))
                .map(TaskEvent::message)
                .toList();
    }

    @Test
    void aFreshVolumeIsGivenToTheTasksUser() throws Exception {
        binds.whose = () -> new Paths.Whose(true, 0755, 70_001, 70_001);
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        TaskConfig started = driver.awaitStart(1);
        assertEquals(started.user(), Long.toString(binds.asked.element()));
        assertEquals(List.of("Volume \"data\" was empty and root's: it is nobody's now"), saidOfVolumes());
    }

    @Test
    void aVolumeThatIsSomebodys_isLeftAlone_andItIsSaidOnceWhoseItIs() throws Exception {
        binds.whose = () -> new Paths.Whose(false, 0750, 0, 4);
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(1))));
        driver.end(driver.awaitStart(1).id(), new ExitResult(1, 0, false));
        driver.awaitStart(2);
        assertEquals(
                List.of("Volume \"data\" belongs to user 0 and group 4 with mode 0750, and the task"
                        + " runs as nobody, who may not write in it: say whose it is to be with"
                        + " owner, group or mode in mount_options of the group's volume, or set the task's user"),
                saidOfVolumes());
    }

    @Test
    void aVolumeThatEverybodyMayWriteIn_isNoNews() throws Exception {
        binds.whose = () -> new Paths.Whose(false, 01777, 0, 0);
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        assertEquals(List.of(), saidOfVolumes());
    }

    @Test
    void aVolumeThatIsOnlyRead_isGivenToNobody() throws Exception {
        Task reader = TestTasks.task("t", 0, null, new VolumeMount("data", "/data", true, "private", ""));
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, reader)));
        driver.awaitStart(1);
        assertTrue(binds.asked.isEmpty());
    }

    @Test
    void rootNeedsNoVolumeToBeItsOwn() throws Exception {
        Task root = task(0).edit().user("root").done();
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, root)));
        driver.awaitStart(1);
        assertTrue(binds.asked.isEmpty());
    }

    @Test
    void whereAVolumeCannotBeShownSo_theTaskIsNobodyAsBefore_andSaysWhyOnce() throws Exception {
        binds.cannotSwap = "its file system cannot";
        Task twice = TestTasks.task("t", 1, null, new VolumeMount("data", "/data", false, "private", ""));
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, twice)));
        TaskConfig started = driver.awaitStart(1);
        assertEquals("", started.user());
        assertFalse(started.ownUser());
        assertEquals(Optional.empty(), binds.held.element());
        driver.end(started.id(), new ExitResult(1, 0, false));
        driver.awaitStart(2);
        List<TaskEvent> said = state(awaitReport(r -> r.status() == ClientStatus.RUNNING), "t").events().stream()
                .filter(event -> event.type().equals("Shared User"))
                .toList();
        assertEquals(1, said.size());
        assertEquals(
                "The task runs as nobody, as others may, and not as a user of its own: volume"
                        + " \"data\": its file system cannot",
                said.getFirst().message());
        // It holds no id that another could have.
        allocations.assign(
                2,
                List.of(
                        assignment(DesiredStatus.RUN, true, twice),
                        plain("a-2", named("two", "")),
                        plain("a-3", named("three", ""))));
        started("a-2", "two", 1);
        started("a-3", "three", 1);
    }
}
