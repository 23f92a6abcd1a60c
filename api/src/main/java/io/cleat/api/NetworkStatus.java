package io.cleat.api;

import org.jspecify.annotations.Nullable;

/** The network of an allocation. */
public record NetworkStatus(
        String Address, String AddressIPv6, @Nullable RawJson DNS, String InterfaceName) {}
