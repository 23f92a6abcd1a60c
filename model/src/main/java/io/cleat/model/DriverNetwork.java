package io.cleat.model;

import io.cleat.base.Ordered;
import io.cleat.base.Since;
import java.util.Map;

/**
 * Where a task's driver has put it, in a network that the driver knows: that of its engine, or one of its own.
 *
 * @param address of the task there
 * @param ports at which the task listens there, by the labels of its group's ports; of others it listens as it is told
 *     to
 * @param advertised whether services are to be found there that say nothing of their address
 */
@Since(20)
public record DriverNetwork(String address, Map<String, Integer> ports, boolean advertised) {
    public DriverNetwork {
        ports = Ordered.copyOf(ports);
    }
}
