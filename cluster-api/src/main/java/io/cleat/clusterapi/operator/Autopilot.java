package io.cleat.clusterapi.operator;

import io.cleat.api.AutopilotHealth;
import io.cleat.clusterapi.membership.Membership;
import java.util.List;

/** How the members of the log stand. */
final class Autopilot {
    private Autopilot() {}

    /** @param version of the API's model that this program follows */
    static AutopilotHealth health(Membership membership, String version) {
        List<AutopilotHealth.Server> servers = membership.members().stream()
                .map(member -> server(member, membership, version))
                .toList();
        long healthy = servers.stream().filter(AutopilotHealth.Server::Healthy).count();
        int quorum = servers.size() / 2 + 1;
        return new AutopilotHealth(
                healthy == servers.size(),
                Math.max(0, (int) healthy - quorum),
                servers,
                membership.leader().map(Membership.Member::id).orElse(""),
                membership.members().stream().map(Membership.Member::id).toList());
    }

    private static AutopilotHealth.Server server(Membership.Member member, Membership membership, String version) {
        Membership.LogStanding log = membership.logOf(member);
        boolean isHealthy = member.isAlive() && log.isHealthy();
        long contact = member.equals(membership.self()) ? membership.lastContactMillis() : 0;
        return new AutopilotHealth.Server(
                member.id(),
                member.name() + "." + membership.region(),
                member.address(),
                member.isAlive() ? "alive" : "failed",
                version,
                membership.leader().filter(member::equals).isPresent(),
                contact == 0 ? "0s" : contact + "ms",
                log.term(),
                log.index(),
                isHealthy,
                true,
                isHealthy ? log.since() : null);
    }
}
