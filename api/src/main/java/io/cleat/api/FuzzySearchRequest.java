package io.cleat.api;

/** What names are looked for in which the text is. */
public record FuzzySearchRequest(String Context, String Text) {}
