package io.cleat.launch;

import io.cleat.api.Json;
import io.cleat.base.DiskTrouble;
import io.cleat.base.VisibleText;
import io.cleat.cli.Failure;
import io.cleat.cli.Flag;
import io.cleat.cli.Flags;
import io.cleat.cli.Program;
import io.cleat.log.CheckedFile;
import io.cleat.server.Server;
import io.cleat.server.commit.InspectedEntry;
import io.cleat.server.commit.LogInspection;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Looks at the log of a server that does not run.
 *
 * @param program {@link #INSPECT} or {@link #VERIFY}
 */
record LogRole(Program program, List<String> args) implements Role {
    private static final int SHOWN_CHANGES = 6;
    private static final int STUCK = 3;
    static final Program INSPECT = new Program(
            "operator log inspect",
            "Show the log of a server that does not run",
            """
                    Reads the replicated log in a data directory whose agent does not run, entry by \
                    entry, as a starting server does, and changes nothing. Names for each entry its \
                    kind, reign, version, time, and the rows that it changes, without their values. \
                    Marks the entry that cannot be read or applied, and says how to go on.

                    Exit code: 0 if a start would read all of it; 3 if it would end at some entry; 1 \
                    if the log could not be looked at.""",
            List.of(
                    OfflineProgram.DATA,
                    Flag.value("from", "index", "The first entry to show."),
                    Flag.yes("json", "Print one JSON object per entry, then one of the whole.")),
            List.of(
                    "cleat operator log inspect -data-dir=/var/lib/cleat",
                    "cleat operator log inspect -data-dir=/var/lib/cleat -from=1200 -json"));

    static final Program VERIFY = new Program(
            "operator log verify",
            "Check the files of a log that no server has open",
            """
                    Reads each file of the replicated log in a data directory whose agent does not \
                    run, or in a copy of one, to its end, and changes nothing: checksums, gaps \
                    between the files, and an end that a start would take off.

                    Exit code: 0 if a start can read all of it; 3 if a file is damaged or gone; 1 if \
                    the log could not be looked at.""",
            List.of(OfflineProgram.DATA, Flag.yes("json", "Print one JSON object per file.")),
            List.of("cleat operator log verify -data-dir=/var/lib/cleat"));

    /** The role that a command line asks for, if it is one of these. */
    static Optional<LogRole> of(List<String> args) {
        return OfflineProgram.named(args, List.of(INSPECT, VERIFY), LogRole::new);
    }

    @Override
    public int play() {
        return play(System.out, System.err);
    }

    int play(PrintStream out, PrintStream err) {
        return OfflineProgram.play(program, out, err, () -> run(out));
    }

    private int run(PrintStream out) throws Failure, DiskTrouble {
        Flags flags = program.read(args);
        if (flags.isHelpWanted()) {
            out.print(program.help());
            return 0;
        }
        Logging.begin();
        Path data = OfflineProgram.data(flags);
        boolean isJson = flags.has("json");
        return program.equals(VERIFY) ? verify(data, isJson, out) : inspect(data, from(flags), isJson, out);
    }

    private static int verify(Path data, boolean isJson, PrintStream out) throws DiskTrouble {
        List<CheckedFile> files = Server.verify(data.resolve("server"));
        long bad = files.stream().filter(file -> file.fault().isPresent()).count();
        if (isJson) {
            files.forEach(file -> out.println(Json.text(file)));
            return bad > 0 ? STUCK : 0;
        }
        int width = files.stream().mapToInt(file -> file.name().length()).max().orElse(0);
        for (CheckedFile file : files) {
            out.println(("%-" + width + "s  %s").formatted(file.name(), file.holds()));
            // Whole: at its end it says what to do.
            file.fault().ifPresent(why -> out.println("    PROBLEM  it " + VisibleText.line(why)));
        }
        out.println();
        out.println(
                bad == 0
                        ? "A start can read all of it."
                        : "A start ends here. Put the log's directory back from a copy: docs/log-cannot-be-read.md");
        return bad > 0 ? STUCK : 0;
    }

    private static int inspect(Path data, long from, boolean isJson, PrintStream out) throws DiskTrouble {
        LogInspection<?, ?> inspection = Server.inspect(data.resolve("server"), entry -> {
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
                    .append(entry.changes().stream()
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
                .forEach(c -> shown.appendCodePoint(
                        Character.isISOControl(c) || Character.getType(c) == Character.FORMAT ? 0xfffd : c));
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
            boolean isStuck = inspection.stuckAt().isPresent()
                    || inspection.snapshotProblem().isPresent();
            return new Summary(
                    inspection.snapshotIndex(),
                    inspection.snapshotProblem().map(LogRole::shown),
                    inspection.stuckAt(),
                    inspection.version(),
                    isStuck ? RecoveryAdvice.ofTheLog(data) : List.of());
        }

        String text() {
            StringBuilder text = new StringBuilder("\n");
            text.append(snapshotProblem
                    .map(why -> "Snapshot: " + why)
                    .orElse(snapshotIndex < 0 ? "No snapshot." : "Snapshot of all up to entry " + snapshotIndex + "."));
            text.append("\nImage up to version ").append(version).append(".\n");
            text.append(stuckAt.map(at -> "A start ends at entry " + at + ".")
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
