package io.cleat.api;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An agent about itself; the names are lower case on the wire. */
public record AgentSelf(AgentConfig config, @Nullable AgentMember member, Map<String, Map<String, String>> stats) {}
