package io.cleat.http;

import io.cleat.api.AgentHealth;
import io.cleat.api.AgentSelf;
import io.cleat.api.AllocCheck;
import io.cleat.api.AllocStats;
import io.cleat.api.FileEntry;
import io.cleat.api.Metrics;
import io.cleat.api.NodeMetaResponse;
import io.cleat.api.NodeStats;
import io.cleat.api.VolumeUse;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A node with one task, {@code t}, whose output is what the test puts into a queue. */
final class FakeNode implements NodeApi {
    @Nullable
    Object body;

    /** Its figures. */
    Metrics metrics = new Metrics(List.of(), List.of(), List.of(), List.of(), List.of(), "of the node");

    final BlockingQueue<PieceReader.Step> output = new LinkedBlockingQueue<>();
    final CountDownLatch closed = new CountDownLatch(1);

    /** What was sent to a command. */
    final BlockingQueue<String> sent = new LinkedBlockingQueue<>();

    /** What comes of a command, up to an empty frame. */
    final BlockingQueue<byte[]> frames = new LinkedBlockingQueue<>();

    @Nullable
    LogQuery asked;

    @Nullable
    ExecQuery askedCommand;

    @Nullable
    FileQuery askedFile;

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private <T> T plain() {
        if (body == null) {
            throw new IllegalStateException("no answer laid ready");
        }
        return (T) body;
    }

    /** Puts a piece of the file {@code alloc/logs/t.stdout.0} into the output. */
    void print(String text, long end) {
        output.add(new PieceReader.Piece(text.getBytes(StandardCharsets.UTF_8), "alloc/logs/t.stdout.0", end));
    }

    @Override
    public AgentSelf self() {
        return plain();
    }

    @Override
    public AgentHealth health() {
        return plain();
    }

    @Override
    public Metrics metrics() {
        return metrics;
    }

    @Override
    public NodeStats stats(String nodeId) {
        return plain();
    }

    @Override
    public NodeMetaResponse meta(String nodeId) {
        return plain();
    }

    @Override
    public NodeMetaResponse changeMeta(String nodeId, Map<String, @Nullable String> more) {
        return plain();
    }

    @Override
    public AllocStats allocStats(String allocId, String task) {
        return plain();
    }

    @Override
    public PieceReader monitor(String nodeId, AgentLog.Severity level, boolean json) {
        return plain();
    }

    @Override
    public void giveUpFiles(String allocId) {
        sent.add("files of " + allocId);
    }

    @Override
    public void giveUpAllFiles(String nodeId) {
        sent.add("files of all of " + nodeId);
    }

    @Override
    public Map<String, AllocCheck> checks(String allocId) {
        return plain();
    }

    @Override
    public Map<String, VolumeUse> volumes(String allocId) {
        return plain();
    }

    @Override
    public ExecFrames exec(ExecQuery query) throws Refused {
        askedCommand = query;
        if (!query.task().equals("t")) {
            throw new Refused(new Refusal.NotFound("unknown task name \"" + query.task() + "\""));
        }
        return new ExecFrames() {
            @Override
            public void send(byte[] frame) {
                sent.add(new String(frame, StandardCharsets.UTF_8));
            }

            @Override
            public Optional<byte[]> next() throws InterruptedException {
                byte[] next = frames.take();
                return next.length == 0 ? Optional.empty() : Optional.of(next);
            }

            @Override
            public void close() {
                closed.countDown();
                frames.add(new byte[0]);
            }
        };
    }

    @Override
    public void signal(String allocId, String task, String signal) {
        sent.add(signal + " to " + task + " of " + allocId);
    }

    @Override
    public void restart(String allocId, String task) {
        sent.add("restart of " + task + " of " + allocId);
    }

    @Override
    public void restartAll(String allocId) {
        sent.add("restart of all of " + allocId);
    }

    /** All allocations are in the default one. */
    @Override
    public void requireNamespace(String allocId, String namespace) throws Refused {
        if (!List.of("", "*", "default").contains(namespace)) {
            throw new Refused(new Refusal.NotFound("alloc not found"));
        }
    }

    @Override
    public FilesApi files() {
        return new FilesApi() {
            @Override
            public List<FileEntry> list(String allocId, String path) {
                return plain();
            }

            @Override
            public FileEntry stat(String allocId, String path) {
                return plain();
            }

            @Override
            public PieceReader read(FileQuery query) throws Refused {
                askedFile = query;
                return reader();
            }
        };
    }

    @Override
    public PieceReader logs(LogQuery query) throws Refused {
        asked = query;
        if (!query.task().equals("t")) {
            throw new Refused(new Refusal.NotFound("unknown task name \"" + query.task() + "\""));
        }
        return reader();
    }

    private PieceReader reader() {
        return new PieceReader() {
            @Override
            public Step next(Duration wait) throws InterruptedException {
                Step step = output.poll(wait.toMillis(), TimeUnit.MILLISECONDS);
                return step == null ? new Quiet() : step;
            }

            @Override
            public void close() {
                closed.countDown();
            }
        };
    }
}
