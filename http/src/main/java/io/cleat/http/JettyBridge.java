package io.cleat.http;

import io.cleat.api.OpenConnection;
import io.cleat.base.Deadline;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.core.server.WebSocketMappings;
import org.eclipse.jetty.websocket.core.server.WebSocketNegotiator;

/**
 * Between Jetty and the dispatcher: the only class that knows both. Called on a virtual thread per
 * request, which it may block.
 */
final class JettyBridge extends Handler.Abstract {
    private final Dispatcher dispatcher;
    private final HttpServer.Limits limits;
    private final Time time;
    private final WebSocketMappings webSockets;
    private final Executor threads;

    /**
     * @param threads what outlives a request runs on, a virtual thread each
     */
    JettyBridge(
            Dispatcher dispatcher,
            HttpServer.Limits limits,
            Time time,
            WebSocketMappings webSockets,
            Executor threads) {
        this.webSockets = webSockets;
        this.threads = threads;
        this.dispatcher = dispatcher;
        this.limits = limits;
        this.time = time;
    }

    @Override
    public boolean handle(
            org.eclipse.jetty.server.Request jetty, Response response, Callback callback) {
        try {
            byte[] body = body(jetty);
            // A blocking query sends nothing for minutes: its connection is not idle.
            jetty.addIdleTimeoutListener(timeout -> false);
            answer(jetty, request(jetty, body), response, callback);
        } catch (Refused malformed) {
            finish(response, callback, malformed);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            callback.failed(stopping);
        } catch (IOException | Trouble cut) {
            callback.failed(cut);
        } catch (RuntimeException | Error fault) {
            finish(response, callback, jetty.getMethod(), fault);
        }
        return true;
    }

    /** A fault outside of a route: in reading the request, or in the middle of the answer. */
    private void finish(Response response, Callback callback, String method, Throwable fault) {
        String what = method + (response.isCommitted() ? " (cut in its answer)" : "");
        Reply reply = dispatcher.errors().reply(what, fault);
        if (response.isCommitted()) {
            callback.failed(fault);
            return;
        }
        try {
            response.reset();
            send(response, Encoded.of(reply));
            callback.succeeded();
        } catch (IOException | RuntimeException gone) {
            callback.failed(gone);
        }
    }

    private void finish(Response response, Callback callback, Refused refused) {
        if (response.isCommitted()) {
            // In the middle of a stream: cutting the connection is the only way to say it.
            callback.failed(refused);
            return;
        }
        try {
            send(response, Encoded.of(Problems.reply(refused.refusal(), false)));
            callback.succeeded();
        } catch (IOException gone) {
            callback.failed(gone);
        }
    }

    private byte[] body(org.eclipse.jetty.server.Request jetty) throws IOException, Refused {
        if (jetty.getLength() == 0) {
            return new byte[0];
        }
        Deadline deadline = Deadline.in(time, limits.wholeBody());
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        byte[] some = new byte[8192];
        try (InputStream in = Content.Source.asInputStream(jetty)) {
            for (int count = in.read(some); count >= 0; count = in.read(some)) {
                body.write(some, 0, count);
                if (body.size() > limits.largestBody()) {
                    throw new Refused(
                            new Refusal.Malformed(
                                    "the body is larger than " + limits.largestBody() + " bytes"));
                }
                if (deadline.isExpired()) {
                    throw new Refused(
                            new Refusal.Malformed(
                                    "the body did not come within "
                                            + limits.wholeBody().toSeconds()
                                            + " s"));
                }
            }
        }
        return body.toByteArray();
    }

    private static Request request(org.eclipse.jetty.server.Request jetty, byte[] body)
            throws Refused {
        Map<String, String> headers = new HashMap<>();
        for (HttpField field : jetty.getHeaders()) {
            headers.merge(
                    field.getName().toLowerCase(Locale.ROOT),
                    field.getValue() == null ? "" : field.getValue(),
                    (one, more) -> one + "," + more);
        }
        int port =
                jetty.getConnectionMetaData().getLocalSocketAddress()
                                instanceof InetSocketAddress tcp
                        ? tcp.getPort()
                        : Request.UNIX;
        // There is none in what is for no path, such as CONNECT.
        String target = Objects.requireNonNullElse(jetty.getHttpURI().getPathQuery(), "");
        return Request.of(jetty.getMethod(), target, headers, body, port);
    }

    private void answer(
            org.eclipse.jetty.server.Request jetty,
            Request request,
            Response response,
            Callback callback)
            throws IOException, Refused, Trouble, InterruptedException {
        Reply reply = dispatcher.answer(request);
        switch (reply.body()) {
            case Reply.WebSocket(Conversation conversation) ->
                    converse(conversation, jetty, response, callback);
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
                answer(reply, request, response);
                callback.succeeded();
            }
        }
    }

    /** Jetty answers, also a client that asks for it wrongly. */
    private void converse(
            Conversation conversation,
            org.eclipse.jetty.server.Request jetty,
            Response response,
            Callback callback)
            throws Refused {
        boolean isAnswered = false;
        try {
            isAnswered =
                    webSockets.upgrade(
                            WebSocketNegotiator.from(
                                    (request, answer, done) -> conversation,
                                    (handler, request, answer) ->
                                            new OpenWebSocket(
                                                    conversation, threads, dispatcher.errors())),
                            jetty,
                            response,
                            callback,
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

    private static void answer(Reply reply, Request request, Response response)
            throws IOException, Refused, Trouble, InterruptedException {
        if (reply.body() instanceof Reply.Stream stream) {
            reply.headers().forEach((name, value) -> response.getHeaders().put(name, value));
            response.setStatus(reply.status());
            response.getHeaders().put("Vary", "Accept-Encoding");
            response.getHeaders().put("Content-Type", stream.contentType());
            OutputStream out = Content.Sink.asOutputStream(response);
            stream.writer().write(out);
            // Only now: closing says that all has come, which after a failure nobody may believe.
            out.close();
        } else {
            send(response, Encoded.of(reply, request));
        }
    }

    private static void send(Response response, Encoded encoded) throws IOException {
        response.setStatus(encoded.status());
        encoded.headers().forEach((name, value) -> response.getHeaders().put(name, value));
        response.getHeaders().put("Content-Length", encoded.body().length);
        try (OutputStream out = Content.Sink.asOutputStream(response)) {
            out.write(encoded.body());
        }
    }
}
