package io.cleat.launch;

import io.cleat.agent.volumes.VolumeParts;
import io.cleat.api.CleatClient;
import io.cleat.api.ServerAddress;
import io.cleat.base.DiskTrouble;
import io.cleat.base.LogTrouble;
import io.cleat.base.Refused;
import io.cleat.base.Threads;
import io.cleat.base.Trouble;
import io.cleat.cli.Failure;
import io.cleat.cli.Flag;
import io.cleat.cli.Flags;
import io.cleat.cli.Program;
import io.cleat.driver.exec.ExecSettings;
import io.cleat.http.Listener;
import io.cleat.model.KillTimeout;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/**
 * A server, a node, or both, on a data directory that stays. What runs on the node goes on when the agent ends, and the
 * next one takes it over.
 */
record AgentRole(List<String> args) implements Role {
    static final String WORD = "agent";
    private static final String DRAIN = "drain-on-shutdown";
    private static final String MOUNTING = "mount-timeout";
    private static final String KILLING = "max-kill-timeout";
    private static final String GOES_ON = "What runs here goes on.";
    private static final Duration SETTLED = Duration.ofMinutes(1);
    private static final Duration USUAL_DRAIN = Duration.ofHours(1);
    private static final List<Flag> OWN = List.of(
            Flag.value("data-dir", "directory", "Where all data is kept. Needed."),
            Flag.yes("server", "Run a server; without -client, no node."),
            HeapFlag.FLAG,
            Flag.yes("client", "Run a node; without -server, no server."),
            Flag.value(
                    "servers",
                    "directory",
                    "With -client alone: the data directory of the server's agent, on this machine."),
            Flag.value("node", "name", "The name of this agent; the host's unless given."),
            Flag.value("dc", "datacenter", "The datacenter; dc1 unless given."),
            Flag.value("node-class", "class", "What jobs may ask for as ${node.class}."),
            Flag.value("node-pool", "pool", "The node's pool; default unless given."),
            Flag.repeated("meta", "key=value", "What jobs may ask for as ${meta.key}."),
            Flag.repeated(
                    "disable-logs",
                    "driver",
                    "Keep no output of the tasks of this driver, as if each had logs { disabled = true }."),
            Flag.optional(
                    DRAIN,
                    "deadline",
                    "When the agent ends, empty the node first, as cleat node drain"
                            + " does, within 1h unless given: what has not moved"
                            + " elsewhere is stopped after three quarters of it. At"
                            + " the next start the node takes work again. A second"
                            + " SIGTERM ends the agent at once."),
            Flag.repeated("exec-allow-cap", "name", "A capability that exec tasks may have too, such as sys_admin."),
            Flag.repeated("exec-allow-path", "directory", "A directory of this machine that exec tasks may see."),
            Flag.yes("exec-allow-host-namespaces", "Let exec tasks see all processes: pid_mode and ipc_mode host."),
            UsersFlag.FLAG,
            Flag.value(
                    MOUNTING,
                    "time",
                    "How long a volume is tried to be mounted whose plugin does not"
                            + " say whether it is, before its allocation fails; 5m"
                            + " unless given."),
            Flag.value(
                    KILLING,
                    "time",
                    "The longest kill_timeout of a task: a job that wants more is not placed here; 10m unless given."),
            Flag.value("http-port", "number", "Port of the HTTP API; needs -insecure-listen."),
            Flag.value("bind", "address", "Address of the HTTP API; needs -insecure-listen."),
            Listening.INSECURE);
    private static final List<Flag> FLAGS = Stream.of(
                    OWN,
                    HostVolumeFlags.OWN,
                    NetworkFlags.OWN,
                    ImageFlags.OWN,
                    DockerFlags.OWN,
                    DriverPluginFlags.OWN,
                    GarbageFlags.OWN,
                    KeptFlags.OWN,
                    ArtifactFlags.OWN)
            .flatMap(List::stream)
            .toList();

    static final Program PROGRAM = new Program(
            WORD,
            "Start a server, a node, or both, on a data directory that stays",
            """
                    Starts a server, a node, or both in one process, which they are unless -server \
                    or -client says otherwise. What runs on a node goes on when its agent ends, and \
                    the next agent on the same data directory takes it over.

                    The HTTP API is a socket that only its owner can open: http.sock in the data \
                    directory. Nodes of other processes reach their server over another such \
                    socket; they may be asked anything that the server may be asked.

                    Exit code: 143 after SIGTERM; 1 if it could not start, or if the node was to be \
                    emptied at the end and is not; 70 after a fault in what it rests on, 71 if it \
                    was stuck, 3 without memory: then start it again.""",
            FLAGS,
            List.of(
                    "cleat agent -data-dir=/var/lib/cleat",
                    "cleat agent -server -data-dir=/var/lib/cleat",
                    "cleat agent -client -data-dir=/var/lib/cleat-node -servers=/var/lib/cleat",
                    "cleat agent -data-dir=/var/lib/cleat -drain-on-shutdown=2m",
                    "cleat agent -data-dir=/var/lib/cleat -host-volume=data:/srv/data",
                    "CLEAT_ADDR=unix:///var/lib/cleat/http.sock cleat node status"));

    @Override
    public int play() {
        Foreground foreground = new Foreground(PROGRAM);
        return foreground.run(args, (flags, ports, end) -> {
            Path directory = dataDirectory(flags);
            Arrangement arrangement = arrangement(flags);
            Optional<Duration> drain = drain(flags);
            if (arrangement.hasNode()) {
                foreground.requireRoot();
            }
            try (DataDirectory data = DataDirectory.take(directory)) {
                Starts starts = new Starts(data.root());
                starts.begin(System.err);
                Agent agent = start(starts, data, arrangement, ports);
                int code;
                try {
                    settleLater(starts, ports);
                    code = live(agent, arrangement, data, drain, ports, end);
                } finally {
                    agent.end(false);
                }
                starts.endedInOrder(System.err);
                return code;
            }
        });
    }

    private static Agent start(Starts starts, DataDirectory data, Arrangement arrangement, Ports ports)
            throws Refused, Trouble, InterruptedException {
        try {
            return Agent.start(data, arrangement, starts.work(), ports);
        } catch (DiskTrouble | LogTrouble unreadable) {
            starts.note("the start: " + unreadable.reason(), System.err);
            throw unreadable;
        }
    }

    /** A start that has lasted a while is not one that always ends at the same place. */
    private static void settleLater(Starts starts, Ports ports) {
        ports.threads()
                .contained(
                        "agent/settled",
                        () -> {
                            ports.time().sleep(SETTLED);
                            try {
                                starts.settled();
                            } catch (DiskTrouble stays) {
                                System.err.println("cleat: " + stays.reason());
                            }
                        },
                        Threads.OnFault.NOTHING_MORE);
    }

    /** Returns 1 if the node was to be drained at the end and is not empty. */
    private static int live(
            Agent agent,
            Arrangement arrangement,
            DataDirectory data,
            Optional<Duration> drain,
            Ports ports,
            CountDownLatch end)
            throws InterruptedException {
        Optional<String> node = agent.nodeId();
        if (node.isEmpty()) {
            announce(arrangement, data);
            end.await();
            System.out.println(GOES_ON);
            return 0;
        }
        CleatClient self =
                new CleatClient(new ServerAddress.Unix(data.file(Arrangement.HTTP)), CleatClient.Options.NONE);
        Path mark = data.file("client/drained");
        ReturnToWork back = new ReturnToWork(self, node.get(), mark, ports);
        back.start();
        try {
            announce(arrangement, data);
            end.await();
        } finally {
            back.end();
        }
        if (drain.isEmpty()) {
            System.out.println(GOES_ON);
            return 0;
        }
        boolean isEmpty = new ShutdownDrain(self, node.get(), mark, ports, System.out).run(drain.get());
        return isEmpty ? 0 : 1;
    }

    /** How long the node may take to be emptied when the agent ends; empty if it is not. */
    static Optional<Duration> drain(Flags flags) throws Failure {
        Optional<String> given = flags.value(DRAIN);
        if (given.isEmpty()) {
            return Optional.empty();
        }
        if (flags.has("server") && !flags.has("client")) {
            throw new Failure("-" + DRAIN + " is for an agent with a node", "add -client, or leave it out");
        }
        if (given.get().isEmpty()) {
            return Optional.of(USUAL_DRAIN);
        }
        return flags.duration(DRAIN);
    }

    private static Path dataDirectory(Flags flags) throws Failure {
        return Path.of(flags.value("data-dir")
                        .orElseThrow(() -> new Failure(
                                "cleat agent needs to know where to keep its data",
                                "such as -data-dir=/var/lib/cleat")))
                .toAbsolutePath();
    }

    /** What the flags say, but for the data directory. */
    static Arrangement arrangement(Flags flags) throws Failure, DiskTrouble {
        Optional<Listener.Tcp> tcp = tcp(flags);
        return new Arrangement(
                parts(flags),
                false,
                new Arrangement.Names(
                        flags.value("node").isPresent() ? flags.value("node").get() : Foreground.hostName(),
                        flags.value("dc").orElse("dc1"),
                        flags.value("node-pool").orElse("default"),
                        flags.value("node-class").orElse(""),
                        flags.pairs("meta"),
                        flags.duration(KILLING).orElse(KillTimeout.USUAL),
                        exec(flags),
                        ImageFlags.read(flags, DockerFlags.read(flags)),
                        DockerFlags.read(flags),
                        HostVolumeFlags.read(flags),
                        HostVolumeFlags.plugins(flags),
                        NetworkFlags.read(flags),
                        DriverPluginFlags.read(flags)),
                tcp,
                tcp.isPresent() && !Listening.read(flags).isLoopback(),
                Set.copyOf(flags.values("disable-logs")),
                ArtifactFlags.read(flags),
                flags.duration(MOUNTING).orElse(VolumeParts.Limits.MOUNTING),
                KeptFlags.read(flags),
                GarbageFlags.read(flags),
                Optional.empty());
    }

    private static ExecSettings exec(Flags flags) throws Failure, DiskTrouble {
        return ExecSettings.allowing(
                        flags.values("exec-allow-cap"),
                        flags.has("exec-allow-host-namespaces"),
                        flags.values("exec-allow-path").stream().map(Path::of).toList())
                .withUsers(UsersFlag.read(flags))
                .withImages(ImageFlags.paths(flags));
    }

    private static Arrangement.Parts parts(Flags flags) throws Failure {
        boolean isNodeOnly = flags.has("client") && !flags.has("server");
        Optional<String> servers = flags.value("servers");
        if (!isNodeOnly) {
            if (servers.isPresent()) {
                throw new Failure(
                        "-servers is for a node without a server in its process", "add -client, or leave -servers out");
            }
            return new Arrangement.Parts.WithServer(flags.has("client") || !flags.has("server"), true);
        }
        String directory = servers.orElseThrow(() -> new Failure(
                "-client alone needs to know its server",
                "give the data directory of the server's agent: -servers=/var/lib/cleat"));
        if (!directory.contains("/")) {
            throw new Failure(
                    "-servers=" + directory + " is not a directory such as /var/lib/cleat",
                    "give the data directory of the server's agent: remote servers are not supported yet");
        }
        return new Arrangement.Parts.NodeOnly(Path.of(directory).toAbsolutePath());
    }

    private static Optional<Listener.Tcp> tcp(Flags flags) throws Failure {
        Listening asked = Listening.read(flags);
        if (asked.isInsecure()) {
            return Optional.of(asked.tcp());
        }
        for (String flag : List.of("bind", "http-port")) {
            if (flags.value(flag).isPresent()) {
                throw new Failure(
                        "-"
                                + flag
                                + " would let others reach an API without access control, through which they can "
                                + "become root here",
                        "use the socket http.sock in the data directory; or, if that is what you want, add "
                                + "-insecure-listen");
            }
        }
        return Optional.empty();
    }

    private static void announce(Arrangement arrangement, DataDirectory data) {
        PrintStream out = System.out;
        String socket = "unix://" + data.file(Arrangement.HTTP);
        switch (arrangement.parts()) {
            case Arrangement.Parts.WithServer(boolean node, boolean _) -> {
                out.println("Cleat agent: " + (node ? "server and node" : "server"));
                out.println("  nodes      unix://" + data.file(ServerSide.NODES));
            }
            case Arrangement.Parts.NodeOnly(Path server) -> {
                out.println("Cleat agent: node");
                out.println("  server     " + server);
            }
        }
        out.println("  HTTP API   " + socket);
        arrangement.tcp().ifPresent(tcp -> {
            out.println("  HTTP API   http://" + tcp);
            out.println("  warning    without access control whoever reaches " + tcp + " can become root here");
        });
        out.println("  data       " + data.root());
        out.println("Try:");
        out.println("  export CLEAT_ADDR=" + socket);
        out.println("  ./cleat node status");
        out.println("Ready.");
        out.flush();
    }
}
