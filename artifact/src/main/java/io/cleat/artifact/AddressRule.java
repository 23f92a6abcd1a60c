package io.cleat.artifact;

import io.cleat.base.ArtifactTrouble;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Which addresses may be connected to for what a job wants fetched. None that only this machine or its link reaches:
 * whoever may write a source, or a server's redirect, would otherwise speak to services that trust whoever is there.
 *
 * <p>Hosts are looked at before each connection. In the process that fetches, {@link CheckedNames} applies the rule to
 * what a name means at the moment it is connected to, too, so that a name that changes its meaning in between is
 * refused.
 *
 * @param allowed what the operator takes out of the rule
 */
record AddressRule(List<AddressRange> allowed) {
    AddressRule {
        allowed = List.copyOf(allowed);
    }

    /** Whether an address may be connected to. */
    boolean isLetThrough(InetAddress address) throws SocketException {
        return allowed.stream().anyMatch(range -> range.has(address)) || !isNear(address);
    }

    /**
     * Fails unless all addresses of a host may be connected to.
     *
     * @param host a name or an address, as a URL has it
     */
    void require(String host) throws IOException, ArtifactTrouble {
        InetAddress[] addresses;
        try {
            addresses = InetAddress.getAllByName(host);
        } catch (UnknownHostException unknown) {
            if (CheckedNames.hasRefused(host)) {
                throw refused(host);
            }
            throw unknown;
        }
        for (InetAddress address : addresses) {
            if (!isLetThrough(address)) {
                throw refused(host);
            }
        }
    }

    private static boolean isNear(InetAddress address) throws SocketException {
        byte[] bytes = address.getAddress();
        return address.isLoopbackAddress()
                || address.isLinkLocalAddress()
                || address.isAnyLocalAddress()
                || address.isMulticastAddress()
                || (bytes.length == 4 && bytes[0] == 0)
                || NetworkInterface.getByInetAddress(address) != null;
    }

    private static ArtifactTrouble refused(String host) {
        return FreshTree.refused("its host "
                + host
                + " is this machine or its link, from which no artifact is taken: use another"
                + " host, or start the agent with -artifact-allow-address=CIDR");
    }
}
