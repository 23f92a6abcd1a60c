package io.cleat.bench;

import io.cleat.api.Json;
import io.cleat.base.Refused;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What moved between two runs. Figures alone differ from day to day and from machine to machine, so a row is judged by
 * its ratio to the limit of its own run where both runs have one.
 *
 * @param moves in the order of the later run, then what only the earlier one has
 */
record Comparison(List<Move> moves) {
    /** What differs by less is taken for the machine's mood. */
    private static final double MOVED = 1.1;

    private static final String[] HEAD = {"what", "before", "now", "change", "", ""};

    /**
     * A row of two runs; null where one has none.
     *
     * @param change of the ratio to the limit, or of the figure; above 1 for more. Null where there is nothing to
     *     compare
     * @param by what the change is of; empty where there is none
     */
    record Move(
            String what,
            @Nullable BenchRow before,
            @Nullable BenchRow now,
            @Nullable Double change,
            String by,
            Verdict verdict) {
        static Move of(String what, @Nullable BenchRow before, @Nullable BenchRow now) {
            if (before == null || now == null) {
                return unmeasured(what, before, now, before == null ? Verdict.NEW : Verdict.GONE);
            }
            if (before.measured() == 0 || now.measured() == 0) {
                Verdict verdict = before.measured() == now.measured()
                        ? Verdict.SAME
                        : now.measured() == 0 ? Verdict.NOT_MEASURED : Verdict.NEW;
                return unmeasured(what, before, now, verdict);
            }
            Double earlier = before.ratio();
            Double later = now.ratio();
            if (earlier != null && later != null) {
                return measured(what, before, now, later / earlier, "beside its limit");
            }
            return measured(what, before, now, now.measured() / before.measured(), "by itself");
        }

        private static Move unmeasured(
                String what, @Nullable BenchRow before, @Nullable BenchRow now, Verdict verdict) {
            return new Move(what, before, now, null, "", verdict);
        }

        private static Move measured(String what, BenchRow before, BenchRow now, double change, String by) {
            boolean isMore = change >= MOVED;
            boolean isLess = change <= 1 / MOVED;
            Verdict verdict = !isMore && !isLess
                    ? Verdict.SAME
                    : isMore == now.unit().isMoreBetter() ? Verdict.BETTER : Verdict.WORSE;
            return new Move(what, before, now, change, by, verdict);
        }

        private String[] line() {
            return new String[] {
                what,
                before == null ? "-" : before.figure(),
                now == null ? "-" : now.figure(),
                change == null ? "" : "x " + Unit.number(change),
                by,
                verdict.words
            };
        }
    }

    /** What is to be said of a row. */
    enum Verdict {
        SAME(""),
        BETTER("better"),
        WORSE("WORSE"),
        NEW("new"),
        GONE("gone"),
        NOT_MEASURED("NOT MEASURED");

        private final String words;

        Verdict(String words) {
            this.words = words;
        }
    }

    /** By the names of the measurements, and what each row measures. */
    static Comparison of(Map<String, List<BenchRow>> before, Map<String, List<BenchRow>> now) {
        Map<String, BenchRow> earlier = byName(before);
        Map<String, BenchRow> later = byName(now);
        List<Move> moves = new ArrayList<>();
        later.forEach((what, row) -> moves.add(Move.of(what, earlier.get(what), row)));
        earlier.forEach((what, row) -> {
            if (!later.containsKey(what)) {
                moves.add(Move.of(what, row, null));
            }
        });
        return new Comparison(List.copyOf(moves));
    }

    private static Map<String, BenchRow> byName(Map<String, List<BenchRow>> rows) {
        Map<String, BenchRow> byName = new LinkedHashMap<>();
        rows.forEach((bench, all) -> all.forEach(row -> byName.put(bench + ": " + row.what(), row)));
        return byName;
    }

    /**
     * The rows of an earlier run, as {@code -json} printed them.
     *
     * @param names of the measurements that are compared; empty for all
     * @throws IOException it cannot be read, or holds something else
     */
    static Map<String, List<BenchRow>> read(Path file, List<String> names) throws IOException {
        try {
            Map<String, List<BenchRow>> rows = new LinkedHashMap<>();
            for (Map.Entry<String, JsonNode> bench :
                    Json.read(Files.readAllBytes(file), JsonNode.class).properties()) {
                if (names.isEmpty() || names.contains(bench.getKey())) {
                    List<BenchRow> all = new ArrayList<>();
                    for (JsonNode row : bench.getValue()) {
                        all.add(Json.read(Json.write(row), BenchRow.class));
                    }
                    rows.put(bench.getKey(), all);
                }
            }
            return rows;
        } catch (Refused other) {
            throw new IOException(
                    file + " is not what ./dev bench -json prints: "
                            + other.refusal().message(),
                    other);
        }
    }

    /** What moved, and how much did not. */
    String text() {
        List<Move> shown =
                moves.stream().filter(move -> move.verdict() != Verdict.SAME).toList();
        int same = moves.size() - shown.size();
        String rest = "%d of %d rows differ by less than %.0f %%%n".formatted(same, moves.size(), (MOVED - 1) * 100);
        return shown.isEmpty()
                ? rest
                : Table.of(HEAD, shown.stream().map(Move::line).toList()) + rest;
    }
}
