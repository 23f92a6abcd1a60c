package io.cleat.driver;

import java.util.List;

/**
 * A command to be run in a running task.
 *
 * @param words the command, then its arguments
 * @param terminal whether it gets a terminal of its own, on which output and errors are one
 */
public record ExecCommand(List<String> words, boolean terminal) {
    public ExecCommand {
        words = List.copyOf(words);
    }
}
