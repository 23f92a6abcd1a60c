package io.cleat.processtests;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Connections that begin a request and then send a byte a second, as long as they are let. */
final class SlowClients implements AutoCloseable {
    private static final int CLIENTS = 50;
    private static final byte[] BEGIN = "PUT /v1/jobs HTTP/1.1\r\nHost: a\r\nContent-Length: 4000000\r\n\r\n{\"Job\":"
            .getBytes(StandardCharsets.US_ASCII);

    private final Path socket;
    private final List<SocketChannel> open = new ArrayList<>();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

    private Optional<Future<?>> steps = Optional.empty();

    SlowClients(Path socket) {
        this.socket = socket;
    }

    /** From now on. */
    void begin() {
        steps = Optional.of(clock.scheduleWithFixedDelay(this::step, 0, 1, TimeUnit.SECONDS));
    }

    private void step() {
        try {
            while (open.size() < CLIENTS) {
                SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
                channel.configureBlocking(false);
                channel.write(ByteBuffer.wrap(BEGIN));
                open.add(channel);
            }
        } catch (IOException refused) {
            // That nobody listens is seen, and said, by those who wait for answers.
            return;
        }
        open.removeIf(SlowClients::isGivenUp);
    }

    private static boolean isGivenUp(SocketChannel channel) {
        try {
            channel.write(ByteBuffer.wrap(new byte[] {' '}));
            return false;
        } catch (IOException cut) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        steps.ifPresent(running -> running.cancel(false));
        clock.close();
        for (SocketChannel channel : open) {
            channel.close();
        }
    }
}
