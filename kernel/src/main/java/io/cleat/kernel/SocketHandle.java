package io.cleat.kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A Unix socket in a directory that somebody else may change, held open so that what was looked at is what is connected
 * to: no link and no mount is crossed below a place's root, and the socket belongs to whom the directory belongs that
 * it lies in. Nothing is opened but a path, so nothing here hangs.
 *
 * <p>One thread at a time.
 */
public final class SocketHandle implements AutoCloseable {
    private static final int TYPE = 0170000;
    private static final int LINK = 0120000;
    private static final int SOCKET = 0140000;
    private static final String MOUNT_ID = "mnt_id:";

    private final int descriptor;
    private boolean closed;

    private SocketHandle(int descriptor) {
        this.descriptor = descriptor;
    }

    /**
     * Opens it.
     *
     * @param socket below a directory that is trusted; at most a few names
     * @throws NoSuchFileException if nothing is there
     * @throws IOException if it is no socket, is another's, or a link or mount is on the way; the message says which
     */
    public static SocketHandle open(Place socket) throws IOException {
        int at = require(Libc.open(socket.root().toString(), Libc.O_PATH), socket);
        try {
            Object owner = -1;
            String mount = mountId(at);
            for (String name : socket.below().split("/", -1)) {
                owner = Files.getAttribute(handle(at), "unix:uid");
                int next = require(Libc.open(handle(at) + "/" + name, Libc.O_PATH | Libc.O_NOFOLLOW), socket);
                Libc.close(at);
                at = next;
                // Before anything is asked of it: what is mounted there may hang.
                if (!mountId(at).equals(mount)) {
                    throw new IOException(socket + " leads over \"" + name + "\", on which something is mounted");
                }
                if (type(at) == LINK) {
                    throw new IOException(socket + " leads over \"" + name + "\", a link");
                }
            }
            requireSocket(at, owner, socket);
            SocketHandle opened = new SocketHandle(at);
            at = -1;
            return opened;
        } finally {
            if (at >= 0) {
                Libc.close(at);
            }
        }
    }

    private static void requireSocket(int at, Object owner, Place socket) throws IOException {
        if (type(at) != SOCKET) {
            throw new IOException(socket + " is no socket");
        }
        Object user = Files.getAttribute(handle(at), "unix:uid");
        if (!user.equals(owner)) {
            throw new IOException(socket
                    + " belongs to user "
                    + user
                    + ", expected user "
                    + owner
                    + ", to whom its directory belongs");
        }
    }

    /** The path that leads to this very socket, while it is open. */
    public Path path() {
        return handle(descriptor);
    }

    /** Idempotent. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            Libc.close(descriptor);
        }
    }

    private static int type(int descriptor) throws IOException {
        return (int) Files.getAttribute(handle(descriptor), "unix:mode") & TYPE;
    }

    private static Path handle(int descriptor) {
        return Path.of("/proc/self/fd/" + descriptor);
    }

    /** The mount that an open path lies on. */
    private static String mountId(int descriptor) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/fdinfo/" + descriptor))) {
            if (line.startsWith(MOUNT_ID)) {
                return line;
            }
        }
        throw new IOException("the kernel does not tell the mount of an open file");
    }

    private static int require(int descriptor, Place place) throws IOException {
        if (descriptor == -Errno.ENOENT) {
            throw new NoSuchFileException(place.toString());
        }
        if (descriptor < 0) {
            throw new IOException(place + ": " + Errno.text(-descriptor));
        }
        return descriptor;
    }
}
