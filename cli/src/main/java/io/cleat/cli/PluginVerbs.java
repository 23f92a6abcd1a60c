package io.cleat.cli;

import io.cleat.api.AllocationStub;
import io.cleat.api.CleatClient;
import io.cleat.api.CsiPlugin;
import io.cleat.api.CsiPluginStub;
import io.cleat.api.Params;
import io.cleat.api.PluginLane;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import java.util.List;

/** What can be asked about storage plugins. */
final class PluginVerbs {
    private PluginVerbs() {}

    static List<Verb> all() {
        return List.of(Verb.named("plugin status", "List storage plugins, or show one")
                .takes(0, 1, "[plugin]")
                .about("Without an argument lists plugins with their healthy and expected"
                        + " instances; with an id, or the beginning of one, shows that"
                        + " plugin.\n\n"
                        + "A lane is how many controller calls of a kind are made at"
                        + " once. The plugin's task sets the widths in its meta:"
                        + " \"cleat.lane_width\" = \"1\" for all lanes,"
                        + " \"cleat.lane_width.attach\" = \"4\" for one.")
                .flags(
                        Flag.value("type", "csi", "The kind of plugin."),
                        Flag.SHORT,
                        Flag.VERBOSE,
                        Flag.JSON,
                        Flag.TEMPLATE)
                .examples("cleat plugin status", "cleat plugin status -verbose local")
                .does(PluginVerbs::status));
    }

    /** Empty when the agent is one that has none. */
    private static List<PluginLane> lanes(CleatClient client, String id) throws UnexpectedAnswer, LinkTrouble {
        try {
            return client.plugins().lanes(id, Params.none()).body();
        } catch (UnexpectedAnswer answer) {
            if (answer.isNotFound()) {
                return List.of();
            }
            throw answer;
        }
    }

    private static int status(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        String type = call.flags().value("type").orElse("csi");
        if (!type.equals("csi")) {
            throw new Failure("there are no plugins of type \"%s\": csi is the only one".formatted(type));
        }
        CleatClient client = call.client();
        List<CsiPluginStub> found = client.plugins()
                .list(Params.none().prefix(call.argument().orElse("")))
                .body();
        if (call.argument().isEmpty()) {
            if (call.machine(found)) {
                return 0;
            }
            if (found.isEmpty()) {
                call.say("No CSI plugins");
            } else {
                call.out(call.title("Container Storage Interface"));
                call.out(PluginView.list(found));
            }
            return 0;
        }
        String id = Prefix.one("plugin", call.argument(0), found, CsiPluginStub::ID, PluginView::list)
                .ID();
        CsiPlugin plugin = client.plugins().get(id, Params.none()).body();
        if (call.machine(plugin)) {
            return 0;
        }
        call.out(PluginView.summary(plugin));
        if (call.flags().has(Flag.SHORT)) {
            return 0;
        }
        call.section("Lanes", PluginView.lanes(lanes(client, id)));
        call.section("Unhealthy Instances", PluginView.unhealthy(plugin, call.isVerbose()));
        if (call.isVerbose()) {
            call.section(
                    "Controller Capabilities",
                    String.join(
                            "\n",
                            PluginView.controllerCapabilities(
                                    plugin.Controllers().values())));
            call.section(
                    "Node Capabilities",
                    String.join("\n", PluginView.nodeCapabilities(plugin.Nodes().values())));
            call.section("Accessible Topologies", PluginView.topologies(plugin.Nodes(), true));
        }
        List<AllocationStub> allocations = plugin.Allocations() == null ? List.of() : plugin.Allocations();
        call.section("Allocations", AllocationsView.table(allocations, call.isVerbose(), call.now()));
        return 0;
    }
}
