package io.cleat.agent.task;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.base.VisibleText;
import io.cleat.driver.TaskNetwork;
import io.cleat.model.AllocAddress;
import io.cleat.model.GroupNetwork;
import io.cleat.model.NetworkDns;
import io.cleat.model.NetworkNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The network of a task's allocation as the task is to see it. */
final class SeenNetwork {
    /** Characters of an allocation's id that are its host's name where its job says none. */
    private static final int SHORT_ID = 8;

    private SeenNetwork() {}

    /** @param expanded replaces each <code>${..}</code> */
    static TaskNetwork of(TaskSetting setting, UnaryOperator<String> expanded) {
        GroupNetwork network = setting.group().network();
        NetworkDns dns = expanded(setting.network().dns(), expanded);
        if (network == null || network.isHost()) {
            return new TaskNetwork(Optional.empty(), Map.of(), "", List.of(), dns);
        }
        return new TaskNetwork(
                setting.network().namespace(),
                setting.network().labels(),
                network.hostname().isEmpty()
                        ? VisibleText.head(setting.allocId(), SHORT_ID)
                        : expanded.apply(network.hostname()),
                addresses(setting.address()),
                dns);
    }

    /** What was put in for <code>${..}</code> is known here alone. */
    static void require(TaskNetwork network) throws DriverTrouble {
        List<String> faults = new ArrayList<>(NetworkNames.faults(network.dns()));
        if (network.namespace().isPresent()) {
            NetworkNames.hostFault(network.hostname()).ifPresent(faults::add);
        }
        if (!faults.isEmpty()) {
            throw new DriverTrouble("the network of its group: " + String.join("; ", faults), Effect.NONE, Retry.NEVER);
        }
    }

    private static NetworkDns expanded(NetworkDns dns, UnaryOperator<String> expanded) {
        return new NetworkDns(
                dns.servers().stream().map(expanded).toList(),
                dns.searches().stream().map(expanded).toList(),
                dns.options().stream().map(expanded).toList());
    }

    private static List<String> addresses(@Nullable AllocAddress own) {
        if (own == null || own.address().isEmpty()) {
            return List.of();
        }
        List<String> addresses = new ArrayList<>(List.of(own.address()));
        if (!own.addressIpv6().isEmpty() && !own.addressIpv6().equals(own.address())) {
            addresses.add(own.addressIpv6());
        }
        return addresses;
    }
}
