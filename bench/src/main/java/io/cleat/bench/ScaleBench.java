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
        Map<String, Double> few = measure(scratch.resolve("few"), FEW);
        List<BenchRow> rows = new ArrayList<>();
        for (int nodes = FEW * TIMES; nodes <= MOST; nodes *= TIMES) {
            int size = nodes;
            measure(scratch.resolve(Integer.toString(size)), size)
                    .forEach((what, cost) -> rows.add(row(what, size, cost, requireNonNull(few.get(what)))));
        }
        return rows;
    }

    private static Map<String, Double> measure(Path directory, int nodes) throws Exception {
        Files.createDirectory(directory);
        try (ScaledCluster cluster = new ScaledCluster(directory, nodes)) {
            return cluster.measure();
        }
    }

    private static BenchRow row(String what, int nodes, double seconds, double withFew) {
        return BenchRow.of(String.format("%,d nodes: %s", nodes, what), seconds, Unit.SECONDS)
                .limit("with 100 nodes", withFew)
                .budget("1.5 x", seconds <= FLAT * withFew);
    }
}
