package io.cleat.agent.plugins;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.csi.RunEnds;
import io.cleat.model.PluginInstance;
import io.cleat.testkit.Behaviour;
import io.cleat.testkit.FakeCsiPlugin;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Plugins that an earlier agent over the same data directory has registered. */
class EarlierAgentsPluginsTest extends SupervisorGround {
    EarlierAgentsPluginsTest() throws Exception {}

    /** A FUSE plugin that was slow to answer a new agent was stopped, and all its mounts died. */
    @Test
    void pluginThatAnEarlierAgentRegistered_isUnhealthyWhenItIsSilentAndNotEnded() throws Exception {
        PluginTasks.PluginTask task = task(Duration.ofSeconds(30));
        try (FakeCsiPlugin plugin = healthy(task)) {
            plugin.script("Probe", Behaviour.hang());
            nextAgent();
            supervisor.afterStart(task(Duration.ofMillis(300)), new Listener());
            String told = nextEvent();
            assertTrue(told.startsWith("Plugin became unhealthy | error: "), told);
            assertFalse(
                    registry.current(PluginKind.NODE, "p").orElseThrow().facts().healthy());
            plugin.script("Probe", Behaviour.ok());
            time.probes.release(2);
            assertEquals("Plugin became healthy | plugin: p", nextEvent());
            assertTrue(events.isEmpty(), events.toString());
            supervisor.afterEnd(task, RunEnds.Reason.ASKED);
        }
    }

    /** An earlier version named the control directory for the allocation alone. */
    @Test
    void pluginThatAnEarlierAgentRegisteredElsewhere_isFoundThereAndLeavesNothing() throws Exception {
        PluginTasks.PluginTask task = task(Duration.ofSeconds(30));
        supervisor.beforeStart(task);
        supervisor.afterEnd(task, RunEnds.Reason.ASKED);
        Path old = Files.createDirectories(dir.resolve("csi/plugins/alloc-1"));
        try (FakeCsiPlugin plugin = FakeCsiPlugin.start(old.resolve("csi.sock"))) {
            registry.register(registered(task, old.resolve("csi.sock")));
            nextAgent();
            supervisor.afterStart(task, new Listener());
            while (plugin.calls("Probe").isEmpty()) {
                Thread.onSpinWait();
            }
            supervisor.afterEnd(task, RunEnds.Reason.ASKED);
        }
        assertFalse(Files.exists(old));
        assertEquals(List.of(), registry.all());
        assertTrue(supervisor.beforeStart(task).endpoint().matches(".*/alloc-1-[0-9a-f]{16}/csi.sock"));
    }

    private static Registration registered(PluginTasks.PluginTask task, Path socket) {
        return new Registration(
                PluginKind.NODE,
                task.spec().id(),
                task.allocId(),
                socket.toString(),
                "/v",
                "/v",
                new PluginInstance(
                        "p",
                        task.allocId(),
                        true,
                        "healthy",
                        "fake.csi.cleat.io",
                        "1",
                        false,
                        false,
                        Instant.EPOCH,
                        null,
                        null),
                null);
    }

    /** A plugin whose socket was gone was shown healthy for a minute after an agent's start. */
    @Test
    void aPluginOfAnEarlierAgent_isHealthyOnceItHasAnsweredThisOne() throws Exception {
        PluginTasks.PluginTask task = task(Duration.ofSeconds(30));
        PluginTasks.Prepared prepared = supervisor.beforeStart(task);
        try (var _ = FakeCsiPlugin.start(socketOf(prepared))) {
            supervisor.afterStart(task, new Listener());
            nextEvent();
            assertTrue(plugins.facts().getFirst().healthy());
            LivePlugins later = new LivePlugins(registry, time, bound -> 0);
            PluginInstance before = later.facts().getFirst();
            assertFalse(before.healthy());
            assertEquals("it has not answered since this agent started", before.healthDescription());
            assertEquals(1, later.facts().size());
            later.awaitAsked(Deadline.in(time, Duration.ofSeconds(1)));
            later.register(registry.all().getFirst());
            later.awaitAsked(Deadline.in(time, Duration.ofDays(1)));
            assertTrue(later.facts().getFirst().healthy());
            supervisor.afterEnd(task, RunEnds.Reason.ASKED);
        }
    }
}
