package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.api.AllocationStub;
import io.cleat.api.Params;
import io.cleat.testkit.FuseEffects;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A volume that hangs, on a machine with one thread to carry all virtual ones. Five seconds later no call of the API
 * was answered, for as long as it hung.
 */
@Timeout(400)
class HungVolumesTest {
    private final AgentRun agent;
    private final Path pool;

    HungVolumesTest() throws Exception {
        agent = AgentRun.prepare();
        agent.onMachine("-Djdk.virtualThreadScheduler.parallelism=1");
        pool = Files.createDirectory(agent.root().resolve("fuse"));
        Files.createDirectory(pool.resolve("raw"));
        Files.createDirectory(pool.resolve("held"));
        // Skips the test with its reason where there is no FUSE.
        FuseEffects.over(pool, agent.root());
    }

    @AfterEach
    void clear() throws Exception {
        signal("CONT");
        agent.close();
    }

    @Test
    void aVolumeThatHangsStopsItsOwnTasksAloneUnderEachDriver() throws Exception {
        agent.start();
        agent.register(Words.fusePlugin(
                "alert",
                TestJvm.plugin(List.of(
                        "-Xmx64m",
                        "-Dcleat.root="
                                + Path.of(System.getProperty("cleat.root", ".")).toAbsolutePath(),
                        "io.cleat.processtests.FusePlugin",
                        pool.toString(),
                        agent.root().toString(),
                        agent.data().toString()))));
        agent.awaits(
                () -> agent.client().plugins().list(Params.none()).body().stream()
                        .anyMatch(one -> one.ID().equals("fuse") && one.NodesHealthy() == 1),
                "the plugin is healthy");
        agent.registerVolume(Words.ofFuse("raw"));
        agent.registerVolume(Words.ofFuse("held"));
        // What the plugin has read of a task's call when it hangs, no signal ends; so the tasks
        // make
        // none. The file system is for the user alone who has mounted it.
        agent.register(Words.having("raw", "raw"));
        agent.register(
                Words.having("held", "held").replace("driver = \"raw_exec\"", "driver = \"exec\"\nuser = \"root\""));
        List<AllocationStub> hung = List.of(agent.running("raw"), agent.running("held"));

        signal("STOP");
        for (AllocationStub alloc : hung) {
            agent.client().allocations().restart(alloc.ID(), "t");
        }
        // The watch asks one volume of a plugin that hangs, and not the others.
        agent.awaits(() -> (waiting("raw") + waiting("held")).contains("does not answer"), "it is said");
        agent.awaits(
                () -> events(hung.getLast()).contains("Driver Failure"),
                "the start of the task in a container is given up, and told");
        agent.create(Words.directory("other"));
        agent.register(Words.beating("fine", "other"));
        agent.running("fine");
        everybodyIsAnswered();

        signal("CONT");
        for (String job : List.of("raw", "held", "fine")) {
            agent.running(job);
            agent.stop(job);
        }
        agent.delete("other");
    }

    private void everybodyIsAnswered() throws Exception {
        assertEquals(1, agent.client().nodes().list(Params.none()).body().size());
        agent.client().jobs().list(Params.none());
        agent.client().allocations().list(Params.none());
        agent.client().plugins().list(Params.none());
        agent.client().volumes().list(Params.none());
    }

    private String waiting(String volume) throws Exception {
        return agent.client().volumes().why(volume, Params.none()).body().toString();
    }

    private String events(AllocationStub alloc) throws Exception {
        return agent.api().events(alloc.ID(), "t").toString();
    }

    /** To all that hold mounts for the plugin. */
    private void signal(String signal) throws Exception {
        for (ProcessHandle one : ProcessHandle.allProcesses().toList()) {
            if (one.info().command().filter(this::isDriver).isPresent()) {
                new ProcessBuilder("kill", "-" + signal, Long.toString(one.pid()))
                        .start()
                        .waitFor();
            }
        }
    }

    private boolean isDriver(String command) {
        return command.startsWith(agent.root().toString()) && command.endsWith("/fuse_driver");
    }
}
