package io.cleat.api;

/** What ids are looked for. */
public record SearchRequest(String Context, String Prefix) {}
