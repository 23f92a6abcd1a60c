package io.cleat.api;

import java.util.List;

/** The servers an agent knows. */
public record AgentMembers(List<AgentMember> Members, String ServerDC, String ServerName, String ServerRegion) {}
