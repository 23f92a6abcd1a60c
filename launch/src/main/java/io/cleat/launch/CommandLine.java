package io.cleat.launch;

import io.cleat.api.LocalToken;
import io.cleat.base.SystemTime;
import io.cleat.cli.Cli;
import io.cleat.cli.Environment;
import io.cleat.cli.Program;
import io.cleat.cli.StreamTerminal;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;

/** One command, in this process, over the cluster's HTTP interface. */
record CommandLine(List<String> args) implements Role {
    private static final List<Program> PROGRAMS = List.of(
            AgentRole.PROGRAM,
            DevRole.PROGRAM,
            DemoRole.PROGRAM,
            DriverTryRole.TRY,
            DriverVerifyRole.VERIFY,
            LogRole.INSPECT,
            LogRole.VERIFY,
            SnapshotRole.INSPECT,
            SnapshotRole.RESTORE);

    @Override
    public int play() {
        Environment environment = new Environment(
                System.getenv(),
                Path.of(""),
                StreamTerminal.ofThisProcess(ProcessTty::new),
                new SystemTime(),
                ZoneId.systemDefault(),
                LocalToken.AGENTS);
        return new Cli(PROGRAMS)
                .run(
                        args,
                        new PrintWriter(System.out, false, StandardCharsets.UTF_8),
                        new PrintWriter(System.err, true, StandardCharsets.UTF_8),
                        environment);
    }
}
