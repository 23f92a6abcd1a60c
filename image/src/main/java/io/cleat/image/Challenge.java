package io.cleat.image;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a registry wants to know before it answers: the field {@code WWW-Authenticate}.
 *
 * @param scheme in lower case: {@code bearer} or {@code basic}
 * @param parameters by name, in lower case
 */
record Challenge(String scheme, Map<String, String> parameters) {
    private static final Pattern PARAMETER = Pattern.compile("([A-Za-z]+)=\"([^\"]*)\"");
    private static final int LONGEST = 4096;

    /** The one of the fields that is understood; tokens first. */
    static Optional<Challenge> of(List<String> fields) {
        return find(fields, "bearer").or(() -> find(fields, "basic"));
    }

    private static Optional<Challenge> find(List<String> fields, String scheme) {
        for (String field : fields) {
            boolean isIt = field.length() <= LONGEST
                    && field.strip().toLowerCase(Locale.ROOT).startsWith(scheme);
            if (isIt) {
                Map<String, String> parameters = new TreeMap<>();
                Matcher matcher = PARAMETER.matcher(field);
                while (matcher.find()) {
                    parameters.put(matcher.group(1).toLowerCase(Locale.ROOT), matcher.group(2));
                }
                return Optional.of(new Challenge(scheme, parameters));
            }
        }
        return Optional.empty();
    }

    /** A parameter; empty if it is not there. */
    String parameter(String name) {
        return parameters.getOrDefault(name, "");
    }
}
