package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.AllocationStub;
import io.cleat.api.Params;
import io.cleat.testkit.Eventually;
import io.cleat.testkit.FuseEffects;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What each {@code on_mount_loss} makes of a FUSE plugin that is killed under its workloads. */
@Timeout(400)
class FuseVolumesTest {
    private final AgentRun agent;
    private final Path pool;
    private final Path files;

    FuseVolumesTest() throws Exception {
        agent = AgentRun.prepareBare();
        pool = Files.createDirectory(agent.root().resolve("fuse"));
        files = Files.createDirectory(pool.resolve("held"));
        // Skips the test with its reason where there is no FUSE.
        FuseEffects.over(pool, agent.root());
    }

    @AfterEach
    void clear() {
        agent.close();
    }

    /** A plugin's start, a watch's round and a remount: longer than most waits of these tests. */
    private void awaits(Eventually.Fact fact, String what) throws Exception {
        try {
            Api.await(fact, what);
        } catch (AssertionError late) {
            throw new AssertionError(late.getMessage() + "\n" + agent.printed(), late);
        }
    }

    private AllocationStub begin(String policy) throws Exception {
        agent.start();
        agent.register(Words.fusePlugin(
                policy,
                TestJvm.plugin(List.of(
                        "-Xmx64m",
                        "-Dcleat.root="
                                + Path.of(System.getProperty("cleat.root", ".")).toAbsolutePath(),
                        "io.cleat.processtests.FusePlugin",
                        pool.toString(),
                        agent.root().toString(),
                        agent.data().toString(),
                        policy.equals("restart_tasks") ? "counting" : ""))));
        awaitPlugin();
        agent.registerVolume(Words.ofFuse("held"));
        agent.register(Words.beating("beat", "held"));
        AllocationStub alloc = agent.running("beat");
        awaitBeats();
        return alloc;
    }

    private void awaitPlugin() throws Exception {
        awaits(
                () -> agent.client().plugins().list(Params.none()).body().stream()
                        .anyMatch(one -> one.ID().equals("fuse") && one.NodesHealthy() == 1),
                "the plugin is healthy");
    }

    private long beats() throws IOException {
        Path beat = files.resolve("beat");
        return Files.exists(beat) ? Files.size(beat) : 0;
    }

    /** Waits until more is written through the mount. */
    private void awaitBeats() throws Exception {
        long before = beats();
        awaits(() -> beats() > before, "it writes");
    }

    /** Kills the plugin and what it held, and waits for its next start. */
    private void killPlugin() throws Exception {
        AllocationStub plugin = agent.running("fuse");
        List<Long> before = agent.leavings().processesNaming("NOMAD_ALLOC_ID=" + plugin.ID());
        assertTrue(before.size() >= 2, () -> "the plugin and its mount: " + before);
        for (long pid : before) {
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        }
        awaits(
                () -> agent.leavings().processesNaming("NOMAD_ALLOC_ID=" + plugin.ID()).stream()
                        .anyMatch(pid -> !before.contains(pid)),
                "the plugin is started again");
    }

    private long restarts(AllocationStub alloc) throws Exception {
        return agent.api().task(alloc.ID(), "t").orElseThrow().Restarts();
    }

    private String waiting(String volume) throws Exception {
        return agent.client().volumes().why(volume, Params.none()).body().toString();
    }

    @Test
    void alert_leavesItDead_andTheNextClaimIsMountedAnewOnceItsUsersAreGone() throws Exception {
        begin("alert");
        killPlugin();
        awaits(() -> waiting("held").contains("is dead"), "it is said");
        long dead = beats();
        agent.register(Words.beating("next", "held"));
        awaits(() -> waiting("held").contains("the staging of volume"), "the next one waits, and says so");
        assertEquals(dead, beats());
        agent.stop("beat");
        agent.running("next");
        awaitBeats();
        agent.stop("next");
    }

    /**
     * JuiceFS: its driver takes its own mount away with the last of a file system, and what a task still had mounted
     * kept the dead one for ever.
     */
    @Test
    void restartTasks_mountsAnewAndStartsTheTasksAgain() throws Exception {
        AllocationStub alloc = begin("restart_tasks");
        killPlugin();
        awaits(() -> restarts(alloc) == 1, "the task is started again");
        awaitBeats();
        assertEquals(alloc.ID(), agent.running("beat").ID());
        agent.stop("beat");
    }

    @Test
    void remount_mountsAnewUnderTheTasks_andSoDoesAnAgentThatFindsItDead() throws Exception {
        AllocationStub alloc = begin("remount");
        killPlugin();
        awaitBeats();
        AllocationStub plugin = agent.running("fuse");
        agent.kill();
        killPluginOfDeadAgent(plugin);
        agent.start();
        awaitBeats();
        assertEquals(alloc.ID(), agent.running("beat").ID());
        assertEquals(0, restarts(alloc));
        agent.stop("beat");
    }

    private void killPluginOfDeadAgent(AllocationStub plugin) throws Exception {
        String its = "NOMAD_ALLOC_ID=" + plugin.ID();
        for (long pid : agent.leavings().processesNaming(its)) {
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        }
        awaits(() -> agent.leavings().processesNaming(its).isEmpty(), "the plugin has ended");
    }
}
