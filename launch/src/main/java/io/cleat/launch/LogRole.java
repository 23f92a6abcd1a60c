package io.cleat.launch;

import io.cleat.api.Json;
import io.cleat.base.DiskTrouble;
import io.cleat.cli.Failure;
import io.cleat.cli.Flag;
import io.cleat.cli.Flags;
import io.cleat.cli.Program;
import io.cleat.server.Server;
import io.cleat.server.commit.InspectedEntry;
import io.cleat.server.commit.LogInspection;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Looks at the log of a server that does not run. */
record LogRole(List<String> args) implements Role {
    static final List<String> WORDS = List.of("operator", "log", "inspect");
    private static final int SHOWN_CHANGES = 6;
    private static final int STUCK = 3;
    static final Program PROGRAM =
            new Program(
                    String.join(" ", WORDS),
                    "Show the log of a server that does not run",
                    """
                    Reads the replicated log in a data directory whose agent does not run, entry by \
                    entry, as a starting server does, and changes nothing. Names for each entry its \
                    kind, reign, version, time, and the rows that it changes, without their values. \
                    Marks the entry that cannot be read or applied, and says how to go on.

                    Exit code: 0 if a start would read all of it; 3 if it would end at some entry; 1 \
                    if the log could not be looked at.""",
                    List.of(
                            Flag.value("data-dir", "directory", "The agent's data. Needed."),
                            Flag.value("from", "index", "The first entry to show."),
                            Flag.yes(
                                    "json",
                                    "Print one JSON object per entry, then one of the whole.")),
                    List.of(
                            "cleat operator log inspect -data-dir=/var/lib/cleat",
                            "cleat operator log inspect -data-dir=/var/lib/cleat -from=1200 -json"));

    static boolean isMeant(List<String> args) {
        return args.size() >= WORDS.size() && args.subList(0, WORDS.size()).equals(WORDS);
    }

    @Override
    public int play() {
        return play(System.out, System.err);
    }

    int play(PrintStream out, PrintStream err) {
        try {
            Flags flags = PROGRAM.read(args);
            if (flags.isHelpWanted()) {
                out.print(PROGRAM.help());
                return 0;
            }
            Logging.begin();
            return inspect(flags, out);
        } catch (Failure failure) {
            return Program.report(failure, new PrintWriter(err, true, StandardCharsets.UTF_8));
        } catch (DiskTrouble trouble) {
            err.println("cleat " + PROGRAM.name() + ": " + trouble.reason());
            return 1;
        } finally {
            out.flush();
        }
    }

    private static int inspect(Flags flags, PrintStream out) throws Failure, DiskTrouble {
        Path data =
                Path.of(
                        flags.value("data-dir")
                                .orElseThrow(
                                        () ->
                                                new Failure(
                                                        "which log is not said",
                                                        "such as -data-dir=/var/lib/cleat")));
        long from = from(flags);
        boolean isJson = flags.has("json");
        LogInspection<?, ?> inspection =
                Server.inspect(
                        data.resolve("server"),
                        entry -> {
                            if (entry.index() >= from || entry.problem() != null) {
                                out.println(isJson ? Json.text(entry) : line(entry));
                            }
                        });
        Summary summary = Summary.of(inspection, data);
        out.println(isJson ? Json.text(summary) : summary.text());
        return summary.stuckAt().isPresent() || summary.snapshotProblem().isPresent() ? STUCK : 0;
    }

    private static long from(Flags flags) throws Failure {
        String given = flags.value("from").orElse("0");
        try {
            return Long.parseLong(given);
        } catch (NumberFormatException noNumber) {
            throw new Failure("-from=" + given + " is no index", "expected a number from 0");
        }
    }

    private static String line(InspectedEntry entry) {
        StringBuilder line = new StringBuilder();
        line.append(entry.index()).append("  ").append(entry.kind());
        if (!entry.reign().isEmpty()) {
            line.append("  reign ").append(shown(entry.reign()));
        }
        if (entry.number() != null) {
            line.append("  number ").append(entry.number());
        }
        if (entry.version() != null) {
            line.append("  version ").append(entry.version());
        }
        if (entry.decidedAt() != null) {
            line.append("  ").append(entry.decidedAt());
        }
        line.append("  ").append(entry.bytes()).append(" bytes");
        if (!entry.changes().isEmpty()) {
            line.append("  ")
                    .append(
                            entry.changes().stream()
                                    .limit(SHOWN_CHANGES)
                                    .map(row -> row.kind() + " " + shown(row.key()))
                                    .collect(Collectors.joining(", ")));
            int more = entry.changes().size() - SHOWN_CHANGES;
            line.append(more > 0 ? ", and " + more + " more" : "");
        }
        if (entry.problem() != null) {
            line.append("\n    PROBLEM  ").append(shown(entry.problem()));
        }
        return line.toString();
    }

    /** What others wrote, without what moves a terminal's cursor, and not without end. */
    private static String shown(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints()
                .limit(300)
                .forEach(
                        c ->
                                shown.appendCodePoint(
                                        Character.isISOControl(c)
                                                        || Character.getType(c) == Character.FORMAT
                                                ? 0xfffd
                                                : c));
        return shown.toString();
    }

    /** What was found of the whole. */
    private record Summary(
            long snapshotIndex,
            Optional<String> snapshotProblem,
            Optional<Long> stuckAt,
            long version,
            List<String> howToGoOn) {
        static Summary of(LogInspection<?, ?> inspection, Path data) {
            boolean isStuck =
                    inspection.stuckAt().isPresent() || inspection.snapshotProblem().isPresent();
            return new Summary(
                    inspection.snapshotIndex(),
                    inspection.snapshotProblem().map(LogRole::shown),
                    inspection.stuckAt(),
                    inspection.version(),
                    isStuck ? WayOn.ofTheLog(data) : List.of());
        }

        String text() {
            StringBuilder text = new StringBuilder("\n");
            text.append(
                    snapshotProblem
                            .map(why -> "Snapshot: " + why)
                            .orElse(
                                    snapshotIndex < 0
                                            ? "No snapshot."
                                            : "Snapshot of all up to entry "
                                                    + snapshotIndex
                                                    + "."));
            text.append("\nImage up to version ").append(version).append(".\n");
            text.append(
                    stuckAt.map(at -> "A start ends at entry " + at + ".")
                            .orElse(
                                    snapshotProblem.isPresent()
                                            ? "A start ends at the snapshot."
                                            : "A start reads all of it."));
            for (String step : howToGoOn) {
                text.append("\n  ").append(step);
            }
            return text.toString();
        }
    }
}
