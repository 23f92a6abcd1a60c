package io.cleat.bench;

import static java.util.Objects.requireNonNull;

import io.cleat.base.SystemTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What one thing costs in a cluster of 1,000 and of 10,000 nodes, beside what it costs with 100: a real server and log,
 * nodes that are played in a process of their own, over the wire.
 */
final class ScaleBench implements Bench {
    private static final int MOST = Integer.getInteger("cleat.bench.nodes", 10_000);
    private static final int FEW = 100;
    private static final int TIMES = 10;
    private static final Duration GONE = Duration.ofSeconds(5);
    private static final double FLAT = 1.5;
    private static final double HEAP = 50_000;

    @Override
    public String name() {
        return "scale";
    }

    @Override
    public String about() {
        return "what one thing costs beside 100, 1,000 and 10,000 nodes";
    }

    @Override
    public String heap() {
        return "6g";
    }

    @Override
    public List<BenchRow> run(Path scratch) throws Exception {
        // The first of a JVM pays for its classes and for code that is not compiled.
        measure(scratch.resolve("warm"), FEW);
        Map<String, ScaledCluster.Cost> few = measure(scratch.resolve("few"), FEW);
        List<BenchRow> rows = new ArrayList<>();
        for (int nodes = FEW * TIMES; nodes <= MOST; nodes *= TIMES) {
            int size = nodes;
            measure(scratch.resolve(Integer.toString(size)), size)
                    .forEach((what, cost) -> rows.add(row(what, size, cost, requireNonNull(few.get(what)))));
        }
        return rows;
    }

    private static Map<String, ScaledCluster.Cost> measure(Path directory, int nodes) throws Exception {
        Files.createDirectory(directory);
        // What the one before has left would be missed, as heap of this one's nodes.
        new SystemTime().sleep(GONE);
        try (ScaledCluster cluster = new ScaledCluster(directory, nodes)) {
            return cluster.measure();
        }
    }

    private static BenchRow row(String what, int nodes, ScaledCluster.Cost cost, ScaledCluster.Cost few) {
        BenchRow row = BenchRow.of(String.format("%,d nodes: %s", nodes, what), cost.value(), cost.unit());
        return cost.unit() == Unit.BYTES
                ? row.budget("50 KB", cost.value() <= HEAP)
                : row.limit("with 100 nodes", few.value()).budget("1.5 x", cost.value() <= FLAT * few.value());
    }
}
