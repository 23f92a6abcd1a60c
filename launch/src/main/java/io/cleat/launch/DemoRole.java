package io.cleat.launch;

import io.cleat.base.SystemTime;
import io.cleat.cli.Failure;
import io.cleat.cli.Flag;
import io.cleat.cli.Flags;
import io.cleat.cli.Program;
import io.cleat.cli.StreamTerminal;
import io.cleat.demo.Demo;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The demo: a process that starts an agent and looks at it from outside. */
record DemoRole(List<String> args) implements Role {
    static final String WORD = "demo";
    private static final String DRIVER = "driver";
    static final Program PROGRAM =
            new Program(
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

                    Exit code: 0 if each step was verified, else 1; 130 if it was interrupted.""",
                    List.of(
                            Flag.value(
                                    DRIVER,
                                    "name",
                                    "Run plugin and workloads under exec, in containers, or"
                                            + " raw_exec; exec where runc or crun works."),
                            Flag.yes(
                                    "long",
                                    "Also a raw device, snapshot and clone, growth under writes, an update of the"
                                            + " plugin, and a drain of the node."),
                            Flag.yes(
                                    "keep",
                                    "Leave out the last step: leave the agent up, and say what to"
                                            + " try next.")),
                    List.of("cleat demo", "cleat demo -long", "cleat demo -keep"));

    @Override
    public int play() {
        PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
        Flags flags;
        Optional<String> driver;
        try {
            flags = PROGRAM.read(args);
            driver = PluginDriver.asked(flags, DRIVER);
        } catch (Failure failure) {
            return Program.report(
                    failure, new PrintWriter(System.err, true, StandardCharsets.UTF_8));
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
                .run(driver, flags.has("long"), flags.has("keep"));
    }
}
