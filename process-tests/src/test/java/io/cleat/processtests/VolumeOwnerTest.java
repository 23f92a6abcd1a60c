package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.AllocationStub;
import io.cleat.api.CsiMountOptions;
import io.cleat.api.CsiVolume;
import io.cleat.api.Params;
import io.cleat.kernel.MountTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A volume file says who owns the volume, and a job says more, on real storage. */
@Timeout(240)
class VolumeOwnerTest {
    private static final String JOB = """
            job "owner" {
              group "g" {
                volume "data" {
                  type            = "csi"
                  source          = "owned"
                  access_mode     = "single-node-writer"
                  attachment_mode = "file-system"
                  mount_options {
                    mode = "0750"
                  }
                }
                task "t" {
                  driver = "raw_exec"
                  config {
                    command = "/bin/sleep"
                    args    = ["600"]
                  }
                }
              }
            }
            """;

    @Test
    void aVolumeIsGivenOnce_toWhomItsFileAndItsJobSay() throws Exception {
        try (AgentRun agent = AgentRun.prepare()) {
            agent.start();
            CsiVolume volume =
                    agent.create(Words.image("owned") + "mount_options {\n  owner = 4242\n  group = \"4243\"\n}\n");
            CsiMountOptions shown =
                    agent.client().volumes().get("owned", Params.none()).body().MountOptions();
            assertEquals(new CsiMountOptions("", null, "4243", "", "4242"), shown);
            agent.register(JOB);
            Path published = published(agent);
            assertEquals("4242 4243 rwxr-x---", whose(published));
            // As a database does, which wants its directory for itself.
            Files.setPosixFilePermissions(published, PosixFilePermissions.fromString("rwx------"));
            agent.stop("owner");
            agent.register(JOB);
            assertEquals("4242 4243 rwx------", whose(published(agent)));
            agent.stop("owner");
            agent.delete("owned");
            assertTrue(agent.calls(volume.ExternalID()).contains("DeleteVolume"));
        }
    }

    private static Path published(AgentRun agent) throws Exception {
        AllocationStub running = agent.running("owner");
        return Path.of(MountTable.readTwice()
                .atOrBelow(agent.data().resolve("client/csi/local/per-alloc/" + running.ID()))
                .getFirst()
                .target());
    }

    private static String whose(Path path) throws Exception {
        return Files.getAttribute(path, "unix:uid")
                + " "
                + Files.getAttribute(path, "unix:gid")
                + " "
                + PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
