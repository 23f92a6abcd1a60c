package io.cleat.bench;

import static java.util.Objects.requireNonNull;

import java.nio.file.Files;
import java.nio.file.Path;
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
    private static final double FLAT = 1.5;
    private static final double NODE = 50_000;

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
        Measured few = measure(scratch.resolve("few"), FEW);
        List<BenchRow> rows = new ArrayList<>();
        for (int nodes = FEW * TIMES; nodes <= MOST; nodes *= TIMES) {
            int size = nodes;
            Measured many = measure(scratch.resolve(Integer.toString(size)), size);
            many.costs()
                    .forEach((what, cost) -> rows.add(
                            row(what, size, cost, requireNonNull(few.costs().get(what)))));
            rows.add(BenchRow.of(String.format("%,d nodes: heap of a node", size), many.heapOfNode(), Unit.BYTES)
                    .budget("50 kB", many.heapOfNode() <= NODE));
        }
        return rows;
    }

    /** @param costs seconds, by what they are of */
    private record Measured(Map<String, Double> costs, double heapOfNode) {}

    private static Measured measure(Path directory, int nodes) throws Exception {
        Files.createDirectory(directory);
        try (ScaledCluster cluster = new ScaledCluster(directory, nodes)) {
            return new Measured(cluster.measure(), cluster.heapOfNode());
        }
    }

    private static BenchRow row(String what, int nodes, double seconds, double withFew) {
        return BenchRow.of(String.format("%,d nodes: %s", nodes, what), seconds, Unit.SECONDS)
                .limit("with 100 nodes", withFew)
                .budget("1.5 x", seconds <= FLAT * withFew);
    }
}
