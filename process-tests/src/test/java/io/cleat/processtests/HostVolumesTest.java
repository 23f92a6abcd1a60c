package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.AllocatedPort;
import io.cleat.api.Allocation;
import io.cleat.api.CsiCapability;
import io.cleat.api.HostVolume;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node makes a volume, a task writes in it, and it goes once nobody uses it. */
@Timeout(240)
class HostVolumesTest {
    private static final String JOB = """
            job "host" {
              group "g" {
                volume "data" {
                  type        = "host"
                  source      = "disk"
                  access_mode = "single-node-single-writer"
                }
                network {
                  port "http" {}
                }
                task "t" {
                  driver = "raw_exec"
                  config {
                    command = "/bin/sh"
                    args    = ["-c", "echo ${NOMAD_ADDR_http} > data/file; exec sleep 600"]
                  }
                  volume_mount {
                    volume      = "data"
                    destination = "/data"
                  }
                }
              }
            }
            """;

    private static HostVolume wanted(String mode) {
        return new HostVolume(
                null,
                null,
                0,
                null,
                0,
                0,
                "",
                "",
                0,
                0,
                "disk",
                "default",
                "",
                "",
                Map.of("mode", mode),
                "mkdir",
                List.of(new CsiCapability("single-node-single-writer", "file-system")),
                0,
                0,
                "");
    }

    /** Of the port that the job's only allocation was given. */
    private static String addressOf(AgentRun agent, String job) throws Exception {
        String id = agent.client()
                .jobs()
                .allocations(job, true, Params.none())
                .body()
                .getFirst()
                .ID();
        Allocation allocation =
                agent.client().allocations().get(id, Params.none()).body();
        AllocatedPort port = Objects.requireNonNull(Objects.requireNonNull(allocation.AllocatedResources())
                        .Shared()
                        .Ports())
                .getFirst();
        return port.HostIP() + ":" + port.Value();
    }

    @Test
    void aVolumeIsMadeUsedAndDeleted() throws Exception {
        try (AgentRun agent = AgentRun.prepareBare()) {
            agent.start();
            UnexpectedAnswer refused = assertThrows(
                    UnexpectedAnswer.class, () -> agent.client().hostVolumes().create(wanted("9999"), Params.none()));
            assertTrue(refused.body().contains("octal"), refused.body());
            assertEquals(
                    List.of(), agent.client().hostVolumes().list(Params.none()).body());
            HostVolume made = agent.client()
                    .hostVolumes()
                    .create(wanted("0700"), Params.none())
                    .Volume();
            Path path = Path.of(made.HostPath());
            assertEquals(agent.data().resolve("host_volumes").resolve(made.ID()), path);
            agent.register(JOB);
            agent.running("host");
            agent.awaits(() -> Files.exists(path.resolve("file")), "the task writes in it");
            HostVolume used =
                    agent.client().hostVolumes().get(made.ID(), Params.none()).body();
            assertEquals("ready", used.State());
            assertEquals(1, used.Allocations() == null ? 0 : used.Allocations().size());
            assertEquals(
                    addressOf(agent, "host"),
                    Files.readString(path.resolve("file")).strip());
            UnexpectedAnswer inUse = assertThrows(
                    UnexpectedAnswer.class, () -> agent.client().hostVolumes().delete(made.ID(), false, Params.none()));
            assertTrue(inUse.body().contains("in use by allocations"), inUse.body());
            agent.stop("host");
            // The node says that the task has ended, and only then is nobody in the way.
            agent.awaits(
                    () -> agent.client()
                                    .hostVolumes()
                                    .get(made.ID(), Params.none())
                                    .body()
                                    .Allocations()
                            == null,
                    "nobody uses the volume");
            agent.client().hostVolumes().delete(made.ID(), false, Params.none());
            assertFalse(Files.exists(path));
        }
    }
}
