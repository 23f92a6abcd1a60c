package io.cleat.api;

import java.util.List;

/** Where one allocation's service is found. */
public record ServiceRegistration(
        String Address,
        String AllocID,
        long CreateIndex,
        String Datacenter,
        String ID,
        String JobID,
        long ModifyIndex,
        String Namespace,
        String NodeID,
        int Port,
        String ServiceName,
        List<String> Tags) {}
