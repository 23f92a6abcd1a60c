package io.cleat.api;

/**
 * A network that a node's operator has named.
 *
 * @param ReservedPorts that nobody is given, such as {@code 22,8000-8010}
 */
public record NodeHostNetwork(String CIDR, String Interface, String Name, String ReservedPorts) {}
