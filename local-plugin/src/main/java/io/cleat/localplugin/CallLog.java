package io.cleat.localplugin;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.base.Time;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One JSON line per ended call, appended with a single write before the caller gets its answer: {@code {"time",
 * "method", "volume_id", "target", "code", "ms", "pid"}}. Of a request only the volume and the path are read, so no
 * secret gets here.
 *
 * <p>The file is bounded: before it would grow beyond, its older half goes. It is cut in place and not renamed, as a
 * container has been given this one file, and can rename neither it nor make another beside it.
 */
final class CallLog implements ServerInterceptor {
    /** About 80,000 calls; as much as half of it is kept of the past. */
    static final long MOST_BYTES = 16 << 20;

    private static final int CHUNK = 1 << 16;

    private final Path path;
    private final long most;
    private final FileChannel file;
    private final Time time;

    /** Held while a line is written, which would be lost while the file is cut. */
    private final ReentrantLock writing = new ReentrantLock();

    private final long pid = ProcessHandle.current().pid();

    CallLog(Path path, Time time) throws DiskTrouble {
        this(path, time, MOST_BYTES);
    }

    CallLog(Path path, Time time, long most) throws DiskTrouble {
        this.path = path;
        this.time = time;
        this.most = most;
        try {
            this.file = FileChannel.open(
                    path,
                    Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } catch (IOException failed) {
            throw new DiskTrouble(
                    "the call log " + path + " cannot be opened: " + failed, Effect.NONE, Retry.NEVER, failed);
        }
    }

    /** What a line needs of a call, gathered on the call's own thread. */
    private final class Line {
        private final String method;
        private final long begun = time.nanos();
        private String volume = "";
        private String target = "";

        Line(String method) {
            this.method = method;
        }

        void take(Object message) {
            if (message instanceof Message seen) {
                volume = first(volume, text(seen, "volume_id"), text(seen, "source_volume_id"), created(seen));
                target = first(
                        target,
                        text(seen, "target_path"),
                        text(seen, "volume_path"),
                        text(seen, "staging_target_path"));
            }
        }

        void end(Status.Code code) {
            write("{\"time\":"
                    + quoted(time.now().toString())
                    + ",\"method\":"
                    + quoted(method)
                    + ",\"volume_id\":"
                    + quoted(volume)
                    + ",\"target\":"
                    + quoted(target)
                    + ",\"code\":"
                    + quoted(code.name())
                    + ",\"ms\":"
                    + (time.nanos() - begun) / 1_000_000
                    + ",\"pid\":"
                    + pid
                    + "}\n");
        }
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        String name = call.getMethodDescriptor().getBareMethodName();
        Line line = new Line(name == null ? "" : name);
        ServerCall<Q, R> watched = new SimpleForwardingServerCall<>(call) {
            @Override
            public void sendMessage(R message) {
                line.take(message);
                super.sendMessage(message);
            }

            @Override
            public void close(Status status, Metadata trailers) {
                line.end(status.getCode());
                super.close(status, trailers);
            }
        };
        return new SimpleForwardingServerCallListener<>(next.startCall(watched, headers)) {
            @Override
            public void onMessage(Q message) {
                line.take(message);
                super.onMessage(message);
            }
        };
    }

    /** A log that cannot be written (a full disk) stops no call. */
    void write(String line) {
        ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8));
        writing.lock();
        try {
            if (file.size() + bytes.remaining() > most) {
                makeRoom();
            }
            file.write(bytes);
        } catch (IOException failed) {
            System.getLogger(CallLog.class.getName())
                    .log(System.Logger.Level.WARNING, "a line of the call log is lost: {0}", failed);
        } finally {
            writing.unlock();
        }
    }

    /**
     * Moves the newest lines to the beginning, and cuts off what is behind them: whoever dies in between leaves lines
     * twice, and loses none. A line that another process writes at this very moment, as when one instance follows
     * another, may be lost.
     */
    private void makeRoom() throws IOException {
        try (FileChannel whole = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            if (whole.tryLock() == null) {
                return;
            }
            long size = whole.size();
            if (size <= most / 2) {
                return;
            }
            ByteBuffer chunk = ByteBuffer.allocate(CHUNK);
            long from = lineAfter(whole, size - most / 2, chunk);
            long to = 0;
            while (from < size && whole.read(chunk.clear(), from) > 0) {
                chunk.flip();
                from += chunk.remaining();
                while (chunk.hasRemaining()) {
                    to += whole.write(chunk, to);
                }
            }
            whole.truncate(to);
        } catch (OverlappingFileLockException another) {
            // Another log of this process is at it.
            return;
        }
    }

    /** Where the first line begins that begins after {@code place}. */
    private static long lineAfter(FileChannel whole, long place, ByteBuffer chunk) throws IOException {
        long at = place;
        while (whole.read(chunk.clear(), at) > 0) {
            chunk.flip();
            while (chunk.hasRemaining()) {
                at++;
                if (chunk.get() == '\n') {
                    return at;
                }
            }
        }
        return at;
    }

    private static String text(Message message, String field) {
        FieldDescriptor found = message.getDescriptorForType().findFieldByName(field);
        return found != null && message.getField(found) instanceof String text ? text : "";
    }

    /** The id inside of CreateVolume's answer. */
    private static String created(Message message) {
        FieldDescriptor found = message.getDescriptorForType().findFieldByName("volume");
        return found != null && message.getField(found) instanceof Message volume ? text(volume, "volume_id") : "";
    }

    private static String first(String... words) {
        for (String word : words) {
            if (!word.isEmpty()) {
                return word;
            }
        }
        return "";
    }

    /** A JSON string. */
    static String quoted(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < 0x20 || Character.isSurrogate(c)) {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }
}
