package io.cleat.agent.check;

import io.cleat.base.Durations;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.model.ServiceProbe;
import io.cleat.model.ServiceWords;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One call of a check to a port. When its timeout is over its connection is closed, which ends whatever it waits for.
 */
public final class PortCall {
    private final ServiceWords.Place place;
    private final Duration timeout;
    private final Threads threads;
    private final Time time;

    public PortCall(ServiceWords.Place place, Duration timeout, Threads threads, Time time) {
        this.place = place;
        this.timeout = timeout;
        this.threads = threads;
        this.time = time;
    }

    /** What is done over a connection. */
    private interface Talk {
        CheckResult over(Socket socket) throws IOException;
    }

    /** Whether somebody listens. */
    public CheckResult tcp() throws InterruptedException {
        return call(socket -> new CheckResult(CheckStatus.SUCCESS, 0, "nomad: tcp ok", time.now()));
    }

    /** What is answered to a request. */
    public CheckResult http(ServiceProbe.Http request) throws InterruptedException {
        return call(socket -> new HttpExchange(place, request, time).over(socket));
    }

    private CheckResult call(Talk talk) throws InterruptedException {
        AtomicBoolean isLate = new AtomicBoolean();
        try (Socket socket = new Socket()) {
            Thread limit = threads.contained(
                    "check/limit",
                    () -> {
                        time.sleep(timeout);
                        isLate.set(true);
                        close(socket);
                    },
                    fault -> close(socket));
            try {
                socket.connect(
                        new InetSocketAddress(place.address(), place.port()), Math.toIntExact(timeout.toMillis()));
                return talk.over(socket);
            } finally {
                limit.interrupt();
                limit.join();
            }
        } catch (IOException failed) {
            return CheckResult.failure(
                    isLate.get()
                            ? "no answer from " + where() + " within " + Durations.words(timeout)
                            : "cannot reach " + where() + ": " + words(failed),
                    time.now());
        }
    }

    private String where() {
        return place.address() + ", port " + place.port();
    }

    private static String words(IOException failed) {
        String message = failed.getMessage();
        return message == null ? failed.getClass().getSimpleName() : message;
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException nothingIsLost) {
            return;
        }
    }
}
