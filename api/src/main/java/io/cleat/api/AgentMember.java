package io.cleat.api;

import java.util.Map;

/** A server as its peers see it. */
public record AgentMember(
        String Addr,
        int DelegateCur,
        int DelegateMax,
        int DelegateMin,
        String Name,
        int Port,
        int ProtocolCur,
        int ProtocolMax,
        int ProtocolMin,
        String Status,
        Map<String, String> Tags) {}
