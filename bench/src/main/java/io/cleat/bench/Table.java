package io.cleat.bench;

import java.util.ArrayList;
import java.util.List;

/** Rows in aligned columns. */
final class Table {
    private static final String[] HEAD = {"what", "measured", "limit, same run", "budget", ""};

    private Table() {}

    static String of(List<BenchRow> rows) {
        List<String[]> lines = new ArrayList<>();
        lines.add(HEAD);
        for (BenchRow row : rows) {
            String verdict = row.budget().isEmpty() ? "" : row.isWithin() ? "kept" : "NOT KEPT";
            lines.add(
                    new String[] {row.what(), row.measured(), row.limit(), row.budget(), verdict});
        }
        int[] width = new int[HEAD.length];
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
}
