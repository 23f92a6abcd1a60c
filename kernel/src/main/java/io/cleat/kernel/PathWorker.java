package io.cleat.kernel;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One running path worker; the protocol is described in {@code shim/README.md}. Used by one caller at a time. */
final class PathWorker {
    private static final String VERSION = "1";
    private static final int MOST_REQUEST = FileWrites.MOST + (64 << 10);
    private static final byte[] NOTHING = {};
    private static final int MOST_ANSWER = 1 << 20;

    private final Process process;
    private long lastId;

    private PathWorker(Process process) {
        this.process = process;
    }

    static PathWorker start(List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        builder.directory(Path.of("/").toFile());
        return new PathWorker(builder.start());
    }

    Process process() {
        return process;
    }

    /**
     * Sends a request, without waiting: an idle worker reads it whole before it does anything.
     *
     * @param bytes the last field, if there is one after the others
     */
    void send(List<String> fields, byte @Nullable [] bytes) throws IOException {
        lastId++;
        String text = VERSION + "\0" + lastId + "\0" + String.join("\0", fields) + (bytes == null ? "" : "\0");
        byte[] head = text.getBytes(StandardCharsets.UTF_8);
        byte[] rest = bytes == null ? NOTHING : bytes;
        int length = head.length + rest.length;
        if (length > MOST_REQUEST - 4) {
            throw new IOException("the request has " + length + " bytes");
        }
        OutputStream input = process.getOutputStream();
        input.write(ByteBuffer.allocate(4 + length)
                .putInt(length)
                .put(head)
                .put(rest)
                .array());
        input.flush();
    }

    /**
     * Blocks until the answer to the last request is there; its fields from the status on.
     *
     * @param most how many fields, the last one being whatever follows; 0 for all there are
     */
    List<String> receive(int most, Charset charset) throws IOException {
        DataInputStream output = new DataInputStream(process.getInputStream());
        int length = output.readInt();
        if (length < 0 || length > MOST_ANSWER) {
            throw new IOException("an answer of " + length + " bytes");
        }
        byte[] bytes = new byte[length];
        output.readFully(bytes);
        // The version and the id come before the status.
        List<String> fields = List.of(new String(bytes, charset).split("\0", most == 0 ? -1 : most + 2));
        if (fields.size() < 3 || !fields.get(1).equals(Long.toString(lastId))) {
            throw new IOException("it answers another request than the last");
        }
        return fields.subList(2, fields.size());
    }

    /** Lets it end by itself: it is idle. */
    void close() {
        try {
            process.getOutputStream().close();
        } catch (IOException gone) {
            process.destroyForcibly();
        }
    }
}
