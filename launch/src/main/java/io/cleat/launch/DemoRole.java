package io.cleat.launch;

import io.cleat.base.SystemTime;
import io.cleat.cli.Failure;
import io.cleat.cli.Flag;
import io.cleat.cli.Flags;
import io.cleat.cli.Program;
import io.cleat.cli.StreamTerminal;
import io.cleat.demo.Demo;
import io.cleat.driver.docker.DockerDriver;
import io.cleat.driver.docker.DockerSettings;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The demo: a process that starts an agent and looks at it from outside. */
record DemoRole(List<String> args) implements Role {
    static final String WORD = "demo";
    private static final String DRIVER = "driver";
    static final Program PROGRAM = new Program(
            WORD,
            "Watch the life of a volume on this machine, verified step by step",
            """
                    Shows the life of a volume on this machine, in nine steps: an agent and a \
                    storage plugin start, a volume is made, claimed, mounted, survives the agent's \
                    death, is handed to the next workload, and goes. Each step is verified from \
                    outside. With -long, a job also writes into a raw block device, the volume is \
                    copied from a snapshot and cloned, another grows while a job writes into it, the plugin's job is updated under \
                    mounted volumes, and the node is drained and filled again. Needs root. Everything is in a temporary directory, and nothing is \
                    left behind.

                    With -driver=docker, plugin and workloads are containers of an engine that is \
                    there, of one image that is made of this machine's files (./dev image) and \
                    removed at the end; no registry is asked.

                    Exit code: 0 if each step was verified, else 1; 130 if it was interrupted.""",
            List.of(
                    Flag.value(
                            DRIVER,
                            "name",
                            "What plugin and workloads run under: exec, in containers;"
                                    + " raw_exec; or docker, in containers of an engine."
                                    + " exec where runc or crun works."),
                    Flag.value(
                            DockerFlags.SOCKET,
                            "path",
                            "The socket of that engine: Docker's, or Podman's service; "
                                    + DockerSettings.USUAL_SOCKET
                                    + " unless given."),
                    Flag.yes(
                            "long",
                            "Also a raw device, snapshot and clone, growth under writes, an update of the"
                                    + " plugin, and a drain of the node."),
                    Flag.yes("keep", "Leave out the last step: leave the agent up, and say what to try next.")),
            List.of(
                    "cleat demo",
                    "cleat demo -long",
                    "cleat demo -keep",
                    "cleat demo -driver=docker -docker-socket=/run/podman/podman.sock"));

    private static Path socket(Flags flags, Optional<String> driver) throws Failure {
        Optional<String> socket = flags.value(DockerFlags.SOCKET);
        if (socket.isPresent() && !driver.equals(Optional.of(DockerDriver.NAME))) {
            throw new Failure(
                    "-" + DockerFlags.SOCKET + " was given, and no engine is asked for",
                    "add -" + DRIVER + "=" + DockerDriver.NAME + ", or leave it out");
        }
        return socket.map(Path::of).orElse(DockerSettings.USUAL_SOCKET);
    }

    @Override
    public int play() {
        PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
        Flags flags;
        Optional<String> driver;
        Path socket;
        try {
            flags = PROGRAM.read(args);
            driver = PluginDriver.asked(flags, DRIVER);
            socket = socket(flags, driver);
        } catch (Failure failure) {
            return Program.report(failure, new PrintWriter(System.err, true, StandardCharsets.UTF_8));
        }
        if (flags.isHelpWanted()) {
            out.print(PROGRAM.help());
            out.flush();
            return 0;
        }
        boolean isTerminal = StreamTerminal.ofThisProcess(ProcessTty::new).showsColour();
        String plain = System.getenv("NO_COLOR");
        return new Demo(
                        Path.of(System.getProperty("cleat.launcher", "cleat")),
                        Agent.shim(),
                        out,
                        isTerminal && (plain == null || plain.isEmpty()),
                        isTerminal,
                        new SystemTime())
                .run(driver, socket, flags.has("long"), flags.has("keep"));
    }
}
