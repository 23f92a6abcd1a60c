package io.cleat.launch;

import io.cleat.agent.alloc.KeptFiles;
import io.cleat.agent.artifact.ConfinedArtifacts;
import io.cleat.agent.volumes.VolumeParts;
import io.cleat.api.AllocationStub;
import io.cleat.api.CleatClient;
import io.cleat.api.CsiVolumeRequest;
import io.cleat.api.JobRegisterRequest;
import io.cleat.api.Params;
import io.cleat.api.ServerAddress;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.Deadline;
import io.cleat.base.InWork;
import io.cleat.base.InvariantBroken;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Refused;
import io.cleat.base.Secrets;
import io.cleat.base.Trouble;
import io.cleat.cli.Failure;
import io.cleat.http.Listener;
import io.cleat.jobspec.JobFile;
import io.cleat.jobspec.Parsed;
import io.cleat.jobspec.VolumeFile;
import io.cleat.jobspec.hcl.RuntimeValues;
import io.cleat.jobspec.hcl.Source;
import io.cleat.jobspec.hcl.Variables;
import io.cleat.kernel.TemporaryTree;
import io.cleat.server.duty.Garbage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A short life of an agent: it starts with all its parts, runs a plugin, mounts a volume into a workload, and ends
 * everything. Where it may not mount, only the server is rehearsed.
 */
final class AgentRehearsal {
    /** Whoever builds may have a machine that does much else. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final Duration LOOK_EVERY = Duration.ofMillis(20);
    private static final String PLUGIN_JOB = "rehearsed-plugin";
    private static final String JOB = "rehearsed";

    private static final String PLUGIN = """
            variable "java" {
              type = string
            }
            variable "classes" {
              type = string
            }
            variable "pool" {
              type = string
            }
            job "rehearsed-plugin" {
              type = "system"
              group "g" {
                task "t" {
                  driver = "raw_exec"
                  config {
                    command = var.java
                    args    = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx64m",
                               "-cp", var.classes, "io.cleat.localplugin.Main",
                               "--pool", var.pool, "--node-id", "${node.unique.id}"]
                  }
                  csi_plugin {
                    id   = "rehearsed"
                    type = "monolith"
                  }
                }
              }
            }
            """;

    private static final String VOLUME = """
            id        = "rehearsed"
            name      = "rehearsed"
            type      = "csi"
            plugin_id = "rehearsed"
            capability {
              access_mode     = "single-node-writer"
              attachment_mode = "file-system"
            }
            parameters {
              type = "directory"
            }
            """;

    private static final String WORKLOAD = """
            job "rehearsed" {
              group "g" {
                volume "v" {
                  type            = "csi"
                  source          = "rehearsed"
                  access_mode     = "single-node-writer"
                  attachment_mode = "file-system"
                }
                task "t" {
                  driver = "raw_exec"
                  config {
                    command = "/bin/sleep"
                    args    = ["1000"]
                  }
                  volume_mount {
                    volume      = "v"
                    destination = "v"
                  }
                }
              }
            }
            """;

    private final Ports ports = Ports.system();
    private final Path directory;
    private final CleatClient client;
    private final Arrangement arrangement;

    private AgentRehearsal(Path directory) throws Failure {
        this.directory = directory;
        boolean mayMount = "root".equals(System.getProperty("user.name")) && Files.isExecutable(Agent.shim());
        Listener.Tcp tcp = new Listening("127.0.0.1", Optional.of(0), false).tcp();
        arrangement = new Arrangement(
                new Arrangement.Parts.WithServer(mayMount, true),
                true,
                Arrangement.Names.usual("rehearsal"),
                Optional.of(tcp),
                false,
                Set.of(),
                ConfinedArtifacts.Settings.standard(),
                VolumeParts.Limits.MOUNTING,
                KeptFiles.USUAL,
                Garbage.USUAL,
                Optional.empty());
        client = new CleatClient(new ServerAddress.Tcp("127.0.0.1", tcp.port()), CleatClient.Options.NONE);
    }

    /**
     * Lives it.
     *
     * @return 0 if all went as on a real agent
     */
    static int play() {
        Logging.begin();
        try {
            // Short, since the paths of sockets in it must not be longer than the kernel takes.
            Path directory = Files.createTempDirectory("cleat-");
            AgentRehearsal rehearsal = new AgentRehearsal(directory);
            try {
                rehearsal.live();
            } finally {
                new TemporaryTree(directory).remove(Agent.shim(), rehearsal.ports.threads(), rehearsal.ports.time());
            }
            return 0;
        } catch (IOException | Failure | Refused | Trouble | UnexpectedAnswer | InterruptedException failed) {
            System.err.println("the rehearsal of the agent failed: " + failed);
            return 1;
        }
    }

    private void live() throws Refused, Trouble, UnexpectedAnswer, InterruptedException {
        try (DataDirectory data = DataDirectory.take(directory.resolve("data"))) {
            Agent agent = Agent.start(data, arrangement, InWork.UNNOTED, ports);
            try {
                ask();
                if (arrangement.hasNode()) {
                    useAVolume();
                }
            } finally {
                agent.end(true);
            }
        }
    }

    private void ask() throws UnexpectedAnswer, LinkTrouble, InterruptedException {
        var _ = client.agent().leader();
        var _ = client.agent().self();
        // The node has no link to the server yet.
        var _ = await("health", () -> accepted(client.agent()::health));
        var _ = client.nodes().list(Params.none());
        var _ = client.jobs().list(Params.none());
        var _ = client.plugins().list(Params.none());
        var _ = client.volumes().list(Params.none());
    }

    private void useAVolume() throws Refused, Trouble, UnexpectedAnswer, InterruptedException {
        register(
                PLUGIN,
                Variables.none()
                        .withFlag(
                                "java",
                                Path.of(System.getProperty("java.home"), "bin/java")
                                        .toString())
                        .withFlag("classes", System.getProperty("java.class.path"))
                        .withFlag("pool", directory.resolve("pool").toString()));
        var _ = await("the plugin", this::healthyPlugin);
        client.volumes()
                .create(
                        new CsiVolumeRequest(
                                "default",
                                false,
                                "",
                                List.of(good(
                                        VolumeFile.parse(Source.of("volume", VOLUME), Variables.none(), runtime())))),
                        Params.none());
        register(WORKLOAD, Variables.none());
        var _ = await("the workload", () -> running(JOB));
        var _ = client.allocations().list(Params.none());
        var _ = client.volumes().get("rehearsed", Params.none());
        end(JOB);
        // It may be claimed still.
        var _ = await("the volume's end", () -> accepted(this::deleteVolume));
        end(PLUGIN_JOB);
    }

    private void deleteVolume() throws UnexpectedAnswer, LinkTrouble {
        client.volumes().delete("rehearsed", Secrets.none(), Params.none());
    }

    private void end(String job) throws UnexpectedAnswer, LinkTrouble, InterruptedException {
        var _ = client.jobs().get(job, Params.none());
        var _ = client.jobs().evaluations(job, Params.none());
        client.jobs().deregister(job, false, false, Params.none());
        var _ = await("the end of " + job, () -> ended(job));
    }

    /** Asked of the agent. */
    @FunctionalInterface
    private interface Call {
        void make() throws UnexpectedAnswer, LinkTrouble;
    }

    /** Empty as long as it is refused. */
    private static Optional<Boolean> accepted(Call call) throws LinkTrouble {
        try {
            call.make();
            return Optional.of(true);
        } catch (UnexpectedAnswer refused) {
            return Optional.empty();
        }
    }

    private Optional<AllocationStub> running(String job) throws UnexpectedAnswer, LinkTrouble {
        return withStatus(job, Set.of("running"));
    }

    private Optional<AllocationStub> ended(String job) throws UnexpectedAnswer, LinkTrouble {
        return withStatus(job, Set.of("complete", "failed"));
    }

    private Optional<AllocationStub> withStatus(String job, Set<String> statuses) throws UnexpectedAnswer, LinkTrouble {
        return client.jobs().allocations(job, true, Params.none()).body().stream()
                .filter(allocation -> statuses.contains(allocation.ClientStatus()))
                .findFirst();
    }

    private Optional<String> healthyPlugin() throws UnexpectedAnswer, LinkTrouble {
        return client.plugins().list(Params.none()).body().stream()
                .filter(plugin -> plugin.NodesHealthy() > 0 && plugin.ControllersHealthy() > 0)
                .map(plugin -> plugin.ID())
                .findFirst();
    }

    private void register(String job, Variables variables) throws UnexpectedAnswer, LinkTrouble {
        client.jobs()
                .register(
                        new JobRegisterRequest(
                                false,
                                0,
                                good(JobFile.parse(Source.of("job", job), variables, runtime())),
                                0,
                                "default",
                                false,
                                false,
                                false,
                                "",
                                null),
                        Params.none());
    }

    private RuntimeValues runtime() {
        return new RuntimeValues(ports.time(), ports.ids());
    }

    private static <T> T good(Parsed<T> parsed) {
        return switch (parsed) {
            case Parsed.Good<T>(T value) -> value;
            case Parsed.Bad<T> bad -> throw new InvariantBroken("what is rehearsed is well written", bad.lines());
        };
    }

    /** One look. */
    @FunctionalInterface
    private interface Look<T> {
        Optional<T> look() throws UnexpectedAnswer, LinkTrouble;
    }

    private <T> T await(String what, Look<T> look) throws UnexpectedAnswer, LinkTrouble, InterruptedException {
        Deadline deadline = Deadline.in(ports.time(), PATIENCE);
        while (!deadline.isExpired()) {
            Optional<T> seen = look.look();
            if (seen.isPresent()) {
                return seen.get();
            }
            ports.time().sleep(LOOK_EVERY);
        }
        throw new UnexpectedAnswer(0, what + " was not there within " + PATIENCE);
    }
}
