package io.cleat.clusterapi.services;

import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.base.VisibleText;
import io.cleat.http.QueryParams;
import io.cleat.http.Replies;
import io.cleat.http.Reply;
import io.cleat.http.Request;
import io.cleat.http.Route;
import java.util.List;
import java.util.Optional;

/** Services. */
public final class ServiceRoutes {
    /** Characters of a key that chooses: it is hashed with each place. */
    private static final int LONGEST_KEY = 1024;

    private static final int MOST_DIGITS = 9;

    private final ServiceAnswers services;

    private ServiceRoutes(ServiceAnswers services) {
        this.services = services;
    }

    public static List<Route> of(ServiceAnswers services) {
        ServiceRoutes routes = new ServiceRoutes(services);
        return List.of(
                Route.get("/v1/services", routes::list),
                Route.get("/v1/service/:name", routes::get),
                Route.delete("/v1/service/:name/:id", routes::delete),
                Route.get("/v1/job/:id/services", routes::ofJob),
                Route.get("/v1/allocation/:id/services", routes::ofAllocation));
    }

    private Reply list(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(services.list(QueryParams.list(request)));
    }

    private Reply get(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(services.get(QueryParams.list(request), request.variable("name"), choice(request)));
    }

    private Reply delete(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.withMeta(
                Reply.empty(),
                services.delete(QueryParams.write(request), request.variable("name"), request.variable("id")));
    }

    private Reply ofJob(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.found(services.ofJob(QueryParams.read(request), request.variable("id")), "job not found");
    }

    private Reply ofAllocation(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.found(
                services.ofAllocation(QueryParams.read(request), request.variable("id")), "alloc not found");
    }

    private static Optional<ServiceAnswers.Choice> choice(Request request) throws Refused {
        String text = request.text("choose");
        if (text.isEmpty()) {
            return Optional.empty();
        }
        int bar = text.indexOf('|');
        String number = bar < 0 ? "" : text.substring(0, bar);
        String key = text.substring(bar + 1);
        if (number.isEmpty()
                || number.length() > MOST_DIGITS
                || !number.chars().allMatch(c -> c >= '0' && c <= '9')
                || Integer.parseInt(number) == 0
                || key.isEmpty()
                || key.length() > LONGEST_KEY) {
            throw QueryParams.malformed("choose must be a number, a bar and a key, such as 2|abc123: the number is at"
                    + " least 1, the key has at most "
                    + LONGEST_KEY
                    + " characters; got \""
                    + VisibleText.cut(text, 64)
                    + "\"");
        }
        return Optional.of(new ServiceAnswers.Choice(Integer.parseInt(number), key));
    }
}
