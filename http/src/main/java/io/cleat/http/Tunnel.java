package io.cleat.http;

import io.cleat.exchange.OpenConnection;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import org.eclipse.jetty.io.AbstractConnection;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.FutureCallback;

/**
 * A client's connection joined to one of another agent: bytes are passed both ways, unread, each way at the pace of
 * whoever takes them. When one side ends, both do.
 */
final class Tunnel extends AbstractConnection implements Connection.UpgradeTo {
    private static final int SIZE = 64 * 1024;

    /** Longer than the silence that the one at the end allows. */
    private static final long IDLE_MILLIS = 120_000;

    private final OpenConnection other;
    private final Executor threads;
    private final InternalErrors errors;
    private final ByteBuffer early = BufferUtil.allocate(SIZE);

    Tunnel(EndPoint client, OpenConnection other, Executor threads, InternalErrors errors) {
        super(client, threads);
        this.errors = errors;
        this.other = other;
        this.threads = threads;
    }

    @Override
    public void onUpgradeTo(ByteBuffer received) {
        BufferUtil.append(early, received);
    }

    @Override
    public void onOpen() {
        super.onOpen();
        getEndPoint().setIdleTimeout(IDLE_MILLIS);
        threads.execute(() -> pass(this::there));
        threads.execute(() -> pass(this::back));
    }

    /** One way, to its end. */
    private interface Way {
        void go() throws IOException, InterruptedException, ExecutionException;
    }

    private void pass(Way way) {
        try {
            way.go();
        } catch (IOException | ExecutionException broken) {
            // A tunnel has no words of its own: its end is all that the two sides are told.
            close();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error fault) {
            errors.tell("tunnel to another agent", fault);
        } finally {
            close();
        }
    }

    private void there() throws IOException, InterruptedException, ExecutionException {
        ByteBuffer buffer = early;
        while (true) {
            if (buffer.hasRemaining()) {
                other.write(buffer);
            }
            BufferUtil.clear(buffer);
            int count = getEndPoint().fill(buffer);
            if (count < 0) {
                return;
            }
            if (count == 0) {
                FutureCallback readable = new FutureCallback();
                getEndPoint().fillInterested(readable);
                readable.get();
            }
        }
    }

    private void back() throws IOException, InterruptedException, ExecutionException {
        InputStream input = other.input();
        byte[] some = new byte[SIZE];
        for (int count = input.read(some); count >= 0; count = input.read(some)) {
            FutureCallback written = new FutureCallback();
            getEndPoint().write(written, ByteBuffer.wrap(some, 0, count));
            written.get();
        }
    }

    /** Never asked for: this reads by itself. */
    @Override
    public void onFillable() {}

    @Override
    public void onClose(Throwable cause) {
        other.close();
        super.onClose(cause);
    }

    @Override
    public void close() {
        other.close();
        super.close();
    }
}
