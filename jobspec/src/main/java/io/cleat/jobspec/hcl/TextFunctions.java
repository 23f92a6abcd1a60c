package io.cleat.jobspec.hcl;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** {@code format join split lower upper replace trimspace}. */
final class TextFunctions {
    private TextFunctions() {}

    static void addTo(Functions all) {
        all.add("format", "spec, values...", 1, Functions.ANY, Format::call);
        all.add("join", "separator, list...", 2, Functions.ANY, TextFunctions::join);
        all.add("split", "separator, text", 2, 2, TextFunctions::split);
        all.add("lower", "text", 1, 1, in -> Value.of(in.text(0).toLowerCase(Locale.ROOT)));
        all.add("upper", "text", 1, 1, in -> Value.of(in.text(0).toUpperCase(Locale.ROOT)));
        all.add("replace", "text, search, replacement", 3, 3, TextFunctions::replace);
        all.add("trimspace", "text", 1, 1, in -> Value.of(in.text(0).strip()));
    }

    private static Value join(Arguments in) throws Misuse {
        String separator = in.text(0);
        BoundedText out = new BoundedText();
        boolean first = true;
        for (int i = 1; i < in.count(); i++) {
            for (Value item : in.items(i)) {
                if (!first) {
                    out.add(separator);
                }
                first = false;
                out.add(Convert.text(item));
            }
        }
        return out.value();
    }

    private static Value split(Arguments in) throws Misuse {
        String separator = in.text(0);
        String text = in.text(1);
        List<Value> parts = new ArrayList<>();
        if (separator.isEmpty()) {
            requireParts(text.length());
            text.codePoints().forEach(c -> parts.add(Value.of(Character.toString(c))));
            return new Value.Items(parts);
        }
        int from = 0;
        for (int at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, from)) {
            requireParts(parts.size());
            parts.add(Value.of(text.substring(from, at)));
            from = at + separator.length();
        }
        parts.add(Value.of(text.substring(from)));
        return new Value.Items(parts);
    }

    /** Before they are made: a text of commas has a million parts. */
    private static void requireParts(int parts) throws Misuse {
        if (parts > Limits.PARTS) {
            throw new Misuse("The text has more than " + Limits.PARTS + " parts.", parts / Limits.TEXT_PER_STEP);
        }
    }

    private static Value replace(Arguments in) throws Misuse {
        String text = in.text(0);
        String search = in.text(1);
        String replacement = in.text(2);
        BoundedText out = new BoundedText();
        int from = 0;
        while (true) {
            int at = text.indexOf(search, from);
            if (at < 0 || (search.isEmpty() && at >= text.length())) {
                break;
            }
            // An empty search stands before each character.
            int end = at + Math.max(1, search.length());
            out.add(text.substring(from, at)).add(replacement);
            out.add(search.isEmpty() ? text.substring(at, end) : "");
            from = end;
        }
        out.add(text.substring(from));
        return search.isEmpty() ? out.add(replacement).value() : out.value();
    }
}
