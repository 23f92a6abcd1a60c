package io.cleat.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A network interface of a node, or a network that it makes for allocations.
 *
 * @param Speed Mbit/s; 0 if that is not known
 */
public record NodeInterface(
        @Nullable List<InterfaceAddress> Addresses, String Device, String MacAddress, String Mode, int Speed) {}
