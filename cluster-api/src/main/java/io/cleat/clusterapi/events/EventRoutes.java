package io.cleat.clusterapi.events;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cleat.api.Event;
import io.cleat.api.Json;
import io.cleat.base.Refused;
import io.cleat.http.QueryParams;
import io.cleat.http.ReadQuery;
import io.cleat.http.Reply;
import io.cleat.http.Request;
import io.cleat.http.Route;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Iterator;
import java.util.List;

/**
 * The event stream: lines of JSON without end. A client that does not take what it is sent is cut by the server's idle
 * limit; nobody waits for it.
 */
public final class EventRoutes {
    private static final int BUFFER = 16 * 1024;

    private final EventAnswers events;

    private EventRoutes(EventAnswers events) {
        this.events = events;
    }

    public static List<Route> of(EventAnswers events) {
        return List.of(Route.get("/v1/event/stream", new EventRoutes(events)::stream));
    }

    private Reply stream(Request request) throws Refused {
        EventReader reader = events.open(query(request));
        return Reply.stream("application/json", out -> write(reader, out));
    }

    static EventQuery query(Request request) throws Refused {
        ReadQuery read = QueryParams.read(request);
        return EventQuery.of(request.texts("topic"), read.index(), read.namespace());
    }

    static void write(EventReader reader, OutputStream to) throws IOException, InterruptedException {
        OutputStream out = new BufferedOutputStream(to, BUFFER);
        line(out, "{}");
        out.flush();
        while (true) {
            switch (reader.next()) {
                case EventReader.Heartbeat _ -> line(out, "{}");
                case EventReader.Missed(long from, long last) ->
                    line(out, "{\"Missed\":{\"From\":" + from + ",\"To\":" + last + "}}");
                case EventReader.Batch(long index, Iterator<Event> batch) -> write(out, index, batch);
            }
            out.flush();
        }
    }

    /** One event after the other: a batch may be large, and is never whole in memory. */
    private static void write(OutputStream out, long index, Iterator<Event> events) throws IOException {
        write(out, "{\"Index\":" + index + ",\"Events\":[");
        while (events.hasNext()) {
            Json.write(out, events.next());
            if (events.hasNext()) {
                write(out, ",");
            }
        }
        line(out, "]}");
    }

    private static void line(OutputStream out, String text) throws IOException {
        write(out, text + "\n");
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(UTF_8));
    }
}
