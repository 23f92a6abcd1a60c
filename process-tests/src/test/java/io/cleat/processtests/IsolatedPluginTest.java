package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.plugins.PluginPaths;
import io.cleat.api.AllocationStub;
import io.cleat.api.CsiVolume;
import io.cleat.api.ExecOutput;
import io.cleat.api.ExecStream;
import io.cleat.kernel.Mount;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.ProcessIdentity;
import io.cleat.kernel.Processes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The bundled plugin in a container: its mounts are everybody's, and outlive it. */
@Timeout(240)
class IsolatedPluginTest {
    private static final String PLUGIN = "local-plugin";

    /** Two tasks that write into one volume, and fail when they cannot. */
    private static final String WRITERS = """
            job "writers" {
              group "g" {
                volume "data" {
                  type            = "csi"
                  source          = "image"
                  access_mode     = "single-node-writer"
                  attachment_mode = "file-system"
                }
                restart {
                  attempts = 0
                }
                reschedule {
                  attempts = 0
                }
            """ + writer("exec") + writer("raw_exec") + mounter() + "}\n}\n";

    private final Processes processes = Processes.linux();

    private static String writer(String driver) {
        return """
        task "%1$s" {
          driver = "%1$s"
          user   = "root"
          config {
            command = "/bin/sh"
            args    = ["-c", "while echo x >>$CLEAT_VOLUME_data/%1$s; do sleep 0.05; done"]
          }
          volume_mount {
            volume      = "data"
            destination = "/data"
          }
          resources {
            cpu    = 100
            memory = 16
          }
        }
        """.formatted(driver);
    }

    /** Mounts in its volume, and leaves that behind. */
    private static String mounter() {
        return writer("exec")
                .replace("task \"exec\"", "task \"mounter\"")
                .replaceFirst(
                        "\\[\"-c\", .*]",
                        Matcher.quoteReplacement("[\"-c\", \"mkdir -p /data/in && mount -t tmpfs"
                                + " $(cat /proc/sys/kernel/random/uuid) /data/in && exec sleep"
                                + " 600\"]\ncap_add = [\"sys_admin\"]"))
                .replace("destination = \"/data\"", "destination = \"/data\"\npropagation_mode = \"bidirectional\"");
    }

    @Test
    void whatItMountsReachesEverybody_andStaysWhenItIsKilledAndWhenTheAgentIs() throws Exception {
        try (AgentRun agent = AgentRun.prepareBuilt()) {
            agent.start();
            String said = agent.printed();
            Assumptions.assumeTrue(said.contains("in a container made by"), "reason: " + said);
            AllocationStub plugin = agent.running(PLUGIN);
            CsiVolume volume = agent.create(Words.image("image"));
            agent.register(WRITERS);
            AllocationStub writers = agent.running("writers");
            Mount published = published(agent, writers.ID());
            assertEquals("ext4", published.fsType());
            writesGoOn(agent, published);
            agent.awaits(() -> mountsIn(published) == 1, "the task's own mount has spread");
            List<Long> tasks = tasks(agent, writers.ID());
            List<Mount> mounts = MountTable.readTwice().atOrBelow(agent.root());
            ProcessIdentity first = hasItsMountsOnce(agent, plugin.ID());

            isOutOfReach(agent, plugin.ID(), writers.ID());

            processes.signal(first, Processes.SIGKILL);
            agent.awaits(
                    () -> {
                        long now = agent.process(plugin.ID());
                        return now != 0 && now != first.pid() && hasServed(agent, plugin, 2);
                    },
                    "another one serves");
            ProcessIdentity second = hasItsMountsOnce(agent, plugin.ID());
            assertNotEquals(first, second);
            assertEquals(mounts, MountTable.readTwice().atOrBelow(agent.root()));
            writesGoOn(agent, published);

            agent.kill();
            agent.start();
            assertEquals(plugin.ID(), agent.running(PLUGIN).ID());
            assertEquals(second, hasItsMountsOnce(agent, plugin.ID()));
            assertEquals(mounts, MountTable.readTwice().atOrBelow(agent.root()));
            assertEquals(tasks, tasks(agent, writers.ID()));
            writesGoOn(agent, published);

            leavesNoMountWhenItEnds(agent, writers.ID(), published);
            agent.stop("writers");
            agent.delete("image");
            assertEquals(
                    List.of(
                            "CreateVolume",
                            "ControllerPublishVolume",
                            "NodeStageVolume",
                            "NodePublishVolume",
                            "NodeUnpublishVolume",
                            "NodeUnstageVolume",
                            "ControllerUnpublishVolume",
                            "DeleteVolume"),
                    agent.calls(volume.ExternalID()));
            assertEquals(List.of(), agent.leavings().loopFiles());
        }
    }

    /** A task of a running allocation mounts at each start, and is started again. */
    private static void leavesNoMountWhenItEnds(AgentRun agent, String allocId, Mount published) throws Exception {
        Path inner = Path.of(published.target()).resolve("in");
        // The kernel gives the number of a mount that is gone to the next one; the name of a source
        // is the task's.
        String first = MountTable.readTwice().at(inner).orElseThrow().source();
        agent.client().allocations().restart(allocId, "mounter");
        agent.awaits(
                () -> MountTable.readTwice()
                        .at(inner)
                        .filter(m -> !m.source().equals(first))
                        .isPresent(),
                "it has mounted anew");
        assertEquals(1, mountsIn(published));
        assertEquals(3, agent.leavings().taskGroups(allocId).size(), "one for each task");
    }

    private static int mountsIn(Mount published) throws Exception {
        return MountTable.readTwice().atOrBelow(Path.of(published.target())).size() - 1;
    }

    /** A workload, though root in its container, reaches nothing of the agent's or its neighbours'. */
    private static void isOutOfReach(AgentRun agent, String plugin, String own) throws Exception {
        Path data = agent.data();
        List<Path> others = List.of(
                data.resolve("http.sock"),
                data.resolve("client/node"),
                new PluginPaths(data.resolve("client/csi"))
                        .control(plugin, "plugin")
                        .resolve("csi.sock"),
                data.resolve("client/csi/local/per-alloc"),
                data.resolve("alloc/" + plugin + "/plugin/local"),
                data.resolve("alloc/" + own + "/raw_exec/local"),
                data.resolve("pool"));
        StringBuilder script = new StringBuilder();
        for (Path other : others) {
            assertTrue(Files.exists(other), other.toString());
            for (String way : List.of("", "/local/../..", "/proc/1/root", "/proc/2/cwd/../..")) {
                script.append("test ! -e ").append(way).append(other).append(" || exit 9; ");
            }
        }
        for (Path secret : others.subList(0, 3)) {
            String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(secret));
            assertEquals("rw-------", mode, secret.toString());
        }
        for (String directory : List.of("client", "client/exec/shims", "pool", "server")) {
            Path path = data.resolve(directory);
            assertEquals(
                    "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)), path.toString());
        }
        int code = -1;
        try (ExecStream tried =
                agent.client().allocations().exec(own, "exec", false, List.of("sh", "-c", script + "exit 3"))) {
            for (Optional<ExecOutput> next = tried.next(); next.isPresent(); next = tried.next()) {
                ExecOutput output = next.get();
                if (output.result() != null) {
                    code = output.result().exit_code();
                }
            }
        }
        assertEquals(3, code, "9: something was there");
    }

    /** Whether so many processes of the plugin have become healthy, one after the other. */
    private static boolean hasServed(AgentRun agent, AllocationStub plugin, int processes) throws Exception {
        return agent.api().events(plugin.ID(), "plugin").stream()
                        .filter(event -> event.Type().equals("Plugin became healthy"))
                        .count()
                == processes;
    }

    /** What the plugin mounted for an allocation, as the machine sees it. */
    private static Mount published(AgentRun agent, String allocId) throws Exception {
        return MountTable.readTwice()
                .atOrBelow(agent.data().resolve("client/csi/local/per-alloc/" + allocId))
                .getFirst();
    }

    /** Both tasks write on, into the very file system that the machine has mounted. */
    private static void writesGoOn(AgentRun agent, Mount published) throws Exception {
        for (String task : List.of("exec", "raw_exec")) {
            Path file = Path.of(published.target()).resolve(task);
            long size = Files.exists(file) ? Files.size(file) : 0;
            agent.awaits(() -> Files.exists(file) && Files.size(file) > size, task + " writes on");
        }
    }

    /** The first process of each task of an allocation. */
    private static List<Long> tasks(AgentRun agent, String allocId) throws Exception {
        List<Long> all = agent.leavings().processesNaming("NOMAD_ALLOC_ID=" + allocId);
        return all.stream()
                .filter(pid -> ProcessHandle.of(pid)
                        .flatMap(ProcessHandle::parent)
                        .filter(parent -> !all.contains(parent.pid()))
                        .isPresent())
                .sorted()
                .toList();
    }

    /** The plugin's first process, which has each of the supervisor's mounts exactly once. */
    private ProcessIdentity hasItsMountsOnce(AgentRun agent, String allocId) throws Exception {
        agent.awaits(() -> agent.process(allocId) != 0, "the plugin's first process is there");
        long pid = agent.process(allocId);
        List<String> targets = MountTable.of(pid).mounts().stream()
                .map(Mount::target)
                .filter(List.of("/csi", "/dev", "/local/csi")::contains)
                .sorted()
                .toList();
        assertEquals(List.of("/csi", "/dev", "/local/csi"), targets);
        return processes.identify(pid).orElseThrow();
    }
}
