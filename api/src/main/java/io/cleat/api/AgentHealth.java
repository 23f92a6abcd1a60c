package io.cleat.api;

import org.jspecify.annotations.Nullable;

/** Whether the parts of an agent work; a part that does not run is left out. */
public record AgentHealth(
        @OmitEmpty @Nullable Part client,
        @OmitEmpty @Nullable Part server) {
    /** One part of the agent. */
    public record Part(String message, boolean ok) {}
}
