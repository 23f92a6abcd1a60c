package io.cleat.base;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.List;

/** What stands in the place of a match, groups filled in as Go does. */
final class Replacement {
    private final List<Part> parts;

    /** A text, or the number of a group; -1 for a group that there is not, which is empty. */
    private sealed interface Part {
        record Text(String text) implements Part {}

        record Group(int number) implements Part {}
    }

    private Replacement(List<Part> parts) {
        this.parts = parts;
    }

    static Replacement of(String by, Pattern pattern) {
        List<Part> parts = new ArrayList<>();
        int from = 0;
        for (int at = by.indexOf('$'); at >= 0; at = by.indexOf('$', from)) {
            parts.add(new Part.Text(by.substring(from, at)));
            boolean isBraced = by.startsWith("{", at + 1);
            int start = at + (isBraced ? 2 : 1);
            int end = nameEnd(by, start);
            if (by.startsWith("$", at + 1)) {
                parts.add(new Part.Text("$"));
                from = at + 2;
            } else if (end == start || (isBraced && !by.startsWith("}", end))) {
                // No name: the sign stands for itself.
                parts.add(new Part.Text("$"));
                from = at + 1;
            } else {
                parts.add(new Part.Group(number(by.substring(start, end), pattern)));
                from = end + (isBraced ? 1 : 0);
            }
        }
        parts.add(new Part.Text(by.substring(from)));
        return new Replacement(parts);
    }

    private static int nameEnd(String by, int start) {
        int end = start;
        while (end < by.length() && (Character.isLetterOrDigit(by.charAt(end)) || by.charAt(end) == '_')) {
            end++;
        }
        return end;
    }

    private static int number(String name, Pattern pattern) {
        boolean isNumber = name.chars().allMatch(c -> c >= '0' && c <= '9');
        int number = isNumber
                ? name.length() > 4 ? -1 : Integer.parseInt(name)
                : pattern.namedGroups().getOrDefault(name, -1);
        return number > pattern.groupCount() ? -1 : number;
    }

    void addTo(MeteredText out, Matcher matcher, String text) throws Refused {
        for (Part part : parts) {
            switch (part) {
                case Part.Text(String plain) -> out.add(plain);
                case Part.Group(int number) -> {
                    if (number >= 0 && matcher.start(number) >= 0) {
                        out.add(text, matcher.start(number), matcher.end(number));
                    }
                }
            }
        }
    }
}
