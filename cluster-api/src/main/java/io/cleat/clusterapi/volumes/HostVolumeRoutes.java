package io.cleat.clusterapi.volumes;

import io.cleat.api.HostVolumeRequest;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.http.Bodies;
import io.cleat.http.QueryParams;
import io.cleat.http.Replies;
import io.cleat.http.Reply;
import io.cleat.http.Request;
import io.cleat.http.Route;
import java.util.List;

/** Host volumes that nodes make; their list is one of {@link VolumeRoutes}. */
public final class HostVolumeRoutes {
    private final HostVolumeAnswers volumes;

    private HostVolumeRoutes(HostVolumeAnswers volumes) {
        this.volumes = volumes;
    }

    public static List<Route> of(HostVolumeAnswers volumes) {
        HostVolumeRoutes routes = new HostVolumeRoutes(volumes);
        return List.of(
                Route.put("/v1/volume/host/create", routes::create),
                Route.put("/v1/volume/host/register", routes::register),
                Route.get("/v1/volume/host/:id", routes::get),
                Route.delete("/v1/volume/host/:id", routes::delete),
                Route.get("/v1/volumes/claims", routes::claims),
                Route.delete("/v1/volumes/claim/:id", routes::deleteClaim));
    }

    private Reply create(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(volumes.create(QueryParams.write(request), Bodies.read(request, HostVolumeRequest.class)));
    }

    private Reply register(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(
                volumes.register(QueryParams.write(request), Bodies.read(request, HostVolumeRequest.class)));
    }

    private Reply get(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.found(volumes.get(QueryParams.read(request), request.variable("id")), "volume not found");
    }

    private Reply claims(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(volumes.claims(
                QueryParams.list(request),
                request.text("job_id"),
                request.text("task_group"),
                request.text("volume_name")));
    }

    private Reply deleteClaim(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.withMeta(Reply.empty(), volumes.deleteClaim(QueryParams.write(request), request.variable("id")));
    }

    private Reply delete(Request request) throws Refused, Trouble, InterruptedException {
        String force = request.text("force");
        boolean isForced = !force.isEmpty()
                && QueryParams.bool(force).orElseThrow(() -> QueryParams.malformed("invalid force value"));
        return Replies.query(volumes.delete(QueryParams.write(request), request.variable("id"), isForced));
    }
}
