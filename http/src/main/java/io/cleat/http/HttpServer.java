package io.cleat.http;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

import io.cleat.base.Effect;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Time;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.websocket.core.server.WebSocketMappings;
import org.eclipse.jetty.websocket.core.server.WebSocketServerComponents;
import org.jspecify.annotations.Nullable;

/**
 * Speaks HTTP/1.1 on TCP ports and Unix sockets; every request has a virtual thread. What a client can take is bounded:
 * {@link Limits}.
 */
public final class HttpServer implements AutoCloseable {
    /** Some clients send brackets and other signs of ids as they are, which RFC 3986, section 2.2, wants encoded. */
    private static final UriCompliance LENIENT =
            UriCompliance.from("RFC3986,ILLEGAL_PATH_CHARACTERS,SUSPICIOUS_PATH_CHARACTERS,AMBIGUOUS_PATH_SEPARATOR");

    /** How long a client may be idle while there is no connection left for another one. */
    private static final Duration IDLE_IN_A_CROWD = Duration.ofSeconds(2);

    private static final int LONGEST_SOCKET_PATH = 107;

    /** Bytes of a request's line and headers. */
    private static final int LARGEST_HEAD = 8 * 1024;

    private final Server server;
    private final List<Listener> listeners;

    /**
     * What one client, and all together, may take.
     *
     * @param largestBody of a request, in bytes
     * @param idle how long a client may neither send nor take anything; a request that is being answered is not idle
     * @param wholeBody how long a body may take to come
     * @param connections at most; with a quarter left, queries that wait for news are answered early, the oldest first
     */
    public record Limits(int largestBody, Duration idle, Duration wholeBody, int connections) {
        public static final Limits DEFAULT =
                new Limits(4 * 1024 * 1024, Duration.ofSeconds(30), Duration.ofMinutes(1), 4096);

        public Limits withConnections(int count) {
            return new Limits(largestBody, idle, wholeBody, count);
        }
    }

    private HttpServer(Server server, List<Listener> listeners) {
        this.server = server;
        this.listeners = listeners;
    }

    /**
     * Listens, and answers through {@code dispatcher}. A Unix socket that nobody listens on any more is replaced.
     *
     * @throws LinkTrouble an address is in use, or not one of this machine; then nothing listens
     */
    public static HttpServer open(List<Listener> listeners, Dispatcher dispatcher, Limits limits, Time time)
            throws LinkTrouble {
        Admission always = Admission.ofHeap(() -> false, limits, time);
        return open(listeners, dispatcher, always, limits, time);
    }

    /**
     * As {@link #open(List, Dispatcher, Limits, Time)}.
     *
     * @param admission refuses what there is no memory for
     */
    public static HttpServer open(
            List<Listener> listeners, Dispatcher dispatcher, Admission admission, Limits limits, Time time)
            throws LinkTrouble {
        QueuedThreadPool threads = new QueuedThreadPool();
        threads.setName("http");
        Executor virtual = VirtualThreads.getNamedVirtualThreadsExecutor("http/");
        threads.setVirtualThreadsExecutor(virtual);
        Server server = new Server(threads);
        WebSocketMappings webSockets =
                new WebSocketMappings(WebSocketServerComponents.ensureWebSocketComponents(server));
        BodyReader bodies = new BodyReader(limits, admission.bodies(), time);
        NetworkConnectionLimit connections = new NetworkConnectionLimit(limits.connections(), server);
        connections.setEndPointIdleTimeout(IDLE_IN_A_CROWD.toMillis());
        server.addBean(connections);
        ParkedQueries parked = new ParkedQueries(
                threads, connections::getNetworkConnectionCount, limits.connections(), dispatcher.errors(), time);
        server.addBean(parked);
        server.setHandler(new JettyBridge(dispatcher, admission, bodies, parked, webSockets, virtual, time));
        server.setErrorHandler(new LibraryRefusals(LARGEST_HEAD));
        List<AbstractConnector> connectors = new ArrayList<>();
        for (Listener listener : listeners) {
            AbstractConnector connector = connector(server, listener);
            connector.setIdleTimeout(limits.idle().toMillis());
            server.addConnector(connector);
            connectors.add(connector);
        }
        start(server, listeners);
        List<Listener> bound = new ArrayList<>();
        for (int i = 0; i < listeners.size(); i++) {
            bound.add(bound(listeners.get(i), connectors.get(i)));
        }
        return new HttpServer(server, List.copyOf(bound));
    }

    /** Where it listens, with the ports that were chosen, in the order given. */
    public List<Listener> listeners() {
        return listeners;
    }

    /** Stops listening and cuts what is open; harmless if repeated. */
    @Override
    public void close() {
        stop(server);
        for (Listener listener : listeners) {
            if (listener instanceof Listener.Unix unix) {
                removeQuietly(unix.path());
            }
        }
    }

    private static AbstractConnector connector(Server server, Listener listener) throws LinkTrouble {
        HttpConfiguration http = new HttpConfiguration();
        http.setUriCompliance(LENIENT);
        http.setRequestHeaderSize(LARGEST_HEAD);
        http.setSendServerVersion(false);
        http.setSendDateHeader(false);
        HttpConnectionFactory factory = new HttpConnectionFactory(http);
        return switch (listener) {
            case Listener.Tcp tcp -> {
                ServerConnector connector = new ServerConnector(server, factory);
                connector.setHost(tcp.address().getHostAddress());
                connector.setPort(tcp.port());
                yield connector;
            }
            case Listener.Unix unix -> {
                prepare(unix.path());
                yield new UnixConnector(server, unix.path(), factory);
            }
        };
    }

    /** Makes the directory ours alone before the socket is in it: its mode comes after binding. */
    private static void prepare(Path socket) throws LinkTrouble {
        int length = socket.toString().getBytes(StandardCharsets.UTF_8).length;
        if (length > LONGEST_SOCKET_PATH) {
            throw trouble(
                    "the socket's path "
                            + socket
                            + " has "
                            + length
                            + " bytes; at most "
                            + LONGEST_SOCKET_PATH
                            + " are possible",
                    null);
        }
        Path directory = requireNonNull(socket.toAbsolutePath().getParent());
        try {
            if (!Files.isDirectory(directory)) {
                Files.createDirectories(directory);
                Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
            }
            if (Files.exists(socket, LinkOption.NOFOLLOW_LINKS)) {
                if (isListenedOn(socket)) {
                    throw trouble("another agent listens on " + socket, null);
                }
                Files.delete(socket);
            }
        } catch (IOException failed) {
            throw trouble("cannot prepare the socket " + socket + ": " + failed.getMessage(), failed);
        }
    }

    private static boolean isListenedOn(Path socket) {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return channel.connect(UnixDomainSocketAddress.of(socket));
        } catch (IOException nobody) {
            return false;
        }
    }

    private static void start(Server server, List<Listener> listeners) throws LinkTrouble {
        try {
            server.start();
            for (Listener listener : listeners) {
                if (listener instanceof Listener.Unix unix) {
                    Files.setPosixFilePermissions(unix.path(), PosixFilePermissions.fromString("rw-------"));
                }
            }
        } catch (Exception failed) {
            // Jetty's start is declared to throw anything.
            stop(server);
            throw trouble(
                    "cannot listen on "
                            + listeners.stream().map(Listener::toString).collect(joining(", "))
                            + ": "
                            + reason(failed),
                    failed);
        }
    }

    /** The innermost reason: what is around it only says that starting failed. */
    private static String reason(Throwable failed) {
        Throwable cause = failed;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    private static Listener bound(Listener listener, AbstractConnector connector) {
        return listener instanceof Listener.Tcp tcp && connector instanceof ServerConnector actual
                ? new Listener.Tcp(tcp.address(), actual.getLocalPort())
                : listener;
    }

    private static void stop(Server server) {
        try {
            server.stop();
        } catch (Exception failed) {
            // Jetty's stop is declared to throw anything; what listens is closed all the same.
            throw new IllegalStateException("the HTTP server did not stop cleanly", failed);
        }
    }

    private static void removeQuietly(Path socket) {
        try {
            Files.deleteIfExists(socket);
        } catch (IOException left) {
            // A socket that nobody listens on is replaced at the next start.
            return;
        }
    }

    private static LinkTrouble trouble(String message, @Nullable Throwable cause) {
        return new LinkTrouble(message, Effect.NONE, Retry.NEVER, cause);
    }
}
