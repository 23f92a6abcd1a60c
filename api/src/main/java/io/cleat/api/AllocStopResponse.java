package io.cleat.api;

/** What stopping an allocation answers. */
public record AllocStopResponse(String EvalID, long Index) {}
