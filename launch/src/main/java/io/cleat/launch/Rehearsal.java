package io.cleat.launch;

import io.cleat.base.KernelTrouble;
import io.cleat.kernel.TemporaryTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A run for the ahead-of-time cache: it goes through what a role does at its start and then ends, so that the classes
 * it needs are in the cache. The launcher starts it once per build.
 */
record Rehearsal(List<String> args) implements Role {
    static final String WORD = "rehearse";

    @Override
    public int play() {
        String role = args.isEmpty() ? "" : args.getFirst();
        return switch (role) {
            case "help" -> help();
            case "agent" -> AgentRehearsal.play();
            case "cli" -> commandLine();
            case "local-plugin" -> io.cleat.localplugin.Rehearsal.play();
            case "confined" -> confined();
            default -> {
                System.err.println("there is nothing to rehearse for role \"" + role + "\"");
                yield 1;
            }
        };
    }

    private static int help() {
        return Math.max(new CommandLine(List.of("version")).play(), new CommandLine(List.of("-h")).play());
    }

    private static int commandLine() {
        try {
            return io.cleat.cli.Rehearsal.play();
        } catch (IOException e) {
            System.err.println("the rehearsal found no port on the loopback: " + e);
            return 1;
        }
    }

    /** What agents run in processes of their own, because of what these read. */
    private static int confined() {
        Ports ports = Ports.system();
        try {
            Path directory = Files.createTempDirectory("cleat-");
            try {
                return io.cleat.artifact.Rehearsal.play(directory);
            } finally {
                new TemporaryTree(directory).remove(Agent.shim(), ports.threads(), ports.time());
            }
        } catch (IOException | KernelTrouble | InterruptedException failed) {
            System.err.println("the rehearsal of fetching failed: " + failed);
            return 1;
        }
    }
}
