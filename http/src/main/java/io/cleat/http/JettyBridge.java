package io.cleat.http;

import io.cleat.base.EarlyEnd;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import io.cleat.exchange.OpenConnection;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.core.server.WebSocketMappings;
import org.eclipse.jetty.websocket.core.server.WebSocketNegotiator;

/**
 * Between Jetty and the dispatcher: the only class that knows both. Called on a virtual thread per request, which it
 * may block.
 */
final class JettyBridge extends Handler.Abstract {
    /** For a client that may be gone: nothing that it has not sent. */
    private static final Reply CUT = Reply.text(500, "the request or its answer broke off");

    /** How long a connection stays whose client was answered early. */
    private static final Duration LEAVE_WITHIN = Duration.ofMillis(100);

    private final Dispatcher dispatcher;
    private final Admission admission;
    private final BodyReader bodies;
    private final ParkedQueries parked;
    private final WebSocketMappings webSockets;
    private final Executor threads;
    private final Time time;

    /** @param threads what outlives a request runs on, a virtual thread each */
    JettyBridge(
            Dispatcher dispatcher,
            Admission admission,
            BodyReader bodies,
            ParkedQueries parked,
            WebSocketMappings webSockets,
            Executor threads,
            Time time) {
        this.time = time;
        this.webSockets = webSockets;
        this.threads = threads;
        this.dispatcher = dispatcher;
        this.admission = admission;
        this.bodies = bodies;
        this.parked = parked;
    }

    @Override
    public boolean handle(org.eclipse.jetty.server.Request jetty, Response response, Callback callback)
            throws InterruptedException {
        try {
            Optional<Refusal> full =
                    admission.refuses(jetty.getMethod(), jetty.getHttpURI().getPath());
            if (full.isPresent()) {
                throw new Refused(full.get());
            }
            answer(jetty, response, callback);
        } catch (Refused refused) {
            finish(response, callback, refused, Problems.reply(refused.refusal(), false));
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            callback.failed(stopping);
        } catch (Trouble trouble) {
            finish(response, callback, trouble, Problems.reply(trouble));
        } catch (FileSystemException unreadable) {
            // The client is not told which file it was; the log is.
            String what = jetty.getMethod() + " (a file of this machine)";
            finish(response, callback, unreadable, dispatcher.errors().reply(what, unreadable));
        } catch (IOException cut) {
            // Left to itself, the library answers with a page that names class and words.
            finish(response, callback, cut, CUT);
        } catch (FilterFault filter) {
            // Of a list that is filtered while it is written.
            finish(response, callback, filter, Problems.reply(filter.refusal(), false));
        } catch (RuntimeException | Error fault) {
            // In reading the request, or in what makes an answer while it is written.
            String what = jetty.getMethod() + (response.isCommitted() ? " (cut in its answer)" : "");
            finish(response, callback, fault, dispatcher.errors().reply(what, fault));
        }
        return true;
    }

    private void finish(Response response, Callback callback, Throwable failure, Reply instead)
            throws InterruptedException {
        if (response.isCommitted()) {
            // In the middle of a body: cutting the connection is the only way to say it.
            callback.failed(failure);
            return;
        }
        try {
            // Of an answer that was begun, the headers are there.
            response.reset();
            AnswerWriter.to(sink(response), admission.answers()).write(instead);
            callback.succeeded();
        } catch (IOException | Refused | Trouble | RuntimeException gone) {
            callback.failed(gone);
        }
    }

    private void answer(org.eclipse.jetty.server.Request jetty, Response response, Callback callback)
            throws IOException, Refused, Trouble, InterruptedException {
        // Who is not let in is not read further, and takes no room.
        Request request = request(jetty, new byte[0]);
        Optional<Reply> away = dispatcher.turnsAway(request);
        if (away.isPresent()) {
            answer(away.get(), jetty, request, response, callback);
            return;
        }
        EndPoint client = jetty.getConnectionMetaData().getConnection().getEndPoint();
        EarlyEnd early = new EarlyEnd();
        Reply reply;
        try (BodyReader.Body body = bodies.read(length(jetty), Content.Source.asInputStream(jetty))) {
            // A blocking query sends nothing for minutes: its connection is not idle. One that does
            // not take what it is sent is, all the same.
            jetty.addIdleTimeoutListener(timeout -> false);
            request = request.carrying(body.bytes());
            reply = dispatch(request, early, client);
        }
        boolean isEarly = early.isEnded();
        if (isEarly) {
            response.getHeaders().put("Connection", "close");
        }
        answer(reply, jetty, request, response, callback);
        if (isEarly) {
            // Also of a client that does not close its end.
            client.setIdleTimeout(LEAVE_WITHIN.toMillis());
        }
    }

    /** What waits for news waits no longer than its client does. */
    private Reply dispatch(Request request, EarlyEnd early, EndPoint client) throws InterruptedException {
        if (request.text("index").isEmpty() || !(client.getTransport() instanceof SocketChannel socket)) {
            return dispatcher.answer(request);
        }
        try (ParkedQueries.Parked _ = parked.park(socket, early)) {
            return dispatcher.answer(request.endedBy(early));
        }
    }

    /** Of the body; -1 if that is not known. A request that says nothing of a body has none (RFC 9112, 6.3). */
    private static long length(org.eclipse.jetty.server.Request jetty) {
        boolean isInChunks = jetty.getHeaders().contains(HttpHeader.TRANSFER_ENCODING);
        return isInChunks ? -1 : Math.max(0, jetty.getLength());
    }

    private static Request request(org.eclipse.jetty.server.Request jetty, byte[] body) throws Refused {
        Map<String, String> headers = new HashMap<>();
        for (HttpField field : jetty.getHeaders()) {
            headers.merge(
                    field.getLowerCaseName(),
                    field.getValue() == null ? "" : field.getValue(),
                    (one, more) -> one + "," + more);
        }
        int port = jetty.getConnectionMetaData().getLocalSocketAddress() instanceof InetSocketAddress tcp
                ? tcp.getPort()
                : Request.UNIX;
        // There is none in what is for no path, such as CONNECT.
        String target = Objects.requireNonNullElse(jetty.getHttpURI().getPathQuery(), "");
        return Request.of(jetty.getMethod(), target, headers, body, port);
    }

    private void answer(
            Reply reply, org.eclipse.jetty.server.Request jetty, Request request, Response response, Callback callback)
            throws IOException, Refused, Trouble, InterruptedException {
        switch (reply.body()) {
            case Reply.WebSocket(Conversation conversation) -> converse(conversation, jetty, response, callback);
            case Reply.Tunnel(OpenConnection connection) -> {
                EndPoint client = jetty.getConnectionMetaData().getConnection().getEndPoint();
                jetty.setAttribute(
                        HttpStream.UPGRADE_CONNECTION_ATTRIBUTE,
                        new Tunnel(client, connection, threads, dispatcher.errors()));
                reply.headers().forEach((name, value) -> response.getHeaders().put(name, value));
                response.setStatus(reply.status());
                callback.succeeded();
            }
            default -> {
                EndPoint client = jetty.getConnectionMetaData().getConnection().getEndPoint();
                try (ReaderPace pace = new ReaderPace(time, client::close)) {
                    AnswerSink sink = sink(response, pace);
                    AnswerWriter.to(sink, admission.answers(), request).write(reply);
                }
                callback.succeeded();
            }
        }
    }

    /** Jetty answers, also a client that asks for it wrongly. */
    private void converse(
            Conversation conversation, org.eclipse.jetty.server.Request jetty, Response response, Callback callback)
            throws Refused {
        boolean isAnswered = false;
        try {
            isAnswered = webSockets.upgrade(
                    WebSocketNegotiator.from(
                            (request, answer, done) -> conversation,
                            (handler, request, answer) ->
                                    new OpenWebSocket(conversation, threads, dispatcher.errors())),
                    jetty,
                    response,
                    orGone(conversation, callback),
                    null);
        } finally {
            if (!isAnswered) {
                conversation.gone();
            }
        }
        if (!isAnswered) {
            throw new Refused(new Refusal.Malformed("this needs a websocket of version 13"));
        }
    }

    /** A server that stops may answer, and never open the connection to the conversation. */
    private static Callback orGone(Conversation conversation, Callback callback) {
        return Callback.from(callback::succeeded, failure -> {
            conversation.gone();
            callback.failed(failure);
        });
    }

    private static OutputStream begin(Response response, int status, Map<String, String> headers, long length) {
        response.setStatus(status);
        headers.forEach((name, value) -> response.getHeaders().put(name, value));
        if (length >= 0) {
            response.getHeaders().put("Content-Length", length);
        }
        return Content.Sink.asOutputStream(response);
    }

    /** Small answers are not watched: there is nothing that others wait for. */
    private AnswerSink sink(Response response, ReaderPace pace) {
        return (status, headers, length) -> {
            OutputStream out = begin(response, status, headers, length);
            if (length >= 0 && length <= AnswerBody.BUFFER) {
                return out;
            }
            threads.execute(() -> watch(pace));
            return pace.over(out);
        };
    }

    private void watch(ReaderPace pace) {
        try {
            pace.watch();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error fault) {
            dispatcher.errors().tell("pace of a reader", fault);
        }
    }

    private static AnswerSink sink(Response response) {
        return (status, headers, length) -> begin(response, status, headers, length);
    }
}
