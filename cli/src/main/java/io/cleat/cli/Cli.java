package io.cleat.cli;

import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.Trouble;
import io.cleat.base.VisibleText;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The command line. */
public final class Cli {
    private final List<Program> programs;

    /**
     * A command line.
     *
     * @param programs the words that start other roles; listed in the help, not run here
     */
    public Cli(List<Program> programs) {
        this.programs = List.copyOf(programs);
    }

    /**
     * Runs one command.
     *
     * @param args the words after the program's name
     * @param out where the answer goes
     * @param err where talk goes: progress, hints, errors
     * @return 0 when it did what was asked; else 1, or what the verb's help says
     */
    public int run(List<String> args, PrintWriter out, PrintWriter err, Environment environment) {
        try {
            return find(args, out, err, environment);
        } finally {
            out.flush();
            err.flush();
        }
    }

    private int find(List<String> args, PrintWriter out, PrintWriter err, Environment environment) {
        if (args.isEmpty()) {
            err.print(overview());
            return 1;
        }
        String first = args.getFirst();
        switch (first) {
            case "-v", "-version", "--version" -> {
                return find(List.of("version"), out, err, environment);
            }
            case "-h", "-help", "--help" -> {
                out.print(overview());
                return 0;
            }
            case "help" -> {
                List<String> about = new ArrayList<>(args.subList(1, args.size()));
                about.add("-h");
                return find(about, out, err, environment);
            }
            default -> {}
        }
        String alias = Verbs.ALIASES.get(first);
        if (alias != null) {
            List<String> words = new ArrayList<>(List.of(alias.split(" ", -1)));
            words.addAll(args.subList(1, args.size()));
            return find(words, out, err, environment);
        }
        Optional<Program> program =
                programs.stream().filter(known -> isNamed(known, args)).findFirst();
        if (program.isPresent()) {
            // Only its help is asked for here: what starts it has looked before.
            out.print(program.get().help());
            return 0;
        }
        Optional<List<Verb>> family = Verbs.family(first);
        if (family.isEmpty() && programsOf(first).isEmpty()) {
            return unknown(first, firstWords(), "cleat", err);
        }
        return inFamily(first, family.orElse(List.of()), args, out, err, environment);
    }

    /** The programs whose first word that is, of several. */
    private List<Program> programsOf(String word) {
        return programs.stream()
                .filter(program -> program.name().startsWith(word + " "))
                .toList();
    }

    /** A program's name may be several words. */
    private static boolean isNamed(Program program, List<String> args) {
        List<String> words = List.of(program.name().split(" ", -1));
        return args.size() >= words.size() && args.subList(0, words.size()).equals(words);
    }

    private int inFamily(
            String word,
            List<Verb> family,
            List<String> args,
            PrintWriter out,
            PrintWriter err,
            Environment environment) {
        for (Verb verb : family) {
            List<String> words = List.of(verb.name().split(" ", -1));
            if (args.size() >= words.size() && args.subList(0, words.size()).equals(words)) {
                List<String> rest = args.subList(words.size(), args.size());
                return perform(verb, rest, out, err, environment);
            }
        }
        String second = args.size() > 1 ? args.get(1) : "";
        List<Verb> listed = new ArrayList<>(family);
        programsOf(word).forEach(program -> listed.add(listed(program)));
        String list = Help.list("cleat " + word + " VERB [flags] [arguments]", listed);
        if (Set.of("-h", "-help", "--help").contains(second)) {
            out.print(list);
            return 0;
        }
        if (second.isEmpty()) {
            err.print(list);
            return 1;
        }
        List<String> known = listed.stream()
                .map(verb -> verb.name().substring(word.length() + 1))
                .toList();
        return unknown(second, known, "cleat " + word, err);
    }

    private static int perform(
            Verb verb, List<String> args, PrintWriter out, PrintWriter err, Environment environment) {
        try {
            Flags flags = Flags.parse(args, verb.allFlags(), verb.own());
            if (flags.isHelpWanted()) {
                out.print(Help.of(verb));
                return 0;
            }
            int given = flags.rest().size();
            if (given < verb.least() || given > verb.most()) {
                throw new Failure(
                        "cleat %s takes %s, got %d".formatted(verb.name(), arguments(verb), given),
                        "more about it: cleat " + verb.name() + " -h");
            }
            return verb.action().run(new Call(flags, out, err, environment));
        } catch (Failure | UnexpectedAnswer | Trouble | IOException | InterruptedException e) {
            out.flush();
            return ExitCodes.report(verb, e, err);
        }
    }

    private static String arguments(Verb verb) {
        if (verb.most() == 0) {
            return "no arguments";
        }
        String count = verb.most() == Integer.MAX_VALUE
                ? "at least " + verb.least()
                : verb.least() == verb.most() ? Integer.toString(verb.most()) : verb.least() + " to " + verb.most();
        return count
                + (verb.most() == 1 && verb.least() == 1 ? " argument" : " arguments")
                + " ("
                + verb.arguments()
                + ")";
    }

    private static int unknown(String word, List<String> known, String where, PrintWriter err) {
        err.print("Error: " + where + " has no verb \"" + VisibleText.line(word) + "\"\n");
        String next = Nearest.to(word, known)
                .map(near -> "did you mean: " + where + " " + near)
                .orElse("all verbs: " + where + " -h");
        err.print("  " + next + "\n");
        return 1;
    }

    private static Verb listed(Program program) {
        return Verb.named(program.name(), program.summary()).does(call -> 0);
    }

    private List<String> firstWords() {
        Set<String> words = new LinkedHashSet<>(Verbs.ALIASES.keySet());
        Verbs.all().forEach(verb -> words.add(verb.family()));
        programs.forEach(program -> words.add(program.name().split(" ", 2)[0]));
        return List.copyOf(words);
    }

    private String overview() {
        List<Verb> all = new ArrayList<>();
        for (Program program : programs) {
            all.add(listed(program));
        }
        all.addAll(Verbs.all());
        return Help.list("cleat VERB [flags] [arguments]", all)
                + "One word for two: run, plan, validate, status and stop are those of job.\n";
    }
}
