package io.cleat.kernel;

import io.cleat.base.Ordered;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What the shim is to run, and how; see {@code shim/README.md} for its form on disk.
 *
 * @param name the first part of the names of the output files
 * @param logDirectory where output goes; empty if none is collected
 * @param maxFileSize bytes
 * @param killSignal what a shim that is itself told to end sends first
 * @param cgroups directories of the task's control group: a command joins them, a container's runtime makes its
 *     processes join them; the shim does not
 * @param shimCgroups directories that the shim joins
 */
public record ShimDescription(
        Runs runs,
        String name,
        Optional<Path> logDirectory,
        int maxFiles,
        long maxFileSize,
        int killSignal,
        Duration killTimeout,
        List<Path> cgroups,
        List<Path> shimCgroups) {
    public ShimDescription {
        cgroups = List.copyOf(cgroups);
        shimCgroups = List.copyOf(shimCgroups);
    }

    /** What is run. */
    public sealed interface Runs {}

    /**
     * A program of the host.
     *
     * @param command an absolute path
     * @param args without the command itself
     * @param user user id, group id, and further group ids; empty for the agent's own user
     * @param limits what each of its processes may have at most, by names of getrlimit(2) such as {@code nofile}: soft
     *     and hard; never above the agent's own
     */
    public record Command(
            Path command,
            List<String> args,
            Map<String, String> env,
            Path workingDirectory,
            List<Long> user,
            Map<String, Long> limits)
            implements Runs {
        public Command {
            args = List.copyOf(args);
            env = Ordered.copyOf(env);
            user = List.copyOf(user);
            limits = Ordered.copyOf(limits);
        }

        /** With the agent's own limits. */
        public Command(
                Path command, List<String> args, Map<String, String> env, Path workingDirectory, List<Long> user) {
            this(command, args, env, workingDirectory, user, Map.of());
        }
    }

    /**
     * A container of an OCI runtime, whose first process is {@code shim init}.
     *
     * @param runtime an absolute path
     * @param runtimeArgs what stands before the runtime's verb
     * @param runtimeLog where these have the runtime write its words, as lines of JSON
     * @param bundle the directory that holds {@code config.json}
     * @param id the runtime's name of the container
     */
    public record Container(Path runtime, List<String> runtimeArgs, Path runtimeLog, Path bundle, String id)
            implements Runs {
        public Container {
            runtimeArgs = List.copyOf(runtimeArgs);
        }
    }

    /** The version of the form: the oldest that has what is needed, for shims that are older. */
    private int version() {
        return switch (runs) {
            case Container _ -> 2;
            case Command command -> command.limits().isEmpty() ? 1 : 3;
        };
    }

    /** Its form on disk; may hold secrets, so the file is its owner's only. */
    byte[] encode() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(("cleat-task " + version() + "\n").getBytes(StandardCharsets.US_ASCII));
        switch (runs) {
            case Command command -> fields(out, command);
            case Container container -> fields(out, container);
        }
        field(out, "name", name);
        logDirectory.ifPresent(directory -> field(out, "log_dir", directory.toString()));
        field(out, "max_files", Integer.toString(maxFiles));
        field(out, "max_file_size", Long.toString(maxFileSize));
        field(out, "kill_signal", Integer.toString(killSignal));
        field(out, "kill_timeout_ms", Long.toString(killTimeout.toMillis()));
        cgroups.forEach(group -> field(out, "cgroup", group.toString()));
        shimCgroups.forEach(group -> field(out, "shim_cgroup", group.toString()));
        field(out, "end", "");
        return out.toByteArray();
    }

    private static void fields(ByteArrayOutputStream out, Command command) {
        field(out, "command", command.command().toString());
        command.args().forEach(arg -> field(out, "arg", arg));
        new TreeMap<>(command.env()).forEach((name, value) -> field(out, "env", name + "=" + value));
        field(out, "cwd", command.workingDirectory().toString());
        if (!command.user().isEmpty()) {
            field(out, "user", command.user().stream().map(String::valueOf).collect(Collectors.joining(":")));
        }
        new TreeMap<>(command.limits()).forEach((name, most) -> field(out, "rlimit", name + " " + most));
    }

    private static void fields(ByteArrayOutputStream out, Container container) {
        field(out, "runtime", container.runtime().toString());
        container.runtimeArgs().forEach(arg -> field(out, "runtime_arg", arg));
        field(out, "runtime_log", container.runtimeLog().toString());
        field(out, "bundle", container.bundle().toString());
        field(out, "container", container.id());
    }

    static void field(ByteArrayOutputStream out, String key, String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        out.writeBytes((key + " " + bytes.length + "\n").getBytes(StandardCharsets.US_ASCII));
        out.writeBytes(bytes);
        out.write('\n');
    }
}
