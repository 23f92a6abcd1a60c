package io.cleat.processtests;

import io.cleat.base.VisibleText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What became of each attempt, by party and area. Used by any thread. */
final class AttackRows {
    /** What an attempt found of the wall. */
    enum Verdict {
        HELD,
        BROKEN,
        KNOWN_OPEN,
        NOT_RUN
    }

    /**
     * One attempt.
     *
     * @param name {@code area/what} is tried
     * @param detail what was seen, or why it was not run
     */
    record Row(String party, String name, Verdict verdict, String detail) {
        String area() {
            return name.substring(0, Math.max(0, name.indexOf('/')));
        }

        @Override
        public String toString() {
            return "%-10s %s %s: %s".formatted(verdict, party, name, detail);
        }
    }

    private final Queue<Row> rows = new ConcurrentLinkedQueue<>();

    void add(String party, String name, Verdict verdict, String detail) {
        String shown = VisibleText.line(detail);
        rows.add(KnownOpen.judged(new Row(party, name, verdict, shown)));
    }

    /** Adds what a party's program has printed; its last line says that it tried all. */
    void addPrinted(String party, String printed) {
        boolean done = false;
        for (String line : printed.split("\n", -1)) {
            String[] parts = line.split("\t", -1);
            if (parts.length == 3) {
                add(party, parts[0], verdict(parts[1]), parts[2]);
            }
            done |= line.equals("done");
        }
        if (!done) {
            add(
                    party,
                    "battery/complete",
                    Verdict.BROKEN,
                    "its program ended early: " + printed.substring(Math.max(0, printed.length() - 300)));
        }
    }

    static Verdict verdict(String word) {
        return switch (word) {
            case "held" -> Verdict.HELD;
            case "not-run" -> Verdict.NOT_RUN;
            default -> Verdict.BROKEN;
        };
    }

    List<Row> of(Verdict verdict) {
        return rows.stream().filter(row -> row.verdict() == verdict).toList();
    }

    /** Counts for each party and area, then each attempt that did not simply hold. */
    String table(boolean all) {
        Map<String, List<Row>> areas = new TreeMap<>();
        for (Row row : rows) {
            areas.computeIfAbsent("%-10s %-12s".formatted(row.party(), row.area()), none -> new ArrayList<>())
                    .add(row);
        }
        List<String> lines = new ArrayList<>();
        lines.add("%-10s %-12s %6s %6s %10s %7s".formatted("party", "area", "held", "broken", "known-open", "not-run"));
        areas.forEach((key, its) -> lines.add(numbers(key, its)));
        lines.add(numbers("%-10s %-12s".formatted("all", ""), rows));
        for (Row row : rows) {
            if (all || row.verdict() != Verdict.HELD) {
                lines.add(row.toString());
            }
        }
        return String.join("\n", lines);
    }

    /** Prints the counts, and leaves the whole table below {@code build/attack}. */
    void report(String name) throws IOException {
        Path into = Path.of(System.getProperty("cleat.root", "..")).resolve("build/attack");
        boolean all = Boolean.getBoolean("cleat.attack.all");
        Files.writeString(Files.createDirectories(into).resolve(name + ".txt"), table(all) + "\n");
        for (Verdict verdict : Verdict.values()) {
            System.out.printf("%s: %d %s%n", name, of(verdict).size(), verdict);
        }
    }

    private static String numbers(String key, Collection<Row> its) {
        return "%s %6d %6d %10d %7d"
                .formatted(
                        key,
                        count(its, Verdict.HELD),
                        count(its, Verdict.BROKEN),
                        count(its, Verdict.KNOWN_OPEN),
                        count(its, Verdict.NOT_RUN));
    }

    private static long count(Collection<Row> its, Verdict verdict) {
        return its.stream().filter(row -> row.verdict() == verdict).count();
    }
}
