package io.cleat.model;

import io.cleat.base.Since;
import org.jspecify.annotations.Nullable;

/**
 * Where an allocation is in a network of its own.
 *
 * @param interfaceName of its network namespace, such as {@code eth0}
 * @param address the first that it has there, of IPv4 where it has one; empty for none
 * @param addressIpv6 the first of IPv6; empty for none
 * @param dns how names are resolved there, as the plugins of its network answered; null if they named no server
 */
public record AllocAddress(
        String interfaceName,
        String address,
        String addressIpv6,
        @Since(19) @Nullable NetworkDns dns) {
    /** Where no plugin names a server. */
    public AllocAddress(String interfaceName, String address, String addressIpv6) {
        this(interfaceName, address, addressIpv6, null);
    }

    /** The same, as those know it who know nothing of name servers. */
    public AllocAddress withoutDns() {
        return new AllocAddress(interfaceName, address, addressIpv6);
    }
}
