package io.cleat.agent.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.plugins.PluginTasks;
import io.cleat.agent.task.TestTasks;
import io.cleat.csi.RunEnds;
import io.cleat.driver.TaskConfig;
import io.cleat.model.CsiPluginSpec;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobType;
import io.cleat.model.PluginType;
import io.cleat.model.TaskEvent;
import io.cleat.model.TaskState;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A driver with a socket at a fixed place, which each instance makes and removes at its end. */
class PluginUpdateTest extends AgentFixture {
    /** Sorted after {@link #ID}: an agent that takes both over finds the new one first. */
    private static final String OLD = "fb49ded8-c520-74d0-6e49-2a300b1810ee";

    private final CountDownLatch oldEnds = new CountDownLatch(1);
    private final FixedSocket driverOfOne = new FixedSocket();

    @BeforeEach
    void withPlugin() throws Exception {
        plugins = driverOfOne;
        restart();
    }

    /** As with the sockets that some drivers keep in a directory of the host. */
    private final class FixedSocket implements PluginTasks {
        final Set<String> begun = ConcurrentHashMap.newKeySet();

        Path path() {
            return dir.resolve("driver.sock");
        }

        @Override
        public Prepared beforeStart(PluginTask task) {
            try {
                Files.writeString(path(), task.allocId());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            begun.add(task.allocId());
            return new Prepared("unix://" + path(), List.of());
        }

        @Override
        public HostMount volumes(PluginTask task) {
            return new HostMount(
                    dir.resolve("csi").resolve(task.spec().id()),
                    task.isolated() ? task.spec().stagePublishBaseDir() : "on the host",
                    "bidirectional");
        }

        @Override
        public void afterStart(PluginTask task, Listener listener) {}

        @Override
        public void afterEnd(PluginTask task, RunEnds.Reason reason) throws InterruptedException {
            if (task.allocId().equals(OLD)) {
                oldEnds.await();
            }
            try {
                Files.deleteIfExists(path());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static ToNode.Assignment plugin(String allocId, DesiredStatus desired, PluginType type) {
        return plugin(allocId, desired, type, false);
    }

    private static ToNode.Assignment plugin(String allocId, DesiredStatus desired, PluginType type, boolean overlap) {
        CsiPluginSpec spec = new CsiPluginSpec("p", type, "/csi", "/local/csi", Duration.ofSeconds(30), null, overlap);
        return new ToNode.Assignment(
                allocId,
                "p.g[0]",
                0,
                "eval",
                TestTasks.job(JobType.SYSTEM, Map.of(), TestTasks.task("t", 0, spec)),
                0,
                "g",
                desired,
                Map.of(),
                false,
                null);
    }

    private ToServer.AllocReport awaitRunning() throws InterruptedException {
        return awaitReport(r -> state(r, "t").phase() == TaskState.Phase.RUNNING);
    }

    private void begin(PluginType type) throws Exception {
        allocations.assign(1, List.of(plugin(OLD, DesiredStatus.RUN, type)));
        driver.awaitStart(1);
    }

    private void update(PluginType type) throws Exception {
        allocations.assign(2, List.of(plugin(OLD, DesiredStatus.STOP, type), plugin(ID, DesiredStatus.RUN, type)));
    }

    /** Both ran for a time, and the end of the old one took the new one's socket away. */
    @Test
    void anUpdate_startsTheNewInstanceOnlyOnceTheOldOneHasEnded() throws Exception {
        begin(PluginType.NODE);
        update(PluginType.NODE);
        ToServer.AllocReport waits = awaitReport(r -> events(r, "t").contains("Waiting"));
        assertEquals(List.of("Received", "Waiting"), events(waits, "t"));
        TaskEvent event = state(waits, "t").events().getLast();
        assertTrue(event.message().contains(OLD), event.message());
        assertEquals(Set.of(OLD), driverOfOne.begun);
        oldEnds.countDown();
        awaitRunning();
        assertEquals(ID, Files.readString(driverOfOne.path()));
        assertEquals(1, driver.running().size());
    }

    /** It found the new one written down before the one that it waits for. */
    @Test
    void anAgentThatTakesBothOver_letsTheNewInstanceWaitToo() throws Exception {
        begin(PluginType.MONOLITH);
        update(PluginType.MONOLITH);
        awaitReport(r -> events(r, "t").contains("Waiting"));
        restart();
        assertEquals(Set.of(OLD), driverOfOne.begun);
        oldEnds.countDown();
        awaitRunning();
        assertEquals(ID, Files.readString(driverOfOne.path()));
    }

    @Test
    void oneThatWaitsAndIsNotWantedAnyMore_endsWithoutBeingStarted() throws Exception {
        begin(PluginType.NODE);
        update(PluginType.NODE);
        awaitReport(r -> events(r, "t").contains("Waiting"));
        allocations.assign(
                3,
                List.of(
                        plugin(OLD, DesiredStatus.STOP, PluginType.NODE),
                        plugin(ID, DesiredStatus.STOP, PluginType.NODE)));
        awaitReport(r -> state(r, "t").phase() == TaskState.Phase.DEAD);
        assertEquals(Set.of(OLD), driverOfOne.begun);
        oldEnds.countDown();
    }

    @Test
    void anUpdateOfOneThatMayOverlap_startsTheNewInstanceBesideTheOldOne() throws Exception {
        begin(PluginType.NODE);
        allocations.assign(
                2,
                List.of(
                        plugin(OLD, DesiredStatus.STOP, PluginType.NODE),
                        plugin(ID, DesiredStatus.RUN, PluginType.NODE, true)));
        awaitRunning();
        assertEquals(Set.of(OLD, ID), driverOfOne.begun);
        oldEnds.countDown();
    }

    /** Nobody's mounts depend on a controller. */
    @Test
    void aControllersUpdate_overlaps() throws Exception {
        begin(PluginType.CONTROLLER);
        update(PluginType.CONTROLLER);
        awaitRunning();
        oldEnds.countDown();
    }

    /** Two jobs may run a plugin of the same id. */
    @Test
    void anotherInstanceThatIsNotToEnd_isNotWaitedFor() throws Exception {
        begin(PluginType.NODE);
        allocations.assign(
                2,
                List.of(
                        plugin(OLD, DesiredStatus.RUN, PluginType.NODE),
                        plugin(ID, DesiredStatus.RUN, PluginType.NODE)));
        awaitRunning();
        assertEquals(2, driver.running().size());
        oldEnds.countDown();
    }

    /** Nobody knew that the old one was a plugin, and it ended beside the new one. */
    @Test
    void anInstanceOfWhichTheFileIsLost_endsBeforeTheNextStarts() throws Exception {
        begin(PluginType.NODE);
        loseFile(OLD);
        driver.holdStops();
        allocations.assign(2, List.of(plugin(ID, DesiredStatus.RUN, PluginType.NODE)));
        ToServer.AllocReport waits = awaitReport(r -> events(r, "t").contains("Waiting"));
        TaskEvent event = state(waits, "t").events().getLast();
        assertTrue(event.message().contains("are not known"), event.message());
        assertEquals(1, driver.starts());
        driver.letStopsReturn();
        awaitRunning();
        assertEquals(1, driver.running().size());
    }

    @Test
    void anInstanceThatMayOverlap_startsBesideOneOfWhichTheFileIsLost() throws Exception {
        begin(PluginType.NODE);
        loseFile(OLD);
        driver.holdStops();
        allocations.assign(2, List.of(plugin(ID, DesiredStatus.RUN, PluginType.NODE, true)));
        awaitRunning();
        driver.letStopsReturn();
    }

    /** As with the drivers whose mounts are made, and held, by a program beside them. */
    @Test
    void aTaskBesideAPlugin_mayBeShownItsVolumes_asThePluginSeesThem() throws Exception {
        driver.isolate(false);
        binds.isolates = true;
        CsiPluginSpec spec =
                new CsiPluginSpec("p", PluginType.NODE, "/csi", "/local/csi", Duration.ofSeconds(30), null, false);
        allocations.assign(
                1,
                List.of(assignment(
                        DesiredStatus.RUN,
                        Map.of(),
                        TestTasks.job(
                                JobType.SYSTEM,
                                Map.of(),
                                TestTasks.task("t", 0, spec),
                                TestTasks.task("helper", 0, null)))));
        Map<String, List<TaskConfig.TaskMount>> shown = new TreeMap<>();
        for (TaskConfig started : List.of(driver.awaitStart(1), driver.awaitStart(2))) {
            shown.put(started.task(), started.pluginVolumes());
        }
        TaskConfig.TaskMount volumes =
                new TaskConfig.TaskMount(dir.resolve("csi/p"), "/local/csi", false, "bidirectional");
        assertEquals(Map.of("helper", List.of(volumes), "t", List.of()), shown);
    }
}
