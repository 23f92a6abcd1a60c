package io.cleat.clusterapi.volumes;

import io.cleat.api.Answer;
import io.cleat.api.AnswerMeta;
import io.cleat.api.CsiSnapshotRequest;
import io.cleat.api.CsiSnapshotResponse;
import io.cleat.api.CsiVolumeRequest;
import io.cleat.api.CsiVolumeResponse;
import io.cleat.api.ExternalVolumeResponse;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Secrets;
import io.cleat.base.Trouble;
import io.cleat.http.Bodies;
import io.cleat.http.QueryParams;
import io.cleat.http.Replies;
import io.cleat.http.Reply;
import io.cleat.http.Request;
import io.cleat.http.Route;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Volumes. */
public final class VolumeRoutes {
    private static final String MISSING = "volume not found";

    private final VolumeAnswers volumes;
    private final SnapshotAnswers snapshots;
    private final HostVolumeAnswers ofHosts;

    private VolumeRoutes(VolumeAnswers volumes, SnapshotAnswers snapshots, HostVolumeAnswers ofHosts) {
        this.volumes = volumes;
        this.snapshots = snapshots;
        this.ofHosts = ofHosts;
    }

    public static List<Route> of(VolumeAnswers volumes, SnapshotAnswers snapshots, HostVolumeAnswers ofHosts) {
        VolumeRoutes routes = new VolumeRoutes(volumes, snapshots, ofHosts);
        return List.of(
                Route.get("/v1/volumes", routes::list),
                Route.put("/v1/volumes", routes::register),
                Route.get("/v1/volumes/external", routes::external),
                Route.get("/v1/volumes/operations", routes::operations),
                Route.put("/v1/volumes/operation/:id/cancel", routes::cancel),
                Route.get("/v1/volumes/snapshot", routes::snapshots),
                Route.put("/v1/volumes/snapshot", routes::createSnapshots),
                Route.delete("/v1/volumes/snapshot", routes::deleteSnapshot),
                Route.get("/v1/volume/csi/:id", routes::get),
                Route.put("/v1/volume/csi/:id", routes::register),
                Route.delete("/v1/volume/csi/:id", routes::deregister),
                Route.get("/v1/volume/csi/:id/why", routes::why),
                Route.put("/v1/volume/csi/:id/create", routes::create),
                Route.delete("/v1/volume/csi/:id/delete", routes::delete),
                Route.delete("/v1/volume/csi/:id/detach", routes::detach));
    }

    private Reply list(Request request) throws Refused, Trouble, InterruptedException {
        return switch (request.text("type")) {
            case "" -> Reply.json(List.of());
            case "csi" ->
                Replies.query(
                        volumes.list(QueryParams.list(request), request.text("plugin_id"), request.text("node_id")));
            case "host" ->
                Replies.query(
                        ofHosts.list(QueryParams.list(request), request.text("node_id"), request.text("node_pool")));
            default -> throw new Refused(new Refusal.NotFound("resource not found"));
        };
    }

    private Reply get(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.found(volumes.get(QueryParams.read(request), request.variable("id")), MISSING);
    }

    private Reply why(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.found(volumes.why(QueryParams.read(request), request.variable("id")), MISSING);
    }

    private Reply operations(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(volumes.operations(QueryParams.read(request), request.text("about")));
    }

    private Reply cancel(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(volumes.cancel(QueryParams.write(request), request.variable("id")));
    }

    /** The body says which volume is meant; the id in the path does not. */
    private Reply register(Request request) throws Refused, Trouble, InterruptedException {
        Answer<CsiVolumeResponse> answer = volumes.register(QueryParams.write(request), volumesOf(request));
        return Replies.query(answer);
    }

    private Reply create(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(volumes.create(QueryParams.write(request), volumesOf(request)));
    }

    private static CsiVolumeRequest volumesOf(Request request) throws Refused {
        CsiVolumeRequest body = Bodies.read(request, CsiVolumeRequest.class);
        if (body.Volumes() == null || body.Volumes().isEmpty()) {
            throw new Refused(new Refusal.Invalid("missing volume definition"));
        }
        return body;
    }

    private Reply deregister(Request request) throws Refused, Trouble, InterruptedException {
        String force = request.text("force");
        boolean isForced = !force.isEmpty()
                && QueryParams.bool(force).orElseThrow(() -> QueryParams.malformed("invalid force value"));
        return done(volumes.deregister(QueryParams.write(request), request.variable("id"), isForced));
    }

    private Reply delete(Request request) throws Refused, Trouble, InterruptedException {
        return done(volumes.delete(
                QueryParams.write(request), request.variable("id"), secrets(request.header("X-Nomad-CSI-Secrets"))));
    }

    private Reply detach(Request request) throws Refused, Trouble, InterruptedException {
        String node = request.text("node");
        if (node.isEmpty()) {
            throw QueryParams.malformed("detach requires node ID");
        }
        return done(volumes.detach(
                QueryParams.write(request),
                request.variable("id"),
                node,
                QueryParams.flag(request, "abandon"),
                request.text("machine_is_off")));
    }

    private Reply external(Request request) throws Refused, Trouble, InterruptedException {
        ExternalVolumeResponse answer = volumes.external(
                QueryParams.read(request),
                request.text("plugin_id"),
                QueryParams.count(request, "per_page"),
                request.text("next_token"));
        return Replies.withMeta(
                Reply.json(answer), new AnswerMeta(answer.Index(), answer.LastContact(), answer.KnownLeader(), ""));
    }

    private Reply snapshots(Request request) throws Refused, Trouble, InterruptedException {
        CsiSnapshotResponse answer = snapshots.list(
                request.text("plugin_id"),
                QueryParams.count(request, "per_page"),
                request.text("next_token"),
                secrets(request.header("X-Nomad-CSI-Secrets")));
        return Replies.withMeta(
                Reply.json(answer), new AnswerMeta(answer.Index(), answer.LastContact(), answer.KnownLeader(), ""));
    }

    private Reply createSnapshots(Request request) throws Refused, Trouble, InterruptedException {
        CsiSnapshotRequest body = Bodies.read(request, CsiSnapshotRequest.class);
        if (body.Snapshots() == null || body.Snapshots().isEmpty()) {
            throw new Refused(new Refusal.Invalid("missing snapshot definition"));
        }
        return Replies.query(snapshots.create(QueryParams.write(request), body));
    }

    private Reply deleteSnapshot(Request request) throws Refused, Trouble, InterruptedException {
        return done(snapshots.delete(
                QueryParams.write(request),
                request.text("plugin_id"),
                request.text("snapshot_id"),
                secrets(request.header("X-Nomad-CSI-Secrets"))));
    }

    private static Reply done(AnswerMeta meta) {
        return Replies.withMeta(Reply.empty(), meta);
    }

    /** {@code k=v,k2=v2}; a part without an equals sign says nothing. */
    private static Secrets secrets(String header) {
        Map<String, String> values = new TreeMap<>();
        for (String part : header.split(",", -1)) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                values.put(part.substring(0, equals).strip(), part.substring(equals + 1));
            }
        }
        return Secrets.of(values);
    }
}
