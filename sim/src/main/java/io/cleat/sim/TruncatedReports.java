package io.cleat.sim;

import io.cleat.base.LinkTrouble;
import io.cleat.wire.Connector;
import io.cleat.wire.Link;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The link of a node that says how far its volumes are, and never what they wait for. */
final class TruncatedReports implements Link<ToServer, ToNode> {
    private final Link<ToServer, ToNode> link;

    private TruncatedReports(Link<ToServer, ToNode> link) {
        this.link = link;
    }

    static Connector over(Connector servers) {
        return deadline -> new TruncatedReports(servers.connect(deadline));
    }

    @Override
    public void send(ToServer message) throws LinkTrouble, InterruptedException {
        link.send(
                message instanceof ToServer.Allocations(List<ToServer.AllocReport> reports)
                        ? new ToServer.Allocations(
                                reports.stream().map(TruncatedReports::silenced).toList())
                        : message);
    }

    private static ToServer.AllocReport silenced(ToServer.AllocReport report) {
        Map<String, ToServer.VolumeReport> volumes = new TreeMap<>();
        report.volumes().forEach((alias, volume) -> volumes.put(alias, silenced(volume)));
        return new ToServer.AllocReport(
                report.allocId(),
                report.status(),
                report.description(),
                report.tasks(),
                volumes,
                report.health(),
                report.address());
    }

    private static ToServer.VolumeReport silenced(ToServer.VolumeReport volume) {
        return new ToServer.VolumeReport(volume.volume(), volume.epoch(), volume.phase(), volume.expandedTo(), null);
    }

    @Override
    public ToNode receive() throws LinkTrouble, InterruptedException {
        return link.receive();
    }

    @Override
    public void close() {
        link.close();
    }
}
