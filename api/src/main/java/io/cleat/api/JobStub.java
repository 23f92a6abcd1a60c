package io.cleat.api;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A job as a list shows it. {@code SubmitTime} in ns since the epoch. */
public record JobStub(
        long CreateIndex,
        @Nullable List<String> Datacenters,
        String ID,
        long JobModifyIndex,
        @Nullable JobSummary JobSummary,
        @OmitEmpty @Nullable Map<String, String> Meta,
        long ModifyIndex,
        @Nullable RawJson Multiregion,
        String Name,
        String Namespace,
        String NodePool,
        boolean ParameterizedJob,
        String ParentID,
        boolean Periodic,
        int Priority,
        String Status,
        String StatusDescription,
        boolean Stop,
        long SubmitTime,
        String Type) {}
