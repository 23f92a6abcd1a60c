package io.cleat.api;

/** One member of the log. */
public record RaftServer(String Address, String ID, boolean Leader, String Node, String RaftProtocol, boolean Voter) {}
