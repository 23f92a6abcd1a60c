package io.cleat.launch;

import io.cleat.agent.alloc.KeptFiles;
import io.cleat.agent.artifact.ConfinedArtifacts;
import io.cleat.agent.volumes.VolumeParts;
import io.cleat.api.LocalToken;
import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.InWork;
import io.cleat.base.InvariantBroken;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Refused;
import io.cleat.base.Retry;
import io.cleat.base.Trouble;
import io.cleat.cli.Failure;
import io.cleat.cli.Flag;
import io.cleat.cli.Flags;
import io.cleat.cli.Program;
import io.cleat.driver.docker.DockerDriver;
import io.cleat.driver.docker.DockerSettings;
import io.cleat.driver.exec.ExecSettings;
import io.cleat.http.Listener;
import io.cleat.kernel.TemporaryTree;
import io.cleat.model.DriverFacts;
import io.cleat.server.duty.Garbage;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Server and node in one process, with the bundled plugin as an ordinary job.
 *
 * <p>Without a data directory of its own everything that runs is ended and removed at the end; with one it goes on, and
 * the next agent takes it over.
 */
record DevRole(List<String> args) implements Role {
    static final String WORD = "dev";
    private static final Flag OPEN = Flag.yes(
            "open",
            "Want no token on the port: any user of this machine, and any task that shares"
                    + " its network, can then become root through it.");
    private static final Flag NO_PLUGIN = Flag.yes(
            "no-plugin",
            "Without the bundled plugin, for those who bring their own. One that an earlier"
                    + " agent registered in the data directory goes on.");
    static final Program PROGRAM = new Program(
            WORD,
            "Start a server, a node and the bundled plugin in one process",
            """
                    Starts a server and a node in one process, with the bundled storage plugin as an \
                    ordinary job. Without -data-dir everything is temporary and goes when the agent \
                    ends.

                    Whoever may use the HTTP API can become root through a raw_exec task. Its socket \
                    is therefore for its owner only, and its port wants a token, which is made at \
                    each start and kept in the file http.token of the data directory: commands of \
                    the owner find it, other clients send it as X-Nomad-Token.""",
            flags(
                    Flag.value("http-port", "number", "Port of the HTTP API; 4646, or a free one when taken."),
                    Flag.value("data-dir", "directory", "Keep all data there; tasks then go on when the agent ends."),
                    OPEN,
                    ArtifactFlags.ALLOW_ADDRESS,
                    NO_PLUGIN,
                    PluginDriver.FLAG,
                    LocalPluginJob.IMAGE_FLAG,
                    UsersFlag.FLAG,
                    DockerFlags.SOCKET_FLAG,
                    HeapFlag.FLAG,
                    Flag.value("bind", "address", "Listen there instead of 127.0.0.1; needs -insecure-listen."),
                    Listening.INSECURE),
            List.of("cleat dev", "cleat dev -data-dir=/var/lib/cleat -http-port=4700", "cleat dev -no-plugin"));

    private static List<Flag> flags(Flag... own) {
        return Stream.concat(Stream.of(own), DriverPluginFlags.OWN.stream()).toList();
    }

    /** Who may submit a job here may become root anyway; this is what plugins need of it. */
    private static final ExecSettings FOR_PLUGINS = ExecSettings.allowing(
                    LocalPluginJob.CAPABILITIES, false, List.of(Path.of("/")))
            .withImages(List.of(Path.of("/")));

    private static final DockerSettings.Allowed ALL_OF_AN_ENGINE =
            new DockerSettings.Allowed(true, Set.of(), List.of(Path.of("/")), true, true, List.of(Path.of("/dev")));

    /**
     * What the bundled plugin is to run under.
     *
     * @param isWanted whether it is to run at all
     * @param driver empty for whatever works
     * @param image what it is to run of under {@code docker}
     */
    record AskedPlugin(boolean isWanted, Optional<String> driver, String image) {
        static AskedPlugin read(Flags flags) throws Failure {
            Optional<String> driver = PluginDriver.asked(flags);
            boolean isWanted = !flags.has(NO_PLUGIN.name());
            if (!isWanted && driver.isPresent()) {
                throw new Failure(
                        "-no-plugin and -plugin-driver=" + driver.get() + " were both given", "leave one of them out");
            }
            return new AskedPlugin(isWanted, driver, LocalPluginJob.image(flags));
        }
    }

    private static final Duration READY_WITHIN = Duration.ofSeconds(60);
    private static final Duration ENGINE_WITHIN = Duration.ofSeconds(20);
    private static final Duration LOOK = Duration.ofMillis(250);

    @Override
    public int play() {
        Foreground foreground = new Foreground(PROGRAM);
        return foreground.run(args, (flags, ports, end) -> {
            Listener.Tcp tcp = Listening.read(flags).refuseOthers().tcp();
            AskedPlugin asked = AskedPlugin.read(flags);
            foreground.requireRoot();
            Optional<Path> kept = flags.value("data-dir").map(Path::of);
            boolean isOpen = flags.has(OPEN.name());
            Arrangement arrangement = arrangement(flags, tcp);
            if (kept.isPresent()) {
                run(kept.get(), false, isOpen, asked, arrangement, ports, end);
            } else {
                Path temporary = temporaryDirectory();
                try {
                    run(temporary, true, isOpen, asked, arrangement, ports, end);
                } finally {
                    removeTemporary(temporary, ports);
                }
            }
            return 0;
        });
    }

    static Arrangement arrangement(Flags flags, Listener.Tcp tcp) throws DiskTrouble, Failure {
        return new Arrangement(
                new Arrangement.Parts.WithServer(true, false),
                true,
                Arrangement.Names.usual(Foreground.hostName())
                        .allowing(
                                FOR_PLUGINS.withUsers(UsersFlag.read(flags)),
                                ArtifactFlags.allowed(flags),
                                DockerFlags.at(flags, ALL_OF_AN_ENGINE),
                                DriverPluginFlags.read(flags)),
                Optional.of(tcp),
                !Listening.read(flags).isLoopback(),
                Set.of(),
                ConfinedArtifacts.Settings.allowing(ArtifactFlags.allowed(flags)),
                VolumeParts.Limits.MOUNTING,
                KeptFiles.USUAL,
                Garbage.USUAL,
                Optional.empty());
    }

    private static void run(
            Path directory,
            boolean temporary,
            boolean isOpen,
            AskedPlugin asked,
            Arrangement arrangement,
            Ports ports,
            CountDownLatch end)
            throws Failure, Refused, Trouble, InterruptedException {
        try (DataDirectory data = DataDirectory.take(directory)) {
            if (isOpen) {
                run(data, temporary, Optional.empty(), asked, arrangement, ports, end);
                return;
            }
            int port = arrangement.tcp().map(Listener.Tcp::port).orElse(0);
            try (ServedToken served = ServedToken.make(data, LocalToken.AGENTS, port)) {
                run(
                        data,
                        temporary,
                        Optional.of(served.file()),
                        asked,
                        arrangement.wanting(served.token()),
                        ports,
                        end);
            }
        }
    }

    /** Waits until something holds, it is late, or the program is to end; whether it holds. */
    private static boolean await(BooleanSupplier fact, Duration within, Ports ports, CountDownLatch end)
            throws InterruptedException {
        Deadline deadline = Deadline.in(ports.time(), within);
        while (!fact.getAsBoolean() && !deadline.isExpired() && end.getCount() > 0) {
            ports.time().sleep(LOOK);
        }
        return fact.getAsBoolean();
    }

    private static DriverFacts driver(Agent agent, String name) {
        return agent.driver(name)
                .orElseThrow(() -> new InvariantBroken("a dev agent has a node with this driver", name));
    }

    /** @param token where it is; empty if none is wanted */
    private static void run(
            DataDirectory data,
            boolean temporary,
            Optional<Path> token,
            AskedPlugin asked,
            Arrangement arrangement,
            Ports ports,
            CountDownLatch end)
            throws Failure, Refused, Trouble, InterruptedException {
        Agent agent = Agent.start(data, arrangement, InWork.UNNOTED, ports);
        try {
            Said said = new Said(arrangement.address(data), data, temporary, token);
            if (asked.isWanted()) {
                runPlugin(agent, said, asked, ports, end);
            } else {
                said.announce("none, as asked for", List.of("./cleat node status"));
                // A job that is run before waits for its node.
                System.out.println(
                        await(agent::isLinked, READY_WITHIN, ports, end)
                                ? "No plugin runs but those of your jobs. Ready."
                                : "The node has not joined yet: see cleat node status");
            }
            end.await();
            System.out.println(temporary ? "Ending all that runs here." : "What runs here goes on.");
        } finally {
            agent.end(temporary);
        }
    }

    private static void runPlugin(Agent agent, Said said, AskedPlugin asked, Ports ports, CountDownLatch end)
            throws Failure, Refused, Trouble, InterruptedException {
        if (asked.driver().equals(Optional.of(DockerDriver.NAME))) {
            // One that was just started, or that has much to do, answers a little later.
            var _ = await(() -> driver(agent, DockerDriver.NAME).healthy(), ENGINE_WITHIN, ports, end);
        }
        PluginDriver driver = PluginDriver.choose(asked.driver(), name -> driver(agent, name));
        LocalPluginJob plugin = new LocalPluginJob(agent.cluster(), said.data(), driver.name(), asked.image(), ports);
        Consumer<String> waits = why -> System.out.println("The plugin \"local\" waits: " + why);
        said.announce(
                plugin.ensure(end, waits) ? driver.name() + ", " + driver.why() : "as its job, which was there, says",
                List.of(
                        "./cleat plugin status",
                        "./cleat node status",
                        "./cleat volume create examples/counter-data.volume.hcl",
                        "./cleat job run examples/counter.nomad.hcl"));
        boolean ready = plugin.awaitHealthy(agent::isLinked, Deadline.in(ports.time(), READY_WITHIN), end, waits);
        System.out.println(
                ready
                        ? "The plugin \"local\" is healthy. Ready."
                        : "The plugin \"local\" is not healthy yet: see cleat plugin status local");
    }

    /**
     * What is printed of an agent.
     *
     * @param address of its HTTP API
     * @param token where it is; empty if none is wanted
     */
    private record Said(String address, DataDirectory data, boolean temporary, Optional<Path> token) {
        /** @param tries what somebody new may do next */
        void announce(String plugin, List<String> tries) {
            PrintStream out = System.out;
            out.println("Cleat dev agent: server and node in one process");
            out.println("  HTTP API   http://" + address);
            out.println("  socket     unix://" + data.file(Arrangement.HTTP));
            out.println("  data       " + data.root() + (temporary ? "  (goes when the agent ends)" : ""));
            out.println("  plugin     " + plugin);
            out.println(token.map(file -> "  token      " + file + ", which the port wants")
                    .orElse("  warning    any local user, and any task that shares this"
                            + " network, can become root through this address"));
            out.println("Try:");
            out.println("  export CLEAT_ADDR=http://" + address);
            token.ifPresent(file -> out.println("  export NOMAD_TOKEN=\"$("
                    + (System.getenv("SUDO_USER") == null ? "" : "sudo ")
                    + "cat "
                    + file
                    + ")\""));
            tries.forEach(command -> out.println("  " + command));
            out.flush();
        }
    }

    private static Path temporaryDirectory() throws DiskTrouble {
        try {
            return Files.createTempDirectory("cleat-dev-");
        } catch (IOException e) {
            throw new DiskTrouble("making a temporary directory: " + e, Effect.NONE, Retry.SAME_CALL, e);
        }
    }

    /** Only files of this program are in it: every workload's directory and every volume is gone by now. */
    static void removeTemporary(Path directory, Ports ports) throws InterruptedException {
        try {
            new TemporaryTree(directory).remove(Agent.shim(), ports.threads(), ports.time());
        } catch (KernelTrouble stays) {
            System.err.println("cleat: " + directory + " stays: " + stays.reason());
        }
    }
}
