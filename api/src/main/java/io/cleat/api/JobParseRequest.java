package io.cleat.api;

/** Job source to be parsed; {@code Variables} is the text of a variables file. */
public record JobParseRequest(boolean Canonicalize, String JobHCL, String Variables) {}
