package io.cleat.launch;

import java.util.List;
import java.util.Optional;

/** What one process of the program is. The first word of its command line says which. */
sealed interface Role
        permits AgentRole,
                CommandLine,
                DemoRole,
                DevRole,
                DriverTryRole,
                DriverVerifyRole,
                LogRole,
                Rehearsal,
                SnapshotRole {
    /** Runs until the role is played out; the answer is the exit code. */
    int play();

    /** The role that {@code args} ask for. */
    static Role of(List<String> args) {
        Optional<Role> offline = LogRole.of(args).<Role>map(role -> role);
        offline = offline.or(() -> SnapshotRole.of(args));
        offline = offline.or(() -> DriverTryRole.of(args));
        offline = offline.or(() -> DriverVerifyRole.of(args));
        if (offline.isPresent()) {
            return offline.get();
        }
        String first = args.isEmpty() ? "" : args.getFirst();
        return switch (first) {
            case DemoRole.WORD -> new DemoRole(args.subList(1, args.size()));
            case Rehearsal.WORD -> new Rehearsal(args.subList(1, args.size()));
            case AgentRole.WORD -> new AgentRole(args.subList(1, args.size()));
            case DevRole.WORD -> new DevRole(args.subList(1, args.size()));
            default -> new CommandLine(args);
        };
    }
}
