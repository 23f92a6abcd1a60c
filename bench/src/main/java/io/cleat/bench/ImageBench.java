package io.cleat.bench;

import io.cleat.api.CsiVolumeStub;
import io.cleat.api.Json;
import io.cleat.base.Chance;
import io.cleat.base.Deadline;
import io.cleat.base.Ids;
import io.cleat.base.Refused;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.clusterapi.ServerCluster;
import io.cleat.codec.RecordHash;
import io.cleat.http.ListQuery;
import io.cleat.log.fake.MemoryLog;
import io.cleat.model.VolumeId;
import io.cleat.server.ClusterMachine;
import io.cleat.server.Server;
import io.cleat.server.commit.Answer;
import io.cleat.server.commit.Committer;
import io.cleat.server.commit.Decision;
import io.cleat.server.vault.KeyVault;
import io.cleat.state.Change;
import io.cleat.state.ChangeCodec;
import io.cleat.state.ClusterState;
import io.cleat.state.Snapshot;
import io.cleat.state.VolumeRow;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;

/** A server's image with a million volumes, beside plain collections and plain files. */
final class ImageBench implements Bench {
    private static final int VOLUMES = Integer.getInteger("cleat.bench.volumes", 1_000_000);
    private static final int AT_ONCE = 500;
    private static final int LOOKS = 20_000;
    private static final int PAGES = 500;
    private static final double PAGE_BUDGET = 0.010;
    private static final double BYTES_BUDGET = 2048;
    private static final int NODES = 1_000;
    private static final int ALLOCATIONS = 10_000;
    private static final double ALLOCATION_BUDGET = 8192;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final SystemTime time = new SystemTime();
    private final Threads threads = Threads.virtual(OwnProcess::endBy);
    private final Random random = new Random(1);

    @Override
    public String name() {
        return "image";
    }

    @Override
    public String about() {
        return "an image of 1,000,000 volumes";
    }

    @Override
    public String heap() {
        return "6g";
    }

    @Override
    public List<BenchRow> run(Path scratch) throws Exception {
        List<BenchRow> rows = new ArrayList<>();
        Path file = scratch.resolve("snapshot");
        rows.add(allocations());
        rows.add(leader());
        rows.addAll(inMemory(scratch, file));
        rows.addAll(read(file)); // the image before is garbage by now
        return rows;
    }

    private List<BenchRow> inMemory(Path scratch, Path file) throws Exception {
        ClusterState image = ManyVolumes.image(VOLUMES);
        List<BenchRow> rows = new ArrayList<>();
        rows.add(get(image));
        rows.add(put(image));
        rows.add(sum(image));
        rows.addAll(pages(image, scratch));
        rows.addAll(snapshot(image, file));
        return rows;
    }

    /** What a leader holds of volumes that were decided in its own reign. */
    private BenchRow leader() throws Exception {
        int volumes = VOLUMES / 10;
        long before = OwnProcess.heap();
        try (Committer<ClusterState, Change> committer =
                new Committer<>(new ClusterMachine(), new MemoryLog(), time, threads, Ids.random())) {
            committer.start();
            committer.awaitReign(Deadline.in(time, PATIENCE));
            for (int i = 0; i < volumes; i += AT_ONCE) {
                commit(committer, i, AT_ONCE);
            }
            double each = (double) (OwnProcess.heap() - before) / volumes;
            int count = committer.applied().image().volumes().size();
            if (count != volumes) {
                throw new IllegalStateException("the image has " + count + " volumes");
            }
            return perVolume("heap per idle volume, a leader", each)
                    .detail("registered in its own reign, " + volumes + " of them");
        }
    }

    /** What running allocations take beyond their nodes. */
    private static BenchRow allocations() throws Exception {
        long empty = OwnProcess.heap();
        ClusterState nodes = ManyAllocations.nodes(NODES);
        long before = OwnProcess.heap();
        ClusterState image = ManyAllocations.with(nodes, ALLOCATIONS);
        double each = (double) (OwnProcess.heap() - before) / ALLOCATIONS;
        int count = image.allocations().size();
        if (count != ALLOCATIONS || nodes.nodes().size() != NODES) {
            throw new IllegalStateException("the image has " + count + " allocations");
        }
        return BenchRow.of("heap per allocation, 10,000 on 1,000 nodes", each, Unit.BYTES)
                .budget("8 KB", each <= ALLOCATION_BUDGET)
                .detail(Unit.BYTES.text((double) (before - empty) / NODES) + " a node");
    }

    private static BenchRow perVolume(String what, double bytes) {
        return BenchRow.of(what, bytes, Unit.BYTES).budget("2 KB", bytes <= BYTES_BUDGET);
    }

    private void commit(Committer<ClusterState, Change> committer, int first, int count) throws Exception {
        List<Change> changes = ManyVolumes.puts(first, count);
        Answer<Long> answer = committer.commit(
                (newest, context) -> new Decision.Accept<>(changes, context.version()),
                Optional.empty(),
                Deadline.in(time, PATIENCE));
        if (!(answer instanceof Answer.Accepted)) {
            throw new IllegalStateException(answer.toString());
        }
    }

    private BenchRow get(ClusterState image) {
        Map<VolumeId, VolumeRow> plain = new HashMap<>();
        image.volumes().forEach(row -> plain.put(row.id(), row));
        Samples own = new Samples();
        Samples peer = new Samples();
        for (int i = 0; i < LOOKS; i++) {
            VolumeId id = anyId();
            long begin = System.nanoTime();
            VolumeRow there = plain.get(id);
            long middle = System.nanoTime();
            Optional<VolumeRow> found = image.volume(id);
            long end = System.nanoTime();
            if (!found.orElseThrow().equals(there)) {
                throw new IllegalStateException("the map has another " + id);
            }
            peer.add(middle - begin);
            own.add(end - middle);
        }
        return BenchRow.of("get a volume by id", own.median(), Unit.SECONDS)
                .limit("a HashMap", peer.median())
                .detail(own.tail());
    }

    private VolumeId anyId() {
        return ManyVolumes.id(random.nextInt(VOLUMES));
    }

    /** One decision applied, beside the same put into mutable collections with the same indexes. */
    private BenchRow put(ClusterState image) {
        Map<VolumeId, VolumeRow> rows = new TreeMap<>();
        Map<String, Set<VolumeId>> byKey = new TreeMap<>();
        Set<VolumeId> byPlugin = new TreeSet<>();
        image.volumes().forEach(row -> keep(row, rows, byKey, byPlugin));
        Samples own = new Samples();
        Samples peer = new Samples();
        ClusterState next = image;
        for (int i = 0; i < LOOKS; i++) {
            VolumeRow row = ManyVolumes.row(VOLUMES + random.nextInt(VOLUMES));
            List<Change> change = List.of(new Change.VolumePut(row));
            long begin = System.nanoTime();
            keep(row, rows, byKey, byPlugin);
            long middle = System.nanoTime();
            next = next.apply(change, next.version() + 1, next.decidedAt());
            long end = System.nanoTime();
            peer.add(middle - begin);
            own.add(end - middle);
        }
        return BenchRow.of("put a volume into the image", own.median(), Unit.SECONDS)
                .limit("TreeMaps, same indexes", peer.median())
                .detail(own.tail());
    }

    /**
     * What a put that replaces a row pays for the image's sum: the numbers of the old row and of the new one. Beside
     * it, one row's bytes.
     */
    private BenchRow sum(ClusterState image) throws Refused {
        Samples own = new Samples();
        Samples peer = new Samples();
        long check = 0;
        for (int i = 0; i < LOOKS; i++) {
            VolumeRow before = image.volume(anyId()).orElseThrow();
            VolumeRow after = ManyVolumes.row(VOLUMES + random.nextInt(VOLUMES));
            List<Change> change = List.of(new Change.VolumePut(after));
            long begin = System.nanoTime();
            check += RecordHash.of(after) - RecordHash.of(before);
            long middle = System.nanoTime();
            check += ChangeCodec.encode(change).length;
            long end = System.nanoTime();
            own.add(middle - begin);
            peer.add(end - middle);
        }
        if (check == 0) {
            throw new IllegalStateException("rows have no numbers");
        }
        return BenchRow.of("of it, keep the image's sum", own.median(), Unit.SECONDS)
                .limit("the row's bytes", peer.median())
                .detail(own.tail());
    }

    private static void keep(
            VolumeRow row, Map<VolumeId, VolumeRow> rows, Map<String, Set<VolumeId>> byKey, Set<VolumeId> byPlugin) {
        rows.put(row.id(), row);
        byKey.computeIfAbsent(row.spec().externalId(), key -> new TreeSet<>()).add(row.id());
        byPlugin.add(row.id());
    }

    /** As the route answers it, without HTTP: from the token of any volume on, as JSON. */
    private List<BenchRow> pages(ClusterState image, Path scratch) throws Exception {
        try (Server idle = new Server(
                new MemoryLog(), KeyVault.open(scratch.resolve("key")), time, Chance.system(), Ids.random(), threads)) {
            ServerCluster cluster = InProcessApi.over(new FixedImage(image), idle.requests(), time);
            List<VolumeRow> list = new ArrayList<>(image.volumes());
            return List.of(
                    page("a page of 100 in the middle, p99", cluster, list, ""),
                    page("the same, of one plugin, p99", cluster, list, "local"));
        }
    }

    private BenchRow page(String what, ServerCluster cluster, List<VolumeRow> all, String plugin) throws Exception {
        Samples own = new Samples();
        Samples peer = new Samples();
        for (int i = 0; i < PAGES; i++) {
            int first = random.nextInt(VOLUMES - 100);
            String token = "default." + ManyVolumes.id(first).id();
            ListQuery query = InProcessApi.page(token);
            long begin = System.nanoTime();
            List<CsiVolumeStub> page =
                    cluster.volumes().list(query, plugin, "").body().toList();
            byte[] json = Json.write(page);
            long middle = System.nanoTime();
            byte[] plain = Json.write(all.subList(first, first + 100));
            long end = System.nanoTime();
            if (page.size() != 100 || json.length < 100 || plain.length < 100) {
                throw new IllegalStateException("a page of " + page.size());
            }
            own.add(middle - begin);
            peer.add(end - middle);
        }
        return BenchRow.of(what, own.seconds(99), Unit.SECONDS)
                .limit("JSON of 100 rows", peer.seconds(99))
                .budget("10 ms", own.seconds(99) <= PAGE_BUDGET)
                .detail("p50 " + Unit.SECONDS.text(own.median()));
    }

    private List<BenchRow> snapshot(ClusterState image, Path file) throws Exception {
        Samples quiet = new Samples();
        writeOn(image, quiet, new AtomicBoolean(), LOOKS);
        AtomicBoolean isOver = new AtomicBoolean();
        Samples meanwhile = new Samples();
        Thread writer = Thread.ofPlatform().start(() -> writeOn(image, meanwhile, isOver, Integer.MAX_VALUE));
        long begin = System.nanoTime();
        try (FileOutputStream raw = new FileOutputStream(file.toFile());
                OutputStream to = new BufferedOutputStream(raw, 1 << 16)) {
            Snapshot.write(image, to);
            to.flush();
            raw.getChannel().force(true);
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        isOver.set(true);
        writer.join();
        double size = Files.size(file);
        double disk = Disk.bytesPerSecond(file.resolveSibling("plain"), Files.size(file));
        return List.of(
                BenchRow.of("snapshot written", size / seconds, Unit.BYTES_PER_SECOND)
                        .limit("a file of its size", disk)
                        .detail(Unit.BYTES.text(size) + " in " + Unit.SECONDS.text(seconds) + ", while puts go on"),
                BenchRow.of("a put meanwhile, p99", meanwhile.seconds(99), Unit.SECONDS)
                        .limit("without a snapshot", quiet.seconds(99))
                        .budget("2 x, or 1 ms", meanwhile.seconds(99) <= Math.max(0.001, 2 * quiet.seconds(99)))
                        .detail("p50 "
                                + Unit.SECONDS.text(meanwhile.median())
                                + " beside "
                                + Unit.SECONDS.text(quiet.median())));
    }

    private static void writeOn(ClusterState image, Samples times, AtomicBoolean isOver, int most) {
        ClusterState next = image;
        for (int i = 0; i < most && !isOver.get(); i++) {
            List<Change> change = ManyVolumes.puts((int) ((long) i * 7919 % VOLUMES), 1);
            long begin = System.nanoTime();
            next = next.apply(change, next.version() + 1, next.decidedAt());
            times.add(System.nanoTime() - begin);
        }
    }

    private static List<BenchRow> read(Path file) throws Exception {
        long before = OwnProcess.heap();
        long begin = System.nanoTime();
        ClusterState image;
        try (InputStream from = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
            image = Snapshot.read(from);
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        double each = (double) (OwnProcess.heap() - before) / VOLUMES;
        if (image.volumes().size() != VOLUMES) {
            throw new IllegalStateException(
                    "the snapshot has " + image.volumes().size());
        }
        begin = System.nanoTime();
        try (InputStream from = Files.newInputStream(file)) {
            from.transferTo(OutputStream.nullOutputStream());
        }
        double plain = (System.nanoTime() - begin) / 1e9;
        double size = Files.size(file);
        return List.of(
                BenchRow.of("snapshot read", size / seconds, Unit.BYTES_PER_SECOND)
                        .limit("the file alone", size / plain)
                        .detail("in " + Unit.SECONDS.text(seconds)),
                perVolume("heap per idle volume, restarted", each).limit("in the snapshot", size / VOLUMES));
    }
}
