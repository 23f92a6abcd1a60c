package io.cleat.processtests;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.AllocationStub;
import io.cleat.api.NodeDriver;
import io.cleat.api.Params;
import io.cleat.kernel.MountTable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks of {@code exec} that name no user, in the whole program: who else they are to the kernel. */
@Timeout(240)
class OwnUserWallTest {
    private static final int NOBODY = 65534;

    /** It keeps a secret, and writes its name into its volume, which is fresh at first. */
    private static String job(String id) {
        return """
        job "%s" {
          group "g" {
            volume "data" {
              type            = "csi"
              source          = "shared"
              access_mode     = "multi-node-multi-writer"
              attachment_mode = "file-system"
            }
            task "t" {
              driver = "exec"
              config {
                command = "/bin/sh"
                args    = ["-c", "umask 077 && echo hidden >/secrets/own && whoami >>/data/log && exec sleep 600"]
              }
              env {
                TOKEN = "hidden"
              }
              volume_mount {
                volume      = "data"
                destination = "/data"
              }
              kill_timeout = "1s"
              resources {
                cpu    = 100
                memory = 16
              }
            }
          }
        }
        """.formatted(id);
    }

    @Test
    void nobodyOfTheHostAndNoOtherJobReadsATask_andTheNextAllocationHasItsData() throws Exception {
        try (AgentRun agent = AgentRun.prepare()) {
            agent.start();
            requireRuntime(agent);
            agent.create(Words.directory("shared"));
            agent.register(job("one"));
            agent.register(job("two"));
            AllocationStub one = agent.running("one");
            AllocationStub two = agent.running("two");
            long pid = sleeper(agent, one, 0);
            long user = user(pid);
            long other = user(sleeper(agent, two, 0));
            assertTrue(user >= 70_000 && user <= 99_999, "user " + user);
            assertNotEquals(user, other);

            for (long stranger : List.of((long) NOBODY, other)) {
                assertNotEquals(0, code(stranger, "cat /proc/" + pid + "/environ"));
                assertNotEquals(0, code(stranger, "cat /proc/" + pid + "/root/secrets/own"));
                assertNotEquals(0, code(stranger, "kill -0 " + pid));
            }
            // The same as the task's user, so that it is the user who makes the difference.
            assertEquals(0, code(user, "tr '\\0' '\\n' </proc/" + pid + "/environ | grep TOKEN=hidden"));
            assertEquals(0, code(user, "grep hidden /proc/" + pid + "/root/secrets/own"));

            agent.kill();
            agent.start();
            agent.client().allocations().restart(one.ID(), "t");
            assertEquals(user, user(sleeper(agent, one, pid)), "over the agent's death");

            agent.stop("one");
            agent.register(job("again"));
            AllocationStub again = agent.running("again");
            assertNotEquals(user, user(sleeper(agent, again, 0)));
            Path log = Path.of(MountTable.readTwice()
                            .atOrBelow(agent.data()
                                    .resolve("client/csi/local/per-alloc")
                                    .resolve(again.ID()))
                            .getFirst()
                            .target())
                    .resolve("log");
            assertEquals("nobody\n".repeat(4), Files.readString(log));
            assertEquals(NOBODY, Files.getAttribute(log, "unix:uid"));
            agent.stop("two");
            agent.stop("again");
            agent.delete("shared");
        }
    }

    private static void requireRuntime(AgentRun agent) throws Exception {
        agent.awaits(() -> !exec(agent).HealthDescription().contains("not known"), "it is known");
        Assumptions.assumeTrue(exec(agent).Healthy(), "reason: no OCI runtime works here: " + exec(agent));
    }

    private static NodeDriver exec(AgentRun agent) throws Exception {
        return requireNonNull(agent.client()
                .nodes()
                .list(Params.none())
                .body()
                .getFirst()
                .Drivers()
                .get("exec"));
    }

    /**
     * The task's own process, once it has written its name.
     *
     * @param before another one, of its last start; 0 for none
     */
    private static long sleeper(AgentRun agent, AllocationStub alloc, long before) throws Exception {
        long[] found = new long[1];
        agent.awaits(
                () -> {
                    for (long pid : agent.leavings().processesNaming("NOMAD_ALLOC_ID=" + alloc.ID())) {
                        Path name = Path.of("/proc/" + pid + "/comm");
                        if (pid != before
                                && Files.exists(name)
                                && Files.readString(name).equals("sleep\n")) {
                            found[0] = pid;
                        }
                    }
                    return found[0] != 0;
                },
                "the task of " + alloc.ID() + " sleeps");
        return found[0];
    }

    private static long user(long pid) throws Exception {
        return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                .filter(line -> line.startsWith("Uid:"))
                .map(line -> Long.parseLong(line.split("\\s+", -1)[1]))
                .findFirst()
                .orElseThrow();
    }

    private static int code(long user, String script) throws Exception {
        Process process = new ProcessBuilder(
                        "setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups", "sh", "-c", script)
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        assertTrue(code == 0 || !said.contains("hidden"), said);
        return code;
    }
}
