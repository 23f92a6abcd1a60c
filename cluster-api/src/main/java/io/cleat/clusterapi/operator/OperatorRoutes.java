package io.cleat.clusterapi.operator;

import io.cleat.api.AutopilotHealth;
import io.cleat.api.RecoveryAbandonRequest;
import io.cleat.api.RecoveryEndRequest;
import io.cleat.api.SchedulerConfiguration;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.http.Bodies;
import io.cleat.http.QueryParams;
import io.cleat.http.Replies;
import io.cleat.http.Reply;
import io.cleat.http.Request;
import io.cleat.http.Route;
import java.util.List;
import java.util.Map;

/** The cluster itself. */
public final class OperatorRoutes {
    private final OperatorAnswers operator;

    private OperatorRoutes(OperatorAnswers operator) {
        this.operator = operator;
    }

    public static List<Route> of(OperatorAnswers operator) {
        OperatorRoutes routes = new OperatorRoutes(operator);
        return List.of(
                Route.get("/v1/status/leader", request -> Reply.json(operator.leader())),
                Route.get("/v1/status/peers", request -> Reply.json(operator.peers())),
                Route.get("/v1/regions", request -> Reply.json(operator.regions())),
                Route.get("/v1/agent/members", request -> Reply.json(operator.members())),
                Route.get("/v1/operator/raft/configuration", request -> Reply.json(operator.raftConfiguration())),
                Route.get("/v1/agent/servers", request -> Reply.json(operator.peers())),
                Route.put("/v1/agent/servers", request -> sameServers()),
                Route.get("/v1/operator/autopilot/health", request -> routes.autopilotHealth()),
                Route.get(
                        "/v1/operator/autopilot/configuration",
                        request -> Reply.json(operator.autopilotConfiguration())),
                Route.put("/v1/operator/autopilot/configuration", request -> noAutopilot()),
                Route.get("/v1/operator/scheduler/configuration", routes::scheduler),
                Route.put("/v1/operator/scheduler/configuration", routes::setScheduler),
                Route.get("/v1/operator/recovery", routes::recovery),
                Route.put("/v1/operator/recovery/end", routes::endRecovery),
                Route.put("/v1/operator/recovery/abandon", routes::abandonHoldings),
                Route.get("/v1/operator/snapshot", request -> routes.snapshot()),
                Route.put("/v1/operator/snapshot", request -> noRestore()),
                Route.put("/v1/system/gc", routes::collectGarbage));
    }

    private static Reply sameServers() throws Refused {
        throw QueryParams.malformed("the servers of a node are those it was started with: start its agent with others,"
                + " see \"cleat agent -help\"");
    }

    private Reply autopilotHealth() throws Refused, Trouble, InterruptedException {
        AutopilotHealth health = operator.autopilotHealth();
        return new Reply(health.Healthy() ? 200 : 429, Map.of(), new Reply.Json(health));
    }

    private static Reply noAutopilot() throws Refused {
        throw QueryParams.malformed("there is no autopilot here that could be configured: no member of the log is added"
                + " or removed unasked");
    }

    private Reply scheduler(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(operator.scheduler(QueryParams.read(request)));
    }

    private Reply setScheduler(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(operator.setScheduler(
                QueryParams.write(request),
                Bodies.read(request, SchedulerConfiguration.class),
                QueryParams.ifIndex(request)));
    }

    private Reply recovery(Request request) throws Refused, Trouble, InterruptedException {
        return Reply.json(operator.recovery(QueryParams.read(request)));
    }

    private Reply endRecovery(Request request) throws Refused, Trouble, InterruptedException {
        RecoveryEndRequest end = Bodies.read(request, RecoveryEndRequest.class);
        return Reply.json(operator.endRecovery(end.By(), end.Force()));
    }

    private Reply abandonHoldings(Request request) throws Refused, Trouble, InterruptedException {
        return Reply.json(operator.abandonHoldings(
                Bodies.read(request, RecoveryAbandonRequest.class).NodeID()));
    }

    private Reply snapshot() throws Refused, Trouble, InterruptedException {
        OperatorAnswers.SnapshotBody body = operator.snapshot();
        return Reply.stream("application/octet-stream", body.writer()).with("Digest", "sha-256=" + body.sha256());
    }

    /** Of a server that runs, nodes and clients know what it has said. */
    private static Reply noRestore() throws Refused {
        throw QueryParams.malformed("a server that runs is not restored: stop its agent, and run \"cleat operator"
                + " snapshot restore -data-dir=DIRECTORY FILE\"");
    }

    private Reply collectGarbage(Request request) throws Refused, Trouble, InterruptedException {
        operator.collectGarbage(QueryParams.write(request));
        return Reply.empty();
    }
}
