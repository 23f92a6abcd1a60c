package io.cleat.processtests;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.cleat.api.AllocationStub;
import io.cleat.api.CsiVolume;
import io.cleat.api.Deployment;
import io.cleat.api.Job;
import io.cleat.api.Params;
import io.cleat.api.TaskState;
import io.cleat.api.UnexpectedAnswer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** The life of tasks and of the versions of a job, in the whole program. */
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TaskLifeTest {
    /** Adds its name to the file {@code order} of its volume, and fails if it is not its turn. */
    private static String task(String name, String more, String script) {
        return """
        task "%s" {
          driver = "raw_exec"
          config {
            command = "/bin/sh"
            args    = ["-c", "echo %s >>$CLEAT_VOLUME_data/order; %s"]
          }
          volume_mount {
            volume      = "data"
            destination = "data"
          }
          resources {
            cpu    = 100
            memory = 16
          }
          %s
        }
        """.formatted(name, name, script, more);
    }

    private static String lifecycle(String hook, boolean sidecar) {
        return "lifecycle {\nhook = \"%s\"\nsidecar = %s\n}".formatted(hook, sidecar);
    }

    private static final String LIFE = """
            job "life" {
              type = "batch"
              group "g" {
                volume "data" {
                  type            = "csi"
                  source          = "shared"
                  access_mode     = "multi-node-multi-writer"
                  attachment_mode = "file-system"
                }
                restart {
                  attempts = 0
                }
                reschedule {
                  attempts = 0
                }
            """
            + task("pre", lifecycle("prestart", false), "true")
            + task("side", lifecycle("prestart", true), "exec sleep 600")
            + task("lead", "leader = true", "until [ -e $CLEAT_VOLUME_data/end ]; do sleep 0.05; done")
            + task("main", "", "grep -qx pre $CLEAT_VOLUME_data/order || exit 1; exec sleep 600")
            + task("after", lifecycle("poststart", false), "true")
            + task("last", lifecycle("poststop", false), "grep -qx main $CLEAT_VOLUME_data/order")
            + "}\n}\n";

    /**
     * A group of two without volumes, of one version.
     *
     * @param update the rest of its update block
     */
    private static String web(String version, String script, String update) {
        return """
        job "web" {
          group "g" {
            count = 2
            update {
              min_healthy_time  = "200ms"
              healthy_deadline  = "4s"
              progress_deadline = "6s"
              %s
            }
            restart {
              attempts = 0
            }
            ephemeral_disk {
              size = 10
            }
            task "t" {
              driver = "raw_exec"
              config {
                command = "/bin/sh"
                args    = ["-c", "%s"]
              }
              env {
                VERSION = "%s"
              }
              kill_timeout = "1s"
              logs {
                max_files     = 1
                max_file_size = 1
              }
              resources {
                cpu    = 100
                memory = 16
              }
            }
          }
        }
        """.formatted(update, script, version);
    }

    /** It is healthy only if the task's user comes to all that is the task's. */
    private static final String WRITES_AS_ITS_USER =
            "set -e; for dir in $NOMAD_TASK_DIR $NOMAD_SECRETS_DIR $NOMAD_ALLOC_DIR/data; do"
                    + " echo mine >$dir/mine; done; exec sleep 600";

    /** One after the other has it, and takes away what it ran. */
    private final AgentRun agent;

    TaskLifeTest() throws Exception {
        agent = AgentRun.prepare();
    }

    @BeforeAll
    void start() throws Exception {
        // Users of tasks come through it.
        Files.setPosixFilePermissions(agent.root(), PosixFilePermissions.fromString("rwx--x--x"));
        agent.start();
    }

    @AfterAll
    void clear() {
        agent.close();
    }

    @Test
    void tasksOfAGroupComeAndGoInTheirOrder_thoughTheAgentIsKilledBetween() throws Exception {
        CsiVolume volume = agent.create(Words.directory("shared"));
        agent.register(LIFE);
        AllocationStub alloc = agent.running("life");
        agent.awaits(() -> phase(alloc, "after").equals("dead"), "the poststart has ended");
        agent.kill();
        agent.start();
        assertEquals("running", phase(alloc, "main"));
        agent.client().allocations().restartAll(alloc.ID());
        agent.awaits(() -> starts(alloc, "pre") == 2 && starts(alloc, "after") == 2, "all begin from the first");
        // Another job on the same volume tells the leader to end.
        agent.register(
                LIFE.replace("\"life\"", "\"end\"").replace("echo pre", "touch $CLEAT_VOLUME_data/end; echo pre"));
        agent.awaits(() -> status(alloc).equals("complete"), "the leader's end ends it");
        assertEquals("dead", phase(alloc, "last"));
        agent.awaits(
                () -> agent.calls(volume.ExternalID()).contains("NodeUnpublishVolume"), "it is unmounted after that");
        // It answered nothing and did nothing.
        UnexpectedAnswer over = assertThrows(
                UnexpectedAnswer.class, () -> agent.client().allocations().restart(alloc.ID(), ""));
        assertEquals("no task of the allocation is running.", over.body().strip());
        agent.stop("end");
        agent.stop("life");
        agent.delete("shared");
    }

    @Test
    void aCanaryIsPromoted_andABadVersionIsRevertedByItself() throws Exception {
        agent.register(web("0", "exec sleep 600", "auto_revert = true"));
        awaitDeployment(0, "successful");
        assertEquals(true, version(0).Stable());

        agent.register(web("1", WRITES_AS_ITS_USER, "auto_revert = true\ncanary = 1")
                .replace("kill_timeout", "user = \"nobody\"\nkill_timeout"));
        agent.awaits(() -> deployment().JobVersion() == 1 && healthy() == 1, "the canary is healthy");
        assertEquals(List.of(0L, 0L, 1L), versions());
        agent.client().deployments().promote(deployment().ID(), List.of(), Params.none());
        awaitDeployment(1, "successful");
        assertEquals(List.of(1L, 1L), versions());

        agent.register(web("2", "exit 1", "auto_revert = true"));
        awaitDeployment(3, "successful");
        assertEquals(List.of(3L, 3L), versions());
        Deployment failed = agent.client()
                .jobs()
                .deployments("web", true, Params.none())
                .body()
                .get(1);
        assertEquals("Failed due to progress deadline - rolling back to job version 1", failed.StatusDescription());
        agent.stop("web");
    }

    /** It answers though its tasks want all processors; they do not run before others because of it. */
    @Test
    void anAgentIsRaisedAboveOthers_andNothingThatItStartsIs() throws Exception {
        agent.register(
                web("0", "exec sleep 600", "").replace("count = 2", "count = 1").replace("\"web\"", "\"one\""));
        AllocationStub alloc = agent.running("one");
        agent.awaits(() -> phase(alloc, "t").equals("running"), "the task runs");
        assertEquals(-10, niceness(agent.handle()));
        List<ProcessHandle> started = agent.handle().descendants().toList();
        assertFalse(started.isEmpty());
        for (ProcessHandle each : started) {
            if (each.isAlive()) {
                assertEquals(0, niceness(each), () -> each.info().toString());
            }
        }
        agent.stop("one");
    }

    /** The 19th field of {@code /proc/PID/stat} (proc_pid_stat(5)). */
    private static int niceness(ProcessHandle process) throws Exception {
        String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
        String[] fromThird = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return Integer.parseInt(fromThird[16]);
    }

    private Deployment deployment() throws Exception {
        return agent.client().jobs().deployment("web", Params.none()).orElseThrow();
    }

    private int healthy() throws Exception {
        return requireNonNull(deployment().TaskGroups().get("g")).HealthyAllocs();
    }

    private void awaitDeployment(long version, String status) throws Exception {
        agent.awaits(
                () -> {
                    Optional<Deployment> newest = agent.client().jobs().deployment("web", Params.none());
                    return newest.isPresent()
                            && newest.get().JobVersion() == version
                            && newest.get().Status().equals(status);
                },
                "the deployment of version " + version + " is " + status);
    }

    private Job version(long version) throws Exception {
        return agent.client().jobs().versions("web", false, Params.none()).body().Versions().stream()
                .filter(job -> requireNonNull(job.Version()) == version)
                .findFirst()
                .orElseThrow();
    }

    /** The version of each allocation that is wanted. */
    private List<Long> versions() throws Exception {
        return agent.client().jobs().allocations("web", true, Params.none()).body().stream()
                .filter(one -> one.DesiredStatus().equals("run"))
                .filter(one -> !one.ClientStatus().equals("failed"))
                .map(AllocationStub::JobVersion)
                .sorted()
                .toList();
    }

    private String status(AllocationStub alloc) throws Exception {
        return agent.client()
                .allocations()
                .get(alloc.ID(), Params.none())
                .body()
                .ClientStatus();
    }

    private String phase(AllocationStub alloc, String task) throws Exception {
        return agent.api().task(alloc.ID(), task).map(TaskState::State).orElse("");
    }

    private long starts(AllocationStub alloc, String task) throws Exception {
        return agent.api().events(alloc.ID(), task).stream()
                .filter(event -> event.Type().equals("Started"))
                .count();
    }
}
