package io.cleat.launch;

import io.cleat.base.Trouble;
import io.cleat.base.VisibleText;
import io.cleat.cli.Failure;
import io.cleat.cli.Flag;
import io.cleat.cli.Flags;
import io.cleat.cli.Program;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** What the programs have in common that work on files of an agent that does not run. */
final class OfflineProgram {
    static final Flag DATA = Flag.value("data-dir", "directory", "The agent's data. Needed.");

    private OfflineProgram() {}

    /** What such a program does; answers the exit code. */
    @FunctionalInterface
    interface Body {
        int run() throws Failure, Trouble, InterruptedException;
    }

    /**
     * The role of the program that a command line names, if it names one of these.
     *
     * @param role makes it, with what follows the program's words
     */
    static <R> Optional<R> named(List<String> args, List<Program> programs, BiFunction<Program, List<String>, R> role) {
        for (Program program : programs) {
            List<String> words = List.of(program.name().split(" ", -1));
            if (args.size() >= words.size() && args.subList(0, words.size()).equals(words)) {
                return Optional.of(role.apply(program, args.subList(words.size(), args.size())));
            }
        }
        return Optional.empty();
    }

    /** Runs it, and says on {@code err} why it could not be done. */
    static int play(Program program, PrintStream out, PrintStream err, Body body) {
        try {
            return body.run();
        } catch (Failure failure) {
            return Program.report(failure, new PrintWriter(err, true, StandardCharsets.UTF_8));
        } catch (Trouble trouble) {
            err.println("cleat " + program.name() + ": " + VisibleText.lines(trouble.reason()));
            return 1;
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
            return 1;
        } finally {
            out.flush();
        }
    }

    /** The data directory that the flags name. */
    static Path data(Flags flags) throws Failure {
        return Path.of(flags.value(DATA.name())
                .orElseThrow(
                        () -> new Failure("which data directory is not said", "such as -data-dir=/var/lib/cleat")));
    }
}
