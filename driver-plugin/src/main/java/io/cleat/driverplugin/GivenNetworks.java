package io.cleat.driverplugin;

import io.cleat.base.DriverTrouble;
import io.cleat.base.IpText;
import io.cleat.driverschema.DriverProto;
import io.cleat.model.DriverNetwork;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where a plugin has put its tasks: as it answered when it started them, or else as it says now.
 *
 * <p>Any thread.
 */
final class GivenNetworks {
    private final TaskCalls calls;
    private final Map<String, DriverNetwork> given = new ConcurrentHashMap<>();

    GivenNetworks(TaskCalls calls) {
        this.calls = calls;
    }

    /** What the plugin answered of a task that it has started. */
    void started(String id, DriverProto.StartTaskResponse said) {
        of(said.getNetworkOverride()).ifPresent(network -> given.put(id, network));
    }

    void forget(String id) {
        given.remove(id);
    }

    Optional<DriverNetwork> of(String id) throws DriverTrouble, InterruptedException {
        DriverNetwork known = given.get(id);
        return known == null ? of(calls.network(id)) : Optional.of(known);
    }

    /** What is no address says nothing. */
    private static Optional<DriverNetwork> of(DriverProto.NetworkOverride said) {
        return IpText.canonical(said.getAddr())
                .map(address -> new DriverNetwork(address, said.getPortMapMap(), said.getAutoAdvertise()));
    }
}
