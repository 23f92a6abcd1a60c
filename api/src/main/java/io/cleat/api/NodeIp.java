package io.cleat.api;

/**
 * A network of a node: one that it makes for allocations, or an address of its own.
 *
 * @param MBits Mbit/s; 0 if that is not known
 */
public record NodeIp(
        @OmitEmpty String CIDR,
        @OmitEmpty String Device,
        @OmitEmpty String IP,
        @OmitEmpty int MBits,
        String Mode) {}
