package io.cleat.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes documents that may hold what is no JSON at all. */
public final class JsonText {
    private static final String DOTTED = "/";

    private JsonText() {}

    /**
     * A document with another value in one place.
     *
     * @param path as of {@link #paths}; empty for none
     * @param value the text that stands there, whatever it is
     */
    public static String of(@Nullable Object document, String path, String value) {
        StringBuilder out = new StringBuilder();
        write(document, "", path, value, out);
        return out.toString();
    }

    public static String of(@Nullable Object document) {
        return of(document, "-", "");
    }

    /** Where there is a value, the whole document first. */
    public static List<String> paths(@Nullable Object document) {
        List<String> all = new ArrayList<>();
        walk(document, "", all);
        return all;
    }

    private static void walk(@Nullable Object value, String path, List<String> into) {
        into.add(path);
        switch (value) {
            case Map<?, ?> map -> map.forEach((key, inner) -> walk(inner, path + DOTTED + key, into));
            case List<?> list -> {
                for (int i = 0; i < list.size(); i++) {
                    walk(list.get(i), path + DOTTED + i, into);
                }
            }
            case null, default -> {}
        }
    }

    private static void write(@Nullable Object value, String at, String path, String by, StringBuilder out) {
        if (at.equals(path)) {
            out.append(by);
            return;
        }
        switch (value) {
            case Map<?, ?> map -> {
                String comma = "{";
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    out.append(comma);
                    quote(String.valueOf(entry.getKey()), out);
                    out.append(':');
                    write(entry.getValue(), at + DOTTED + entry.getKey(), path, by, out);
                    comma = ",";
                }
                out.append(map.isEmpty() ? "{}" : "}");
            }
            case List<?> list -> {
                out.append('[');
                for (int i = 0; i < list.size(); i++) {
                    out.append(i == 0 ? "" : ",");
                    write(list.get(i), at + DOTTED + i, path, by, out);
                }
                out.append(']');
            }
            case String text -> quote(text, out);
            case null, default -> out.append(value);
        }
    }

    private static void quote(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
