package io.cleat.launch;

import io.cleat.agent.NodeView;
import io.cleat.api.AgentConfig;
import io.cleat.api.AgentHealth;
import io.cleat.http.Listener;
import io.cleat.server.Server;
import io.cleat.views.AgentNode;

/** What a dev agent says of its own configuration and health. */
final class DevFacts {
    private DevFacts() {}

    static AgentNode.Setting setting(
            DataDirectory data, String name, NodeSide node, Listener.Tcp http) {
        String host = http.address().getHostAddress();
        AgentConfig.Addresses addresses = new AgentConfig.Addresses(http.toString(), "", "");
        AgentConfig config =
                new AgentConfig(
                        new AgentConfig.Acl(false),
                        addresses,
                        addresses,
                        host,
                        new AgentConfig.Client(true, "", "default"),
                        data.root().toString(),
                        "dc1",
                        true,
                        "INFO",
                        name,
                        new AgentConfig.Ports(http.port(), 0, 0),
                        "global",
                        new AgentConfig.Server(1, true),
                        new AgentConfig.Ui(false),
                        new AgentConfig.Release(null, "", NodeView.API_VERSION, "", ""));
        return new AgentNode.Setting(config, node.id(), data.file("alloc"), node.mhzPerCore());
    }

    static AgentHealth health(Server server) {
        boolean leads = server.status().alive() && server.status().leading();
        return new AgentHealth(
                new AgentHealth.Part("ok", true),
                new AgentHealth.Part(leads ? "ok" : "no cluster leader", leads));
    }
}
