package io.cleat.http.routes;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cleat.api.Json;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.http.AgentLocator;
import io.cleat.http.Conversation;
import io.cleat.http.ExecFrames;
import io.cleat.http.ExecQuery;
import io.cleat.http.NodeApi;
import io.cleat.http.QueryParams;
import io.cleat.http.Reply;
import io.cleat.http.Request;
import io.cleat.http.Route;
import java.util.List;
import java.util.Optional;

/** Commands in tasks. */
final class ExecRoutes {
    private final NodeApi node;

    private ExecRoutes(NodeApi node) {
        this.node = node;
    }

    static List<Route> of(NodeApi node, AgentLocator locator) {
        return List.of(Route.get(
                "/v1/client/allocation/:id/exec", new AllocationRelay(node, locator).to(new ExecRoutes(node)::exec)));
    }

    private Reply exec(Request request) throws Refused, Trouble, InterruptedException {
        if (!request.isWebSocket()) {
            throw QueryParams.malformed("exec needs a websocket: the request asks for none");
        }
        boolean isFlow = QueryParams.flag(request, "ws_handshake");
        // Run before the connection changes, so that what is refused has a status.
        return Reply.webSocket(new Running(node.exec(query(request)), isFlow));
    }

    private static ExecQuery query(Request request) throws Refused {
        List<String> command;
        try {
            command = List.of(Json.read(request.text("command").getBytes(UTF_8), String[].class));
        } catch (Refused | NullPointerException unreadable) {
            command = List.of();
        }
        if (command.isEmpty() || command.getFirst().isEmpty()) {
            throw QueryParams.malformed("command must be a JSON array of strings, such as [\"/bin/date\"]");
        }
        if (command.stream().anyMatch(word -> word.indexOf(0) >= 0)) {
            throw QueryParams.malformed("a command has no NUL character in it");
        }
        return new ExecQuery(request.variable("id"), request.text("task"), command, QueryParams.flag(request, "tty"));
    }

    /** The frames of a command that runs, passed on. */
    private static final class Running implements Conversation {
        private final ExecFrames command;
        private boolean skipsFirst;

        /**
         * @param skipsFirst whether the client, a browser, says who it is in its first message, which nobody asks for
         *     until access control exists
         */
        Running(ExecFrames command, boolean skipsFirst) {
            this.command = command;
            this.skipsFirst = skipsFirst;
        }

        @Override
        public void speak(Speaker speaker) throws Trouble, InterruptedException {
            for (Optional<byte[]> frame = command.next(); frame.isPresent(); frame = command.next()) {
                speaker.say(frame.get());
            }
        }

        @Override
        public void hear(byte[] message) throws Refused, Trouble, InterruptedException {
            if (skipsFirst) {
                skipsFirst = false;
            } else {
                command.send(message);
            }
        }

        @Override
        public void gone() {
            command.close();
        }
    }
}
