package io.cleat.cli;

import java.io.PrintWriter;
import java.util.List;

/**
 * A word that starts another role of the program and is not a verb of the command line. It is described as verbs are,
 * and takes its flags as they do; it is not run here.
 *
 * @param name the word
 * @param summary one line for the list
 * @param about what it does, in a few sentences
 * @param flags all that it knows, beside {@code -h}
 * @param examples whole command lines
 */
public record Program(String name, String summary, String about, List<Flag> flags, List<String> examples) {
    public Program {
        flags = List.copyOf(flags);
        examples = List.copyOf(examples);
    }

    /**
     * Reads what follows the word.
     *
     * @throws Failure for a flag that is not known or lacks its value, and for what is no flag
     */
    public Flags read(List<String> args) throws Failure {
        Flags read = Flags.parse(args, flags);
        if (!read.rest().isEmpty()) {
            throw new Failure(
                    "cleat " + name + " takes no arguments, got \""
                            + read.rest().getFirst() + "\"",
                    "its flags: cleat " + name + " -h");
        }
        return read;
    }

    /**
     * Reads what follows the words, one of which is no flag.
     *
     * @param what it names, such as {@code FILE}
     * @throws Failure as {@link #read(List)}, and if that one is not given
     */
    public Flags read(List<String> args, String what) throws Failure {
        Flags read = Flags.parse(args, flags);
        if (!read.isHelpWanted() && read.rest().size() != 1) {
            throw new Failure(
                    "cleat " + name + " takes one " + what + ", got "
                            + read.rest().size(),
                    "how it is called: cleat " + name + " -h");
        }
        return read;
    }

    /** How to use it. */
    public String help() {
        return Help.of(this);
    }

    /** Says why it did not start; answers the exit code. */
    public static int report(Failure failure, PrintWriter err) {
        int code = ExitCodes.report(1, failure, err);
        err.flush();
        return code;
    }
}
