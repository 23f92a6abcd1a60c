package io.cleat.schedule;

import io.cleat.model.GroupNetwork;
import io.cleat.model.NodeNetwork;
import io.cleat.model.PortRequest;
import io.cleat.state.NodeRow;
import java.util.Optional;

/** A node must make networks of the mode that the group wants, and have the networks of whose ports it wants some. */
final class NetworkFilter implements NodeFilter {
    private final GroupNetwork wanted;

    NetworkFilter(GroupNetwork wanted) {
        this.wanted = wanted;
    }

    @Override
    public Optional<Rejection> reject(NodeRow node) {
        NodeNetwork has = node.facts().network();
        // The words are those that tools know.
        if (!wanted.isHost() && !has.modes().contains(wanted.mode())) {
            return Optional.of(Rejection.of("missing network"));
        }
        return wanted.ports().stream()
                .filter(port -> has.addressesOf(port.hostNetwork()).isEmpty())
                .findFirst()
                .map(NetworkFilter::missing);
    }

    private static Rejection missing(PortRequest port) {
        return Rejection.of(
                port.hostNetwork().equals(PortRequest.DEFAULT)
                        ? "missing network"
                        : "missing host network \"" + port.hostNetwork() + "\" for port \"" + port.label() + "\"");
    }
}
