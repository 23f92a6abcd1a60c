package io.cleat.kernel;

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
 * @param command an absolute path
 * @param args without the command itself
 * @param user user id, group id, and further group ids; empty for the agent's own user
 * @param name the first part of the names of the output files
 * @param logDirectory where output goes; empty if none is collected
 * @param maxFileSize bytes
 * @param killSignal what a shim that is itself told to end sends first
 * @param cgroups directories that the task joins, and the shim does not
 * @param shimCgroups directories that the shim joins
 */
public record ShimDescription(
        Path command,
        List<String> args,
        Map<String, String> env,
        Path workingDirectory,
        List<Long> user,
        String name,
        Optional<Path> logDirectory,
        int maxFiles,
        long maxFileSize,
        int killSignal,
        Duration killTimeout,
        List<Path> cgroups,
        List<Path> shimCgroups) {
    /** The version of the form that this program writes. */
    public static final int VERSION = 1;

    public ShimDescription {
        args = List.copyOf(args);
        env = Map.copyOf(env);
        user = List.copyOf(user);
        cgroups = List.copyOf(cgroups);
        shimCgroups = List.copyOf(shimCgroups);
    }

    /** Its form on disk; may hold secrets, so the file is its owner's only. */
    byte[] encode() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(("cleat-task " + VERSION + "\n").getBytes(StandardCharsets.US_ASCII));
        field(out, "command", command.toString());
        args.forEach(arg -> field(out, "arg", arg));
        new TreeMap<>(env).forEach((name, value) -> field(out, "env", name + "=" + value));
        field(out, "cwd", workingDirectory.toString());
        if (!user.isEmpty()) {
            field(out, "user", user.stream().map(String::valueOf).collect(Collectors.joining(":")));
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

    private static void field(ByteArrayOutputStream out, String key, String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        out.writeBytes((key + " " + bytes.length + "\n").getBytes(StandardCharsets.US_ASCII));
        out.writeBytes(bytes);
        out.write('\n');
    }
}
