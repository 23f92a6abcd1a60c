package io.cleat.architecture;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The code of a source file without its comments, texts and characters, line for line. */
final class SourceText {
    // Text blocks first, then comments, texts and characters: whichever starts first wins.
    private static final Pattern NOT_CODE = Pattern.compile(
            "\"\"\"(?:\\\\.|[^\\\\])*?\"\"\"|/\\*.*?\\*/|//[^\\n]*"
                    + "|\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\\\n])*'",
            Pattern.DOTALL);

    private SourceText() {}

    static String codeOf(String source) {
        Matcher matcher = NOT_CODE.matcher(source);
        StringBuilder code = new StringBuilder();
        while (matcher.find()) {
            matcher.appendReplacement(code, "\n".repeat((int)
                            matcher.group().chars().filter(c -> c == '\n').count()));
        }
        return matcher.appendTail(code).toString();
    }

    /** The numbers of the lines, from 1, on which the pattern begins. */
    static List<Integer> linesWith(Pattern pattern, String code) {
        List<Integer> lines = new ArrayList<>();
        Matcher matcher = pattern.matcher(code);
        while (matcher.find()) {
            lines.add(1
                    + (int) code.substring(0, matcher.start())
                            .chars()
                            .filter(c -> c == '\n')
                            .count());
        }
        return lines;
    }
}
