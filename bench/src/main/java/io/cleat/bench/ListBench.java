package io.cleat.bench;

import io.cleat.base.Chance;
import io.cleat.base.FaultHandler;
import io.cleat.base.Ids;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.clusterapi.ClusterRoutes;
import io.cleat.clusterapi.ServerCluster;
import io.cleat.http.Admission;
import io.cleat.http.Dispatcher;
import io.cleat.http.Guard;
import io.cleat.http.HttpServer;
import io.cleat.http.Listener;
import io.cleat.http.Reply;
import io.cleat.http.Request;
import io.cleat.http.Route;
import io.cleat.log.fake.MemoryLog;
import io.cleat.server.Server;
import io.cleat.server.vault.KeyVault;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The list of all volumes, unpaged, over HTTP: how fast it comes, beside a handler that writes as many bytes that it
 * has ready; and what it takes of the heap while one, and while fifty, have read its beginning and take no more.
 */
final class ListBench implements Bench {
    private static final int VOLUMES = Integer.getInteger("cleat.bench.volumes", 1_000_000);
    private static final int READERS = 50;
    private static final int ROUNDS = 3;

    /** What a reader takes before it stops: by then its answer is well under way. */
    private static final int BEGINNING = 1024 * 1024;

    private static final double RATE_BUDGET = 150e6;
    private static final double HEAP_BUDGET = 64 * 1024 * 1024;
    private static final HttpServer.Limits PATIENT =
            new HttpServer.Limits(4 << 20, Duration.ofMinutes(10), Duration.ofMinutes(1), 4 * READERS);

    private final SystemTime time = new SystemTime();
    private final FaultHandler faults = OwnProcess::endBy;

    @Override
    public String name() {
        return "list";
    }

    @Override
    public String about() {
        return "the list of 1,000,000 volumes";
    }

    /** The image takes 1.2 GB of it, and as much may be garbage of its making. */
    @Override
    public String heap() {
        return "4g";
    }

    @Override
    public List<BenchRow> run(Path scratch) throws Exception {
        try (Server idle = new Server(
                new MemoryLog(),
                KeyVault.open(scratch.resolve("key")),
                time,
                Chance.system(),
                Ids.random(),
                Threads.virtual(faults))) {
            ServerCluster cluster =
                    InProcessApi.over(new FixedImage(ManyVolumes.image(VOLUMES)), idle.requests(), time);
            List<Route> routes = new ArrayList<>(ClusterRoutes.of(cluster));
            routes.add(Route.get("/bare/:size", ListBench::bare));
            Dispatcher dispatcher =
                    new Dispatcher(Guard.local(), routes, () -> List.of("global"), faults, Ids.random());
            try (HttpServer server = HttpServer.open(
                    List.of(new Listener.Unix(scratch.resolve("s"))),
                    dispatcher,
                    Admission.ofHeap(() -> false, PATIENT, time),
                    PATIENT,
                    time)) {
                Path socket = ((Listener.Unix) server.listeners().getFirst()).path();
                List<BenchRow> rows = new ArrayList<>(rate(socket));
                rows.add(heap(socket, 1));
                rows.add(heap(socket, READERS));
                return rows;
            }
        }
    }

    /** As many bytes as are asked for, of 32 KiB that are ready. */
    private static Reply bare(Request request) {
        long size = Long.parseLong(request.variable("size"));
        byte[] ready = new byte[32 * 1024];
        return Reply.stream("application/json", out -> {
            for (long left = size; left > 0; left -= ready.length) {
                out.write(ready, 0, (int) Math.min(left, ready.length));
            }
        });
    }

    private static List<BenchRow> rate(Path socket) throws IOException {
        Samples own = new Samples();
        Samples peer = new Samples();
        Samples zipped = new Samples();
        long size = 0;
        long zippedSize = 0;
        for (int i = 0; i < ROUNDS; i++) {
            long begin = System.nanoTime();
            size = readAll(socket, "/v1/volumes?type=csi", "");
            long middle = System.nanoTime();
            readAll(socket, "/bare/" + size, "");
            long end = System.nanoTime();
            own.add(middle - begin);
            peer.add(end - middle);
            zippedSize = readAll(socket, "/v1/volumes?type=csi", "Accept-Encoding: gzip\r\n");
            zipped.add(System.nanoTime() - end);
        }
        double rate = size / own.median();
        return List.of(
                BenchRow.of("all volumes, one reader", rate, Unit.BYTES_PER_SECOND)
                        .limit("a bare handler", size / peer.median())
                        .budget("150 MB/s", rate >= RATE_BUDGET)
                        .detail(VOLUMES
                                + " rows, "
                                + Unit.BYTES.text((double) size)
                                + ", in "
                                + Unit.SECONDS.text(own.median())),
                BenchRow.of("the same, gzip", size / zipped.median(), Unit.BYTES_PER_SECOND)
                        .detail(Unit.BYTES.text((double) zippedSize) + " on the wire"));
    }

    private static BenchRow heap(Path socket, int readers) throws IOException {
        long before = OwnProcess.heap();
        List<SocketChannel> open = new ArrayList<>();
        for (int i = 0; i < readers; i++) {
            SocketChannel channel = ask(socket, "/v1/volumes?type=csi", "");
            read(channel, BEGINNING);
            open.add(channel);
        }
        double more = Math.max(1.0, (double) (OwnProcess.heap() - before));
        for (SocketChannel channel : open) {
            channel.close();
        }
        return BenchRow.of("heap of " + readers + " that stopped reading", more, Unit.BYTES)
                .budget("64 MB beyond the image", more <= HEAP_BUDGET)
                .detail("the image: " + Unit.BYTES.text((double) before));
    }

    private static long readAll(Path socket, String target, String field) throws IOException {
        try (SocketChannel channel = ask(socket, target, field)) {
            return read(channel, Long.MAX_VALUE);
        }
    }

    private static SocketChannel ask(Path socket, String target, String field) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(socket));
        String head = "GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + field + "\r\n";
        channel.write(ByteBuffer.wrap(head.getBytes(StandardCharsets.UTF_8)));
        return channel;
    }

    /** Takes what comes, up to {@code most} bytes or the end; how many it took. */
    private static long read(SocketChannel channel, long most) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(64 * 1024);
        long count = 0;
        while (count < most && channel.read(buffer.clear()) >= 0) {
            count += buffer.position();
        }
        return count;
    }
}
