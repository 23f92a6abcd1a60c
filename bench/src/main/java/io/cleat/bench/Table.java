package io.cleat.bench;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows in aligned columns. */
final class Table {
    private static final String[] HEAD = {"what", "measured", "limit, same run", "ratio", "budget", "", "more"};

    private Table() {}

    static String of(List<BenchRow> rows) {
        return of(HEAD, rows.stream().map(Table::line).toList());
    }

    static String of(String[] head, List<String[]> rows) {
        List<String[]> lines = new ArrayList<>();
        lines.add(head);
        lines.addAll(rows);
        int[] width = new int[head.length];
        for (String[] line : lines) {
            for (int i = 0; i < line.length; i++) {
                width[i] = Math.max(width[i], line[i].length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (String[] line : lines) {
            StringBuilder row = new StringBuilder();
            for (int i = 0; i < line.length; i++) {
                row.append(line[i]).append(" ".repeat(width[i] - line[i].length() + 2));
            }
            text.append(row.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private static String[] line(BenchRow row) {
        @Nullable Double limit = row.limit();
        @Nullable Double ratio = row.ratio();
        @Nullable Boolean kept = row.kept();
        return new String[] {
            row.what(),
            row.figure(),
            limit == null ? row.limitIs() : row.unit().text(limit) + " " + row.limitIs(),
            ratio == null ? "" : Unit.number(ratio),
            row.budget(),
            kept == null ? "" : kept ? "kept" : "NOT KEPT",
            row.detail()
        };
    }
}
