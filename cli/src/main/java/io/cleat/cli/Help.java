package io.cleat.cli;

import java.util.List;

/** The help texts. */
final class Help {
    private static final int WIDTH = 78;

    private Help() {}

    /** How to use {@code verb}. */
    static String of(Verb verb) {
        StringBuilder text = new StringBuilder("Usage: cleat ").append(verb.name());
        text.append(verb.flags().isEmpty() ? "" : " [flags]");
        text.append(verb.arguments().isEmpty() ? "" : " " + verb.arguments()).append("\n\n");
        wrap(text, verb.about().isEmpty() ? verb.summary() : verb.about(), "  ");
        examples(text, verb.examples());
        flags(text, "Flags", verb.flags());
        flags(text, "General flags", Flag.GENERAL);
        return text.toString();
    }

    /** How to use {@code program}. */
    static String of(Program program) {
        StringBuilder text = new StringBuilder("Usage: cleat ").append(program.name());
        text.append(program.flags().isEmpty() ? "" : " [flags]").append("\n\n");
        wrap(text, program.about(), "  ");
        examples(text, program.examples());
        flags(text, "Flags", program.flags());
        return text.toString();
    }

    private static void examples(StringBuilder text, List<String> examples) {
        if (!examples.isEmpty()) {
            text.append("\nExamples:\n");
            examples.forEach(example -> text.append("  ").append(example).append('\n'));
        }
    }

    private static void flags(StringBuilder text, String title, List<Flag> flags) {
        if (flags.isEmpty()) {
            return;
        }
        text.append('\n').append(title).append(":\n");
        for (Flag flag : flags) {
            text.append("  -").append(flag.name());
            String value = "=<" + flag.placeholder() + ">";
            text.append(
                    switch (flag.kind()) {
                        case SWITCH -> "\n";
                        case OPTIONAL -> "[" + value + "]\n";
                        case VALUE -> value + "\n";
                        case REPEATED -> value + "  (may be repeated)\n";
                    });
            wrap(text, flag.about(), "      ");
        }
    }

    /** The verbs of one family, or of the whole program. */
    static String list(String usage, List<Verb> verbs) {
        StringBuilder text = new StringBuilder("Usage: ").append(usage).append("\n\nVerbs:\n");
        int width = verbs.stream().mapToInt(verb -> verb.name().length()).max().orElse(0);
        for (Verb verb : verbs) {
            text.append("  ")
                    .append(verb.name())
                    .repeat(' ', width - verb.name().length() + 2)
                    .append(verb.summary())
                    .append('\n');
        }
        return text.append("\nMore about one of them: cleat VERB -h\n").toString();
    }

    private static void wrap(StringBuilder text, String words, String indent) {
        for (String paragraph : words.split("\n", -1)) {
            int column = 0;
            if (paragraph.isEmpty()) {
                text.append('\n');
                continue;
            }
            for (String word : paragraph.split(" ", -1)) {
                if (column > 0 && column + 1 + word.length() > WIDTH) {
                    text.append('\n');
                    column = 0;
                }
                text.append(column == 0 ? indent : " ").append(word);
                column += (column == 0 ? indent.length() : 1) + word.length();
            }
            text.append('\n');
        }
    }
}
