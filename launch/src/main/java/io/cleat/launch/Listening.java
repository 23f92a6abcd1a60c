package io.cleat.launch;

import io.cleat.cli.Failure;
import io.cleat.cli.Flag;
import io.cleat.cli.Flags;
import io.cleat.http.Listener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;

/**
 * Where the HTTP API is asked to listen, beside its socket.
 *
 * @param port 0 for any free one; empty for the usual one
 * @param isInsecure whether others may reach it
 */
record Listening(String bind, Optional<Integer> port, boolean isInsecure) {
    private static final int USUAL_PORT = 4646;
    private static final String LOOPBACK = "127.0.0.1";
    private static final List<String> LOOPBACKS = List.of(LOOPBACK, "localhost", "::1");

    static final Flag INSECURE = Flag.yes(
            "insecure-listen",
            "Listen where others can come in, though there is no access control yet:"
                    + " whoever reaches the API can become root here.");

    static Listening read(Flags flags) throws Failure {
        Optional<String> port = flags.value("http-port");
        return new Listening(
                flags.value("bind").orElse(LOOPBACK),
                port.isPresent() ? Optional.of(port(port.get())) : Optional.empty(),
                flags.has(INSECURE.name()));
    }

    private static int port(String text) throws Failure {
        try {
            int port = Integer.parseInt(text);
            if (port >= 0 && port <= 65_535) {
                return port;
            }
        } catch (NumberFormatException notANumber) {
            throw new Failure("-http-port=" + text + " is not a number: expected 0 to 65535");
        }
        throw new Failure("-http-port=" + text + " is out of range: expected 0 to 65535");
    }

    /** Whether only this machine reaches the address. */
    boolean isLoopback() {
        return LOOPBACKS.contains(bind);
    }

    /** Fails if others would reach it, unless that was asked for. */
    Listening refuseOthers() throws Failure {
        if (!isLoopback() && !isInsecure) {
            throw new Failure(
                    "-bind="
                            + bind
                            + " would let others reach an API without access control, through which they can become "
                            + "root here",
                    "if that is what you want, add -insecure-listen");
        }
        return this;
    }

    /** The port that was asked for; a free one where the usual one is taken. */
    Listener.Tcp tcp() throws Failure {
        InetAddress address;
        try {
            address = InetAddress.getByName(bind);
        } catch (UnknownHostException unknown) {
            throw new Failure("-bind=" + bind + " is no address of this machine");
        }
        int wanted = port.orElse(USUAL_PORT);
        boolean isFree = wanted == 0 || (port.isEmpty() && !canBind(address, wanted));
        return new Listener.Tcp(address, isFree ? freePort(address) : wanted);
    }

    private static boolean canBind(InetAddress address, int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(address, port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }

    private static int freePort(InetAddress address) throws Failure {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(address, 0));
            return socket.getLocalPort();
        } catch (IOException failed) {
            throw new Failure("no port is to be had on " + address.getHostAddress() + ": " + failed);
        }
    }
}
