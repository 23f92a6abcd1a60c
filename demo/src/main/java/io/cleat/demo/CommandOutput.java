package io.cleat.demo;

import io.cleat.api.LocalToken;
import io.cleat.base.Time;
import io.cleat.cli.Cli;
import io.cleat.cli.Environment;
import io.cleat.cli.StreamTerminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;

/**
 * What a command of the command line prints.
 *
 * @param command as a user writes it
 */
record CommandOutput(String command, List<String> lines) {
    /** Runs a command in this process against the agent at {@code address}. */
    static CommandOutput of(String address, Time time, String... words) throws CheckFailed {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Environment environment = new Environment(
                Map.of("CLEAT_ADDR", address),
                Path.of(""),
                StreamTerminal.withoutPerson(new byte[0]),
                time,
                ZoneId.systemDefault(),
                LocalToken.AGENTS);
        int code = new Cli(List.of()).run(List.of(words), new PrintWriter(out), new PrintWriter(err), environment);
        String command = "cleat " + String.join(" ", words);
        CheckFailed.unless(
                code == 0,
                command,
                "exit code 0",
                "exit code " + code + ": " + err.toString().strip());
        return new CommandOutput(command, out.toString().lines().toList());
    }

    /** Fails unless the output says {@code text} somewhere. */
    void says(String meaning, String text) throws CheckFailed {
        CheckFailed.unless(
                lines.stream().anyMatch(line -> line.contains(text)),
                command,
                "it says " + meaning + ": \"" + text + "\"",
                "\n" + String.join("\n", lines));
    }

    /** The lines that have one of {@code texts}, in their order. */
    List<String> with(String... texts) {
        return lines.stream().filter(line -> hasOne(line, texts)).toList();
    }

    /** From the first line that has {@code text}, up to the next empty one. */
    List<String> section(String text) {
        return lines.stream()
                .dropWhile(line -> !line.contains(text))
                .takeWhile(line -> !line.isBlank())
                .toList();
    }

    private static boolean hasOne(String line, String... texts) {
        for (String text : texts) {
            if (line.contains(text)) {
                return true;
            }
        }
        return false;
    }
}
