package io.cleat.kernel;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.VisibleText;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A command that runs beside a task, and ends with this connection to it: closing it, or the death of this process, has
 * the command hung up on and killed with all it started.
 *
 * <p>One thread reads; any may write, each frame whole: {@code writing} is held while the command takes one.
 */
public final class ShimExec implements AutoCloseable {
    private static final int MOST_INPUT = 32 * 1024;

    /** No shim sends more in one. */
    private static final int MOST_FRAME = 64 * 1024;

    /** How a command ended: a code and a signal. */
    private static final Pattern END = Pattern.compile("(-1|\\d{1,3}) (\\d{1,3})");

    private final SocketChannel channel;
    private final ReentrantLock writing = new ReentrantLock();
    private final ByteBuffer head = ByteBuffer.allocate(5);

    /** Of the thread that reads. */
    private boolean over;

    /** What came from a command. */
    public sealed interface Output {
        /** The receiver's own. */
        @SuppressWarnings("ArrayRecordComponent")
        record Out(byte[] bytes) implements Output {}

        /** The receiver's own. Of a terminal everything is {@link Out}. */
        @SuppressWarnings("ArrayRecordComponent")
        record Err(byte[] bytes) implements Output {}

        /**
         * The last one: nothing of the command runs any more.
         *
         * @param code -1 where a signal ended it
         * @param signal 0 for none
         */
        record Exited(int code, int signal) implements Output {}
    }

    ShimExec(SocketChannel channel) {
        this.channel = channel;
    }

    /**
     * Starts a command.
     *
     * @throws KernelTrouble with no effect if it could not be executed
     */
    static ShimExec start(ShimSocket socket, ShimCommand command, Deadline deadline) throws KernelTrouble {
        try (ShimSocket.Talk talk = socket.talk()) {
            ShimText.reply(talk.ask("1 exec".getBytes(StandardCharsets.US_ASCII), deadline));
            // From here on the connection's end is the command's, whatever became of it.
            ShimText.reply(talk.ask(command.encode(), deadline));
            return new ShimExec(talk.keep());
        } catch (IOException failed) {
            throw new KernelTrouble(
                    "running '" + command.command().getFirst() + "' in the task failed: " + failed,
                    Effect.NONE,
                    Retry.SAME_CALL,
                    failed);
        }
    }

    /**
     * Input for the command; returns once it is on its way, which a slow command delays. For one that has ended it is
     * dropped, as are the end of its input and the terminal's size.
     */
    public void input(byte[] bytes) throws KernelTrouble, InterruptedException {
        for (int from = 0; from < bytes.length; from += MOST_INPUT) {
            int size = Math.min(MOST_INPUT, bytes.length - from);
            write('i', ByteBuffer.wrap(bytes, from, size));
        }
    }

    /** No more input comes. */
    public void endInput() throws KernelTrouble, InterruptedException {
        write('c', ByteBuffer.allocate(0));
    }

    /** Says how large the terminal is now; nothing without one. */
    public void resize(int rows, int columns) throws KernelTrouble, InterruptedException {
        write('w', ByteBuffer.wrap((rows + " " + columns).getBytes(StandardCharsets.US_ASCII)));
    }

    private void write(char letter, ByteBuffer rest) throws KernelTrouble, InterruptedException {
        ByteBuffer frame = ByteBuffer.allocate(5 + rest.remaining());
        frame.putInt(1 + rest.remaining()).put((byte) letter).put(rest).flip();
        writing.lockInterruptibly();
        try {
            while (frame.hasRemaining()) {
                channel.write(frame);
            }
        } catch (ClosedChannelException closed) {
            throw trouble(closed);
        } catch (IOException ended) {
            // Nobody takes input any more; how the command ended is still to be read.
            return;
        } finally {
            writing.unlock();
        }
    }

    /**
     * What comes next; blocks until there is something. The end is told once, whatever comes after it: of a command in
     * a container it comes from inside.
     *
     * @return empty if the task ended and took the command with it, or this was closed; empty from then on
     */
    public Optional<Output> next() throws KernelTrouble, InterruptedException {
        if (over) {
            return Optional.empty();
        }
        try {
            fill(head.clear());
            int size = head.getInt(0) - 1;
            if (size < 0 || size > MOST_FRAME) {
                throw new IOException("a frame of " + size + " bytes");
            }
            ByteBuffer rest = ByteBuffer.allocate(size);
            fill(rest);
            Output output = output((char) (head.get(4) & 0xff), rest.array());
            over = output instanceof Output.Exited;
            return Optional.of(output);
        } catch (AsynchronousCloseException closed) {
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedException("waiting for a command's output");
            }
            over = true;
            return Optional.empty();
        } catch (EOFException | ClosedChannelException ended) {
            over = true;
            return Optional.empty();
        } catch (IOException gone) {
            throw trouble(gone);
        }
    }

    private void fill(ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            if (read(buffer) < 0) {
                throw new EOFException();
            }
        }
    }

    /**
     * As the channel's own, but a connection that the shim has closed is at its end, whatever the kernel says: with
     * input in it that nobody took that is ECONNRESET, once all that was sent before is read (unix(7)).
     */
    private int read(ByteBuffer buffer) throws IOException {
        try {
            return channel.read(buffer);
        } catch (ClosedChannelException closed) {
            throw closed;
        } catch (IOException reset) {
            return -1;
        }
    }

    static Output output(char letter, byte[] rest) throws IOException {
        return switch (letter) {
            case 'o' -> new Output.Out(rest);
            case 'e' -> new Output.Err(rest);
            case 'x' -> exited(rest);
            default ->
                throw new IOException("a frame that begins with '" + VisibleText.line(String.valueOf(letter)) + "'");
        };
    }

    private static Output exited(byte[] rest) throws IOException {
        String said = new String(rest, StandardCharsets.ISO_8859_1);
        Matcher end = END.matcher(said);
        if (end.matches()) {
            int code = Integer.parseInt(end.group(1));
            int signal = Integer.parseInt(end.group(2));
            if (code <= ShimExit.MOST_CODE && signal <= ShimExit.MOST_SIGNAL) {
                return new Output.Exited(code, signal);
            }
        }
        throw new IOException("an end that reads '" + VisibleText.cut(said, 40) + "'");
    }

    private static KernelTrouble trouble(IOException gone) {
        return new KernelTrouble("talking to a command in a task failed: " + gone, Effect.UNKNOWN, Retry.NEVER, gone);
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException nothingIsLost) {
            return;
        }
    }
}
