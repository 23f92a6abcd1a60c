package io.cleat.model;

import io.cleat.base.Ordered;
import java.time.Instant;
import java.util.Map;

/**
 * Something that happened to a task.
 *
 * @param type one of the names of the task event table, such as {@code Started}
 * @param message what people read
 * @param details by name, such as {@code exit_code} and {@code signal}
 */
public record TaskEvent(String type, Instant at, String message, Map<String, String> details) {
    public TaskEvent {
        details = Ordered.copyOf(details);
    }
}
