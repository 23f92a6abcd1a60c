package io.cleat.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The network of a group or of an allocation, with its ports. {@code CIDR}, {@code Device}, {@code IP} and
 * {@code MBits} (Mbit/s) are of older jobs.
 *
 * @param Mode {@code host} by default
 */
public record NetworkResource(
        String CIDR,
        @Nullable NetworkCni CNI,
        @Nullable NetworkDns DNS,
        String Device,
        @Nullable List<NetworkPort> DynamicPorts,
        String Hostname,
        String IP,
        @Nullable Integer MBits,
        String Mode,
        @Nullable List<NetworkPort> ReservedPorts) {}
