package io.cleat.model;

/**
 * Where an allocation is in a network of its own.
 *
 * @param interfaceName of its network namespace, such as {@code eth0}
 * @param address the first that it has there, of IPv4 where it has one; empty for none
 * @param addressIpv6 the first of IPv6; empty for none
 */
public record AllocAddress(String interfaceName, String address, String addressIpv6) {}
