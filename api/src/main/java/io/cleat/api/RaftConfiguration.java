package io.cleat.api;

import java.util.List;

/** The members of the log. */
public record RaftConfiguration(long Index, List<RaftServer> Servers) {}
