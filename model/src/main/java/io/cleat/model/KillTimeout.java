package io.cleat.model;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * How long a task may have to stop before it is killed: its job says it, up to what the node admits. A task that wants
 * more is not placed there.
 */
public final class KillTimeout {
    /** What a node admits unless its operator says otherwise. */
    public static final Duration USUAL = Duration.ofMinutes(10);

    /** What a node admits that does not say. */
    private static final Duration UNSAID = Duration.ofSeconds(30);

    /** The node's attribute: whole milliseconds. */
    private static final String ATTRIBUTE = "kill_timeout.max_ms";

    private KillTimeout() {}

    /** Writes into a node's attributes what it admits. */
    public static void put(Map<String, String> attributes, Duration most) {
        attributes.put(ATTRIBUTE, Long.toString(most.toMillis()));
    }

    /** What a node with these attributes admits. */
    public static Duration most(Map<String, String> attributes) {
        return Optional.ofNullable(attributes.get(ATTRIBUTE))
                .filter(text -> text.matches("[0-9]{1,15}"))
                .map(text -> Duration.ofMillis(Long.parseLong(text)))
                .orElse(UNSAID);
    }
}
