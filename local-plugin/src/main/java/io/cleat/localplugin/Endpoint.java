package io.cleat.localplugin;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.base.Threads;
import io.cleat.kernel.DurableFiles;
import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The gRPC server on a Unix socket that only its owner can connect to. The socket is bound under another name in a
 * directory of its own and renamed once it is closed to others, so nobody ever finds it open, and whoever finds it is
 * answered.
 */
final class Endpoint implements AutoCloseable {
    private static final int CALLS = 64;
    private static final long GRACE_SECONDS = 10;

    private final Path socket;
    private final Server server;
    private final EventLoopGroup loop;

    private Endpoint(Path socket, Server server, EventLoopGroup loop) {
        this.socket = socket;
        this.server = server;
        this.loop = loop;
    }

    /**
     * Serves at {@code socket}, in the place of a socket on which nobody answers any more.
     *
     * @throws CallRefused when somebody does, or when something else lies there
     */
    static Endpoint open(
            Path socket,
            List<? extends BindableService> services,
            List<? extends ServerInterceptor> interceptors,
            Threads threads)
            throws CallRefused, DiskTrouble {
        Path parent = socket.getParent();
        if (parent == null) {
            throw CallRefused.invalid(socket + " is no place for a socket");
        }
        DurableFiles.makeDirectory(parent);
        requireFree(socket);
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        boolean opened = false;
        // Short, so that a path that fits a socket's address fits with this one too.
        Path nursery = parent.resolve(".n");
        try {
            DurableFiles.makeDirectory(nursery);
            Path bound = nursery.resolve("s");
            Files.deleteIfExists(bound);
            Server server = server(bound, loop, threads, services, interceptors).start();
            Files.setPosixFilePermissions(bound, PosixFilePermissions.fromString("rw-------"));
            Files.move(bound, socket, StandardCopyOption.ATOMIC_MOVE);
            Files.delete(nursery);
            opened = true;
            return new Endpoint(socket, server, loop);
        } catch (IOException failed) {
            throw new DiskTrouble("serving on " + socket + " failed: " + failed, Effect.NONE, Retry.SAME_CALL, failed);
        } finally {
            if (!opened) {
                end(loop);
            }
        }
    }

    private static Server server(
            Path path,
            EventLoopGroup loop,
            Threads threads,
            List<? extends BindableService> services,
            List<? extends ServerInterceptor> interceptors) {
        NettyServerBuilder builder = NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(path))
                .channelType(NioServerDomainSocketChannel.class)
                .bossEventLoopGroup(loop)
                .workerEventLoopGroup(loop)
                .maxConcurrentCallsPerConnection(CALLS)
                .executor(work -> threads.contained("call", work::run, Threads.OnFault.NOTHING_MORE));
        services.forEach(builder::addService);
        interceptors.forEach(builder::intercept);
        return builder.build();
    }

    /** What is left of a killed predecessor may be replaced; anything else may not. */
    private static void requireFree(Path socket) throws CallRefused, DiskTrouble {
        if (!Files.exists(socket, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (!isSocket(socket)) {
            throw CallRefused.tooSoon(socket + " exists and is no socket; nothing was touched: name another place");
        }
        try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            probe.connect(UnixDomainSocketAddress.of(socket));
        } catch (IOException nobody) {
            return;
        }
        throw CallRefused.tooSoon("somebody answers on " + socket + "; stop that process, or name another socket");
    }

    private static boolean isSocket(Path path) throws DiskTrouble {
        try {
            int mode = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
            return (mode & 0170000) == 0140000;
        } catch (IOException failed) {
            throw new DiskTrouble("looking at " + path + " failed: " + failed, Effect.NONE, Retry.SAME_CALL, failed);
        }
    }

    /** Waits until the server has ended. */
    void await() throws InterruptedException {
        server.awaitTermination();
    }

    /** Lets running calls end, for a while, and removes the socket. */
    @Override
    public void close() {
        server.shutdown();
        try {
            server.awaitTermination(GRACE_SECONDS, TimeUnit.SECONDS);
            Files.deleteIfExists(socket);
        } catch (InterruptedException impatient) {
            Thread.currentThread().interrupt();
        } catch (IOException stays) {
            System.getLogger(Endpoint.class.getName())
                    .log(System.Logger.Level.WARNING, "{0} stays: {1}", socket, stays);
        }
        server.shutdownNow();
        end(loop);
    }

    private static void end(EventLoopGroup loop) {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(GRACE_SECONDS, TimeUnit.SECONDS);
    }
}
