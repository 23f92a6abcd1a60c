package io.cleat.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * {@code ./dev bench [NAME...]}: runs all measurements, or the named ones, and prints the table.
 * The scratch directory is made under {@code java.io.tmpdir}.
 */
public final class Main {
    private static final List<Bench> ALL = List.of(new CommitBench());

    private Main() {}

    public static void main(String[] names) throws IOException {
        List<String> wanted = List.of(names);
        List<BenchRow> rows = new ArrayList<>();
        boolean hasFailed = false;
        for (Bench bench : ALL) {
            if (!wanted.isEmpty() && !wanted.contains(bench.name())) {
                continue;
            }
            System.err.println("measuring " + bench.name() + " ...");
            Path scratch = Files.createTempDirectory("cleat-bench");
            try {
                rows.addAll(bench.run(scratch));
            } catch (Exception failure) {
                hasFailed = true;
                rows.add(BenchRow.plain(bench.name(), "failed: " + failure, ""));
            } finally {
                remove(scratch);
            }
        }
        System.out.print(Table.of(rows));
        System.exit(hasFailed || rows.isEmpty() ? 1 : 0);
    }

    private static void remove(Path scratch) throws IOException {
        try (Stream<Path> files = Files.walk(scratch)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
