package io.cleat.kernel;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A command to be run beside a task; see {@code shim/README.md} for its form.
 *
 * @param command with its arguments; a bare name is looked for in the task's own {@code PATH}
 * @param terminal whether it gets a terminal of its own, instead of three pipes
 * @param rows of the terminal; 0 if not known
 * @param columns of the terminal; 0 if not known
 * @param plain whether it is kept out of the task's control groups and runs as the shim's user, for a program that
 *     itself goes where the task is
 */
public record ShimCommand(List<String> command, boolean terminal, int rows, int columns, boolean plain) {
    /** The version of the form that this program writes. */
    private static final int VERSION = 1;

    public ShimCommand {
        command = List.copyOf(command);
        if (command.isEmpty() || command.stream().anyMatch(word -> word.indexOf(0) >= 0)) {
            throw new IllegalArgumentException("a command has at least one word, and none with a NUL character");
        }
    }

    byte[] encode() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(("cleat-exec " + VERSION + "\n").getBytes(StandardCharsets.US_ASCII));
        ShimDescription.field(out, "command", command.getFirst());
        command.stream().skip(1).forEach(arg -> ShimDescription.field(out, "arg", arg));
        if (terminal) {
            ShimDescription.field(out, "terminal", "1");
            ShimDescription.field(out, "rows", Integer.toString(rows));
            ShimDescription.field(out, "columns", Integer.toString(columns));
        }
        if (plain) {
            ShimDescription.field(out, "plain", "1");
        }
        ShimDescription.field(out, "end", "");
        return out.toByteArray();
    }
}
