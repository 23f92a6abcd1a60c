package io.cleat.http;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.unixdomain.server.UnixDomainServerConnector;

/**
 * Lets clients in at a Unix socket. The library's own connector would close the socket for good as soon as it is told
 * to let in more again; this one waits instead.
 */
final class UnixConnector extends UnixDomainServerConnector {
    /** How many may wait to be let in; the kernel takes at most somaxconn. */
    private static final int BACKLOG = 4096;

    private static final long PAUSE_NANOS = Duration.ofMillis(10).toNanos();

    private volatile boolean isOpen = true;

    UnixConnector(Server server, Path path, HttpConnectionFactory factory) {
        super(server, factory);
        setUnixDomainPath(path);
        // Beyond it the kernel refuses at once, where it would let TCP wait.
        setAcceptQueueSize(BACKLOG);
    }

    /** Called at each end of the bound on connections. */
    @Override
    public void setAccepting(boolean accepting) {
        isOpen = accepting;
    }

    @Override
    protected void accept(int acceptor) throws IOException {
        while (!isOpen && isRunning()) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        super.accept(acceptor);
    }
}
