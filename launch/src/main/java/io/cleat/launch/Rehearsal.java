package io.cleat.launch;

import java.io.IOException;
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
}
