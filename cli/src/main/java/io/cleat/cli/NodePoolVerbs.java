package io.cleat.cli;

import io.cleat.api.JobStub;
import io.cleat.api.NodePool;
import io.cleat.api.NodeStub;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import io.cleat.base.VisibleText;
import java.util.List;

/** Node pools: what nodes were started in. */
final class NodePoolVerbs {
    private NodePoolVerbs() {}

    static List<Verb> all() {
        return List.of(
                Verb.named("node pool list", "List node pools")
                        .about("Lists the pools that nodes were started in (agent -node-pool), with"
                                + " \"all\", which has every node, and \"default\".")
                        .flags(Flag.JSON, Flag.TEMPLATE)
                        .examples("cleat node pool list")
                        .does(NodePoolVerbs::list),
                Verb.named("node pool info", "Show one node pool")
                        .takes(1, 1, "<pool>")
                        .flags(Flag.JSON, Flag.TEMPLATE)
                        .examples("cleat node pool info default")
                        .does(NodePoolVerbs::info),
                Verb.named("node pool nodes", "List the nodes of a pool")
                        .takes(1, 1, "<pool>")
                        .flags(Flag.VERBOSE, Flag.JSON, Flag.TEMPLATE)
                        .examples("cleat node pool nodes default")
                        .does(NodePoolVerbs::nodes),
                Verb.named("node pool jobs", "List the jobs that name a pool")
                        .takes(1, 1, "<pool>")
                        .flags(Flag.JSON, Flag.TEMPLATE)
                        .examples("cleat node pool jobs default")
                        .does(NodePoolVerbs::jobs));
    }

    private static int list(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        List<NodePool> pools = call.client().nodePools().list(Params.none()).body();
        if (!call.machine(pools)) {
            call.out(table(pools));
        }
        return 0;
    }

    private static String table(List<NodePool> pools) {
        Columns columns = new Columns("Name", "Description");
        pools.forEach(pool -> columns.row(pool.Name(), pool.Description()));
        return columns.text();
    }

    private static NodePool one(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        String given = call.argument(0);
        return Prefix.one(
                "node pool",
                given,
                call.client().nodePools().list(Params.none().prefix(given)).body(),
                NodePool::Name,
                NodePoolVerbs::table);
    }

    private static int info(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        NodePool pool = one(call);
        if (!call.machine(pool)) {
            call.out(new Rows()
                    .put("Name", VisibleText.line(pool.Name()))
                    .put("Description", VisibleText.line(pool.Description()))
                    .text());
        }
        return 0;
    }

    private static int nodes(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        List<NodeStub> nodes =
                call.client().nodePools().nodes(one(call).Name(), Params.none()).body();
        if (call.machine(nodes)) {
            return 0;
        }
        if (nodes.isEmpty()) {
            call.say("No nodes");
        } else {
            call.out(NodeView.list(nodes, call.isVerbose()));
        }
        return 0;
    }

    private static int jobs(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        List<JobStub> jobs =
                call.client().nodePools().jobs(one(call).Name(), Params.none()).body();
        if (call.machine(jobs)) {
            return 0;
        }
        if (jobs.isEmpty()) {
            call.say("No jobs");
        } else {
            call.out(JobView.list(jobs, call.connection().isAllNamespaces(), call.zone()));
        }
        return 0;
    }
}
