package io.cleat.api;

import org.jspecify.annotations.Nullable;

/**
 * The network of an allocation.
 *
 * @param DNS as its job has it, or else as the plugins of its network answered
 */
public record NetworkStatus(
        String Address, String AddressIPv6, @Nullable NetworkDns DNS, String InterfaceName) {}
