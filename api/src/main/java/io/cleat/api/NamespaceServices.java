package io.cleat.api;

import java.util.List;

/** The services of one namespace, by name. */
public record NamespaceServices(String Namespace, List<ServiceStub> Services) {}
