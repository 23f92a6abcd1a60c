package io.cleat.http;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A path with names in it, such as {@code /v1/job/:id}.
 *
 * @param parts between its slashes; one that begins with a colon is a name, which stands for anything but nothing; the
 *     last may begin with a star, and is a name for all that is left, slashes too
 */
record PathPattern(List<String> parts) {
    static PathPattern of(String text) {
        return new PathPattern(List.of(text.substring(1).split("/", -1)));
    }

    /** Which its second part must be; empty if that may be any, or need not be there. */
    String secondPart() {
        return parts.size() < 2 || isRest(parts.get(0)) || isRest(parts.get(1)) || isName(parts.get(1))
                ? ""
                : parts.get(1);
    }

    /** What its names stand for, if that is such a path. */
    Optional<Map<String, String>> match(List<String> segments) {
        boolean isOpen = isRest(parts.getLast());
        boolean fits = isOpen ? segments.size() >= parts.size() : segments.size() == parts.size();
        if (!fits || !begins(segments)) {
            return Optional.empty();
        }
        Map<String, String> variables = new HashMap<>();
        for (int i = 0; i < parts.size(); i++) {
            if (isRest(parts.get(i))) {
                variables.put(parts.get(i).substring(1), String.join("/", segments.subList(i, segments.size())));
            } else if (isName(parts.get(i))) {
                variables.put(parts.get(i).substring(1), segments.get(i));
            }
        }
        return Optional.of(variables);
    }

    /** Whether that is such a path, or one below it. */
    boolean begins(List<String> segments) {
        if (segments.size() < parts.size()) {
            return false;
        }
        for (int i = 0; i < parts.size(); i++) {
            String segment = segments.get(i);
            if (isRest(parts.get(i))) {
                return segments.size() > parts.size() || !segment.isEmpty();
            }
            if (isName(parts.get(i)) ? segment.isEmpty() : !parts.get(i).equals(segment)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isRest(String part) {
        return part.startsWith("*");
    }

    private static boolean isName(String part) {
        return part.startsWith(":");
    }

    @Override
    public String toString() {
        return "/" + String.join("/", parts);
    }
}
