package io.cleat.api;

/**
 * An address of a node.
 *
 * @param Alias the network by which jobs ask for its ports
 * @param Family {@code ipv4} or {@code ipv6}
 * @param ReservedPorts that nobody is given, such as {@code 22,8000-8010}
 */
public record InterfaceAddress(String Address, String Alias, String Family, String Gateway, String ReservedPorts) {}
