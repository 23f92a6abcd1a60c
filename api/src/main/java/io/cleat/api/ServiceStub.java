package io.cleat.api;

import java.util.List;

/** A service by name, with the tags that any of its places has. */
public record ServiceStub(String ServiceName, List<String> Tags) {}
