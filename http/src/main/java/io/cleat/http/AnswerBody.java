package io.cleat.http;

import io.cleat.base.ByteBudget;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The body of an answer while it is made. A small one is sent whole, with its length; a large one goes on its way as
 * soon as it is known for one, through a buffer that is all there ever is of it in memory: whoever reads slowly slows
 * its making. Until then nothing was sent, so that what fails early is still answered properly.
 */
final class AnswerBody extends OutputStream {
    /** What is sent whole at most, such as a page of a hundred rows, and how much of a large body is under way here. */
    static final int BUFFER = 64 * 1024;

    /** What is handed on at once of what is longer: it is likely to be far longer, and need not grow step by step. */
    private static final int LONG = 4096;

    /** What a large body takes in all, with what is around it: the connection, and compressing. */
    static final int LARGE = 160 * 1024;

    /** Below this a body is not worth compressing. */
    private static final int COMPRESSED_FROM = 1400;

    private final AnswerSink sink;
    private final int status;
    private final Map<String, String> headers;
    private final boolean isCompressed;
    private final ByteBudget budget;
    private ByteArrayOutputStream buffer = new ByteArrayOutputStream(1024);
    private @Nullable OutputStream rest;
    private @Nullable Zip zip;
    private long taken;

    /** @param budget what all large bodies share */
    AnswerBody(AnswerSink sink, int status, Map<String, String> headers, boolean isCompressed, ByteBudget budget) {
        this.budget = budget;
        this.sink = sink;
        this.status = status;
        this.headers = headers;
        this.isCompressed = isCompressed;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (length >= LONG && buffer.size() == 0) {
            buffer = new ByteArrayOutputStream(BUFFER);
        }
        int at = offset;
        int left = length;
        while (left > 0) {
            if (buffer.size() == BUFFER) {
                drain();
            }
            int some = Math.min(left, BUFFER - buffer.size());
            buffer.write(bytes, at, some);
            at += some;
            left -= some;
        }
    }

    /** Ends the body. Not called for one that failed, whose connection is cut instead. */
    @Override
    public void close() throws IOException {
        if (rest == null) {
            whole();
            return;
        }
        drain();
        rest.close();
    }

    private void drain() throws IOException {
        if (rest == null) {
            rest = begun();
        }
        buffer.writeTo(rest);
        buffer.reset();
    }

    private OutputStream begun() throws IOException {
        if (!budget.takeNow(LARGE)) {
            throw new NoRoom();
        }
        taken = LARGE;
        if (!isCompressed) {
            return sink.begin(status, headers, AnswerSink.UNKNOWN);
        }
        Zip begun = new Zip(sink.begin(status, zipped(), AnswerSink.UNKNOWN));
        zip = begun;
        return begun;
    }

    /** Too many large bodies are under way; nothing was sent of this one. */
    static final class NoRoom extends IOException {
        private static final long serialVersionUID = 1;

        NoRoom() {
            super("too many large answers are under way");
        }
    }

    /** Gives back what the body took; after {@link #close}, or instead of it. */
    void release() {
        budget.give(taken);
        taken = 0;
        if (zip != null) {
            zip.end();
        }
    }

    /** Holds memory outside the heap, which nobody may wait for a collection to give back. */
    private static final class Zip extends GZIPOutputStream {
        Zip(OutputStream to) throws IOException {
            super(to, BUFFER / 4);
        }

        void end() {
            def.end();
        }
    }

    private void whole() throws IOException {
        Map<String, String> fields = headers;
        ByteArrayOutputStream body = buffer;
        if (isCompressed && buffer.size() >= COMPRESSED_FROM) {
            fields = zipped();
            body = new ByteArrayOutputStream(buffer.size() / 4);
            try (GZIPOutputStream gzip = new GZIPOutputStream(body)) {
                buffer.writeTo(gzip);
            }
        }
        try (OutputStream out = sink.begin(status, fields, body.size())) {
            body.writeTo(out);
        }
    }

    private Map<String, String> zipped() {
        Map<String, String> fields = new TreeMap<>(headers);
        fields.put("Content-Encoding", "gzip");
        return fields;
    }
}
