package io.cleat.http;

import java.util.List;

/**
 * Which command is to be run in which task.
 *
 * @param task empty for the only one
 * @param command the words of it, at least one
 * @param terminal whether it gets a terminal
 */
public record ExecQuery(String allocId, String task, List<String> command, boolean terminal) {
    public ExecQuery {
        command = List.copyOf(command);
    }
}
