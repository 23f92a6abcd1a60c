package io.cleat.cli;

import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.Trouble;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * One command.
 *
 * @param name all its words: {@code volume status}
 * @param arguments as the help shows them: {@code <volume> [node]}
 * @param least how many arguments it needs
 * @param most how many it takes
 * @param own how many of them are its own; the others are a command line in which a dash means nothing
 * @param summary one line, for the list of verbs
 * @param about what it does, in a few sentences
 * @param flags its own; the general ones are known everywhere
 * @param examples whole command lines
 * @param errorCode what it returns when it fails
 * @param action what it does
 */
record Verb(
        String name,
        String arguments,
        int least,
        int most,
        int own,
        String summary,
        String about,
        List<Flag> flags,
        List<String> examples,
        int errorCode,
        Action action) {

    /** What a verb does; the answer is its exit code. */
    @FunctionalInterface
    interface Action {
        int run(Call call) throws Failure, UnexpectedAnswer, Trouble, IOException, InterruptedException;
    }

    /** Its own flags, then the general ones. */
    List<Flag> allFlags() {
        List<Flag> all = new ArrayList<>(flags);
        all.addAll(Flag.GENERAL);
        return all;
    }

    /** The first word. */
    String family() {
        int space = name.indexOf(' ');
        return space < 0 ? name : name.substring(0, space);
    }

    /** Starts the description of a verb. */
    static Draft named(String name, String summary) {
        return new Draft(name, summary);
    }

    /** A verb being described. */
    static final class Draft {
        private final String name;
        private final String summary;
        private String arguments = "";
        private int least;
        private int most;
        private int own = Integer.MAX_VALUE;
        private String about = "";
        private List<Flag> flags = List.of();
        private List<String> examples = List.of();
        private int errorCode = 1;

        private Draft(String name, String summary) {
            this.name = name;
            this.summary = summary;
        }

        /** Between {@code least} and {@code most} arguments, shown as {@code text}. */
        Draft takes(int least, int most, String text) {
            this.least = least;
            this.most = most;
            this.arguments = text;
            return this;
        }

        /** One argument, then a command line that is passed on. */
        Draft takesCommand(String text) {
            this.least = 2;
            this.most = Integer.MAX_VALUE;
            this.own = 1;
            this.arguments = text;
            return this;
        }

        Draft about(String text) {
            this.about = text;
            return this;
        }

        Draft flags(Flag... flags) {
            this.flags = List.of(flags);
            return this;
        }

        Draft examples(String... examples) {
            this.examples = List.of(examples);
            return this;
        }

        Draft failsWith(int code) {
            this.errorCode = code;
            return this;
        }

        Verb does(Action action) {
            return new Verb(name, arguments, least, most, own, summary, about, flags, examples, errorCode, action);
        }
    }
}
