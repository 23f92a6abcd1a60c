package io.cleat.http;

import io.cleat.base.FaultHandler;
import io.cleat.base.Ids;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Answers requests: is the request let in, which route is it for, and what became of it. Safe for any number of
 * threads.
 */
public final class Dispatcher {
    private static final Reply UNKNOWN_PATH = new Reply(404, Map.of(), new Reply.Empty());

    private final Guard guard;
    private final RouteTable routes;
    private final Route.Handler otherwise;
    private final Regions regions;
    private final InternalErrors errors;

    /** The regions that requests may name. */
    @FunctionalInterface
    public interface Regions {
        List<String> names() throws Refused, Trouble, InterruptedException;
    }

    /** For an agent that answers everything itself. */
    public Dispatcher(Guard guard, List<Route> routes, Regions regions, FaultHandler faults, Ids ids) {
        this(guard, routes, request -> UNKNOWN_PATH, regions, faults, ids);
    }

    /**
     * For an agent that has more asked elsewhere.
     *
     * @param otherwise answers what no route is for
     */
    public Dispatcher(
            Guard guard, List<Route> routes, Route.Handler otherwise, Regions regions, FaultHandler faults, Ids ids) {
        this.guard = guard;
        this.routes = new RouteTable(routes);
        this.otherwise = otherwise;
        this.regions = regions;
        this.errors = new InternalErrors(faults, ids);
    }

    /** For what goes wrong after the answer was begun. */
    InternalErrors errors() {
        return errors;
    }

    /** The answer to one who is not let in; it needs no body of the request. */
    Optional<Reply> turnsAway(Request request) {
        return guard.refuses(request).map(reason -> Reply.text(403, reason));
    }

    /** The answer; never an exception of a route. */
    public Reply answer(Request request) throws InterruptedException {
        Optional<Reply> away = turnsAway(request);
        if (away.isPresent()) {
            return away.get();
        }
        if (request.segments().equals(List.of(""))) {
            return new Reply(307, Map.of("Location", "/ui/"), new Reply.Empty());
        }
        Optional<Reply> absent = AbsentPaths.reply(request);
        if (absent.isPresent()) {
            return absent.get();
        }
        return switch (routes.find(request)) {
            case RouteTable.Hit hit -> run(hit.route(), request.with(hit.variables()));
            case RouteTable.OtherMethod ignored -> Reply.text(405, "Invalid method");
            case RouteTable.UnknownPath(String lacks)
            when !lacks.isEmpty() -> Reply.text(400, "the path has an empty \"" + lacks + "\": name what is meant");
            case RouteTable.UnknownPath ignored ->
                run(new Route(request.method(), "(another agent)", otherwise, false), request);
        };
    }

    private Reply run(Route route, Request request) throws InterruptedException {
        try {
            requireRegion(request);
            return route.handler().handle(request);
        } catch (Refused refused) {
            if (refused.refusal() instanceof Refusal.Fault(String words)) {
                return errors.told(words);
            }
            return Problems.reply(refused.refusal(), route.missingIs404());
        } catch (Trouble trouble) {
            return Problems.reply(trouble);
        } catch (FilterFault filter) {
            return Problems.reply(filter.refusal(), route.missingIs404());
        } catch (RuntimeException | Error fault) {
            return errors.reply(route.method() + " " + route.pattern(), fault);
        }
    }

    private void requireRegion(Request request) throws Refused, Trouble, InterruptedException {
        String region = request.text("region");
        if (!region.isEmpty() && !regions.names().contains(region)) {
            throw new Refused(new Refusal.Invalid("No path to region"));
        }
    }
}
