package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.api.AllocationStub;
import io.cleat.api.Params;
import io.cleat.csi.v1.NodeStageVolumeRequest;
import io.cleat.testkit.FuseEffects;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tasks that have made links to what hangs where their program is looked for, on a machine with one thread to carry all
 * virtual ones. The agent looked by itself, and answered nobody any more.
 */
@Timeout(300)
class HungProgramsTest {
    private final AgentRun agent;
    private final FuseEffects fuse;

    HungProgramsTest() throws Exception {
        agent = AgentRun.prepareBare();
        agent.onMachine("-Djdk.virtualThreadScheduler.parallelism=1");
        // Skips the test with its reason where there is no FUSE.
        fuse = FuseEffects.over(Files.createDirectory(agent.root().resolve("fuse")), agent.root());
    }

    @AfterEach
    void clear() throws Exception {
        fuse.end();
        agent.close();
    }

    private static String job(String name, String driver) {
        return """
        job "%s" {
          group "g" {
            restart {
              attempts = 100
              interval = "1h"
              delay    = "1s"
              mode     = "delay"
            }
            task "t" {
              driver = "%s"
              config {
                command = "sleep"
                args    = ["600"]
              }
              resources {
                cpu    = 100
                memory = 16
              }
            }
          }
        }
        """.formatted(name, driver);
    }

    @Test
    void aProgramThatHangsStopsItsOwnTaskAloneUnderEachDriver() throws Exception {
        Path hung = Files.createDirectory(agent.root().toRealPath().resolve("hung"));
        fuse.stage(NodeStageVolumeRequest.newBuilder()
                .setVolumeId("v")
                .setStagingTargetPath(hung.toString())
                .build());
        try {
            agent.start();
            agent.register(job("raw", "raw_exec"));
            agent.register(job("held", "exec"));
            List<AllocationStub> tasks = List.of(agent.running("raw"), agent.running("held"));
            fuse.freeze();
            for (AllocationStub task : tasks) {
                // As the task itself may do it.
                Path local = agent.data().resolve("alloc/" + task.ID() + "/t/local");
                Files.createSymbolicLink(local.resolve("sleep"), hung.resolve("sleep"));
                agent.client().allocations().restart(task.ID(), "t");
            }
            for (AllocationStub task : tasks) {
                agent.awaits(
                        () -> events(task).contains("where its program is cannot be seen"),
                        "the start is given up, and told");
            }
            agent.register(job("fine", "raw_exec"));
            agent.running("fine");
            assertEquals(1, agent.client().nodes().list(Params.none()).body().size());
            agent.client().jobs().list(Params.none());
            fuse.thaw();
            for (String job : List.of("raw", "held", "fine")) {
                agent.running(job);
                agent.stop(job);
            }
        } finally {
            fuse.end();
            new ProcessBuilder("umount", "-l", hung.toString()).start().waitFor();
        }
    }

    private String events(AllocationStub alloc) throws Exception {
        return agent.api().events(alloc.ID(), "t").toString();
    }
}
