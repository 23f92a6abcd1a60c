package io.cleat.cli;

import io.cleat.api.Allocation;
import io.cleat.api.AllocationStub;
import io.cleat.api.CleatClient;
import io.cleat.api.CsiVolumeStub;
import io.cleat.api.DesiredTransition;
import io.cleat.api.Node;
import io.cleat.api.NodeStats;
import io.cleat.api.NodeStub;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import io.cleat.base.VisibleText;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What can be asked about nodes. */
final class NodeVerbs {
    private static final DesiredTransition NOTHING_DESIRED = new DesiredTransition(null, null, null, null, null);

    private NodeVerbs() {}

    static List<Verb> all() {
        return List.of(
                Verb.named("node status", "List nodes, or show one")
                        .takes(0, 1, "[node]")
                        .about("Without an argument lists nodes; with an id, or the beginning of one,"
                                + " shows that node, its plugins, volumes and allocations.")
                        .flags(Flag.SHORT, Flag.VERBOSE, Flag.JSON, Flag.TEMPLATE)
                        .examples("cleat node status", "cleat node status -verbose 2ac3ba71")
                        .does(NodeVerbs::status),
                Verb.named("node config", "Show the servers that an agent knows")
                        .about("Shows where the agent that is asked finds its servers. They are"
                                + " those it was started with: see cleat agent -help.")
                        .flags(Flag.yes("servers", "Show the servers (required)."), Flag.JSON, Flag.TEMPLATE)
                        .examples("cleat node config -servers")
                        .does(NodeVerbs::config),
                Verb.named("node purge", "Forget a node that is down")
                        .takes(1, 1, "<node>")
                        .about("Forgets a node that is down and does not come back, as is done with"
                                + " each after a day. A volume that it may still hold stays"
                                + " excluded: see volume detach -abandon.")
                        .examples("cleat node purge 2ac3ba71")
                        .does(NodeVerbs::purge));
    }

    private static int config(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        if (!call.flags().has("servers")) {
            throw new Failure("nothing is asked for", "give -servers: cleat node config -h");
        }
        List<String> servers = call.client().agent().servers();
        if (!call.machine(servers)) {
            call.out(servers.stream().map(VisibleText::line).collect(Collectors.joining("\n")));
        }
        return 0;
    }

    private static int purge(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        CleatClient client = call.client();
        String node = find(client, call.argument(0));
        client.nodes().purge(node, Params.none());
        call.out("Node \"%s\" is forgotten".formatted(node));
        return 0;
    }

    private static int status(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        CleatClient client = call.client();
        if (call.argument().isEmpty()) {
            List<NodeStub> nodes = client.nodes().list(Params.none()).body();
            if (call.machine(nodes)) {
                return 0;
            }
            if (nodes.isEmpty()) {
                call.say("No nodes registered");
            } else {
                call.out(NodeView.list(nodes, call.isVerbose()));
            }
            return 0;
        }
        Node node = client.nodes()
                .get(find(client, call.argument(0)), Params.none())
                .body();
        if (call.machine(node)) {
            return 0;
        }
        List<Allocation> allocations =
                client.nodes().allocations(node.ID(), Params.none()).body();
        Optional<NodeStats> stats = stats(call, client, node);
        String uptime = stats.map(now -> Human.span(now.Uptime())).orElse("");
        List<CsiVolumeStub> held = node.Status().equals("ready")
                ? List.of()
                : call.clientIn("*")
                        .volumes()
                        .list(Params.none().with("node_id", node.ID()))
                        .body();
        call.out(NodeView.summary(node, allocations, held, uptime, call.isVerbose()));
        if (call.flags().has(Flag.SHORT)) {
            return 0;
        }
        if (node.Events() != null && !node.Events().isEmpty()) {
            call.section("Node Events", NodeView.events(node.Events(), call.isVerbose(), call.zone()));
        }
        if (node.NodeResources() != null) {
            call.section("Allocated Resources", NodeView.allocated(node.NodeResources(), allocations));
        }
        stats.ifPresent(now -> call.section("Host Resource Utilization", utilization(now)));
        List<AllocationStub> stubs = allocations.stream().map(NodeVerbs::stub).toList();
        call.section("Allocations", AllocationsView.table(stubs, call.isVerbose(), call.now()));
        return 0;
    }

    /** What the node uses now, when it can be reached. */
    private static Optional<NodeStats> stats(Call call, CleatClient client, Node node) {
        if (!node.Status().equals("ready")) {
            return Optional.empty();
        }
        try {
            return Optional.of(client.nodes().stats(node.ID(), Params.none()));
        } catch (UnexpectedAnswer | LinkTrouble away) {
            call.say("the node's use of resources is not known: " + away.getMessage());
            return Optional.empty();
        }
    }

    private static String utilization(NodeStats now) {
        double busy = now.CPU().stream()
                .filter(one -> one != null)
                .mapToDouble(one -> one.TotalPercent())
                .sum();
        long cores = now.CPU().stream().filter(one -> one != null).count();
        String memory = now.Memory() == null
                ? ""
                : Human.bytes(now.Memory().Used())
                        + "/"
                        + Human.bytes(now.Memory().Total());
        String disk = now.AllocDirStats() == null
                ? ""
                : Human.bytes(now.AllocDirStats().Used())
                        + "/"
                        + Human.bytes(now.AllocDirStats().Size());
        String cpu = cores == 0 ? "" : String.format(Locale.ROOT, "%.0f%%", busy / cores);
        return new Columns("CPU", "Memory", "Disk").row(cpu, memory, disk).text();
    }

    /** A whole allocation as its list would show it. */
    private static AllocationStub stub(Allocation one) {
        long version =
                one.Job() == null || one.Job().Version() == null ? 0 : one.Job().Version();
        return new AllocationStub(
                null,
                one.ClientDescription(),
                one.ClientStatus(),
                one.CreateIndex(),
                one.CreateTime(),
                null,
                one.DesiredDescription(),
                one.DesiredStatus(),
                NOTHING_DESIRED,
                one.EvalID(),
                one.FollowupEvalID(),
                one.ID(),
                one.JobID(),
                "",
                version,
                one.ModifyIndex(),
                one.ModifyTime(),
                one.Name(),
                one.Namespace(),
                one.NextAllocation(),
                one.NodeID(),
                one.NodeName(),
                null,
                "",
                null,
                one.TaskGroup(),
                null);
    }

    /** The id of the one node that {@code given} means. */
    static String find(CleatClient client, String given) throws Failure, UnexpectedAnswer, LinkTrouble {
        if (Prefix.isWholeUuid(given)) {
            return given;
        }
        return Prefix.one(
                        "node",
                        given,
                        client.nodes()
                                .list(Params.none().prefix(Prefix.ofUuid(given)))
                                .body(),
                        NodeStub::ID,
                        nodes -> NodeView.list(nodes, true))
                .ID();
    }

    /**
     * As {@link #find}; a node that is not known any more is asked for as it was given, since what it held may still
     * have to be released.
     */
    static String idOrGiven(Call call, String given) throws Failure, UnexpectedAnswer, LinkTrouble {
        if (Prefix.isWholeUuid(given)) {
            return given;
        }
        List<NodeStub> found = call.client()
                .nodes()
                .list(Params.none().prefix(Prefix.ofUuid(given)))
                .body();
        return found.isEmpty()
                ? given
                : Prefix.one("node", given, found, NodeStub::ID, nodes -> NodeView.list(nodes, true))
                        .ID();
    }
}
