package io.cleat.launch;

import io.cleat.api.Json;
import io.cleat.base.Trouble;
import io.cleat.base.VisibleText;
import io.cleat.cli.Failure;
import io.cleat.cli.Flag;
import io.cleat.cli.Flags;
import io.cleat.cli.Program;
import io.cleat.driverplugin.DriverSuite;
import io.cleat.driverplugin.DriverSuite.Outcome;
import io.cleat.driverplugin.DriverSuite.Result;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Says of a driver plugin what of that which is owed it does. */
record DriverVerifyRole(List<String> args) implements Role {
    private static final String JUNIT = "junit";

    static final Program VERIFY = new Program(
            "driver verify",
            "Look at all that a driver plugin owes",
            """
                    Starts PROGRAM, a task driver in a program of its own, and looks at what it owes: \
                    what it says of itself, and with -task the life of tasks, also over the end of \
                    the agent and its own. The task has to run until it is stopped. Asks no agent, \
                    and leaves nothing behind.

                    Exit code: 0 if nothing failed; 1 if something did.""",
            List.of(
                    DriverTrial.CONFIG,
                    DriverTrial.TASK,
                    Flag.value(JUNIT, "file", "Write the report there, too, as JUnit XML."),
                    Flag.yes("json", "Print the report as JSON.")),
            List.of(
                    "cleat driver verify -task=sleep.hcl /opt/cleat/drivers/lxc",
                    "cleat driver verify -task=sleep.hcl -junit=report.xml ./lxc"));

    /** The role that a command line asks for, if it is this one. */
    static Optional<DriverVerifyRole> of(List<String> args) {
        return OfflineProgram.named(args, List.of(VERIFY), (program, rest) -> new DriverVerifyRole(rest));
    }

    @Override
    public int play() {
        return OfflineProgram.play(VERIFY, System.out, System.err, () -> run(System.out));
    }

    private int run(PrintStream out) throws Failure, Trouble, InterruptedException {
        Flags flags = VERIFY.read(args, "PROGRAM");
        if (flags.isHelpWanted()) {
            out.print(VERIFY.help());
            return 0;
        }
        Logging.silence();
        return DriverTrial.with(flags, trial -> verify(trial, flags, out));
    }

    private static int verify(DriverTrial trial, Flags flags, PrintStream out)
            throws Failure, Trouble, InterruptedException {
        trial.makeDirectories();
        List<Result> results = new DriverSuite(
                        trial.drivers(),
                        trial.settings(),
                        trial.parts(),
                        trial.task().map(block -> trial::task))
                .run();
        out.print(flags.has("json") ? Json.text(results) + "\n" : text(results));
        if (flags.value(JUNIT).isPresent()) {
            write(Path.of(flags.value(JUNIT).get()), junit(trial.settings().file(), results));
        }
        return count(results, Outcome.FAILED) > 0 ? 1 : 0;
    }

    private static long count(List<Result> results, Outcome outcome) {
        return results.stream().filter(each -> each.outcome() == outcome).count();
    }

    static String text(List<Result> results) {
        int width =
                results.stream().mapToInt(each -> each.name().length()).max().orElse(0);
        StringBuilder text = new StringBuilder();
        for (Result each : results) {
            String outcome = each.outcome().name().toLowerCase(Locale.ROOT);
            text.append(("%-7s  %-" + width + "s  %6d ms%n")
                    .formatted(outcome, each.name(), each.took().toMillis()));
            if (!each.why().isEmpty()) {
                text.append("           ").append(VisibleText.line(each.why())).append('\n');
            }
        }
        return text.append("%n%d passed, %d failed, %d skipped%n"
                        .formatted(
                                count(results, Outcome.PASSED),
                                count(results, Outcome.FAILED),
                                count(results, Outcome.SKIPPED)))
                .toString();
    }

    /** As build servers read it. */
    static String junit(String file, List<Result> results) {
        StringBuilder xml = new StringBuilder();
        xml.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        xml.append("<testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" skipped=\"%d\">\n"
                .formatted(
                        escaped(file),
                        results.size(),
                        count(results, Outcome.FAILED),
                        count(results, Outcome.SKIPPED)));
        for (Result each : results) {
            xml.append("  <testcase classname=\"driver\" name=\"%s\" time=\"%s\">"
                    .formatted(escaped(each.name()), each.took().toMillis() / 1000.0));
            switch (each.outcome()) {
                case PASSED -> {}
                case FAILED -> xml.append("<failure message=\"%s\"/>".formatted(escaped(each.why())));
                case SKIPPED -> xml.append("<skipped message=\"%s\"/>".formatted(escaped(each.why())));
            }
            xml.append("</testcase>\n");
        }
        return xml.append("</testsuite>\n").toString();
    }

    private static String escaped(String text) {
        return VisibleText.line(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private static void write(Path file, String xml) throws Failure {
        try {
            Files.writeString(file, xml);
        } catch (IOException failed) {
            throw new Failure(
                    "-" + JUNIT + ": " + file + " could not be written: " + failed,
                    "name a file in a directory that is there");
        }
    }
}
