package io.cleat.driver.docker;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A version of Docker's API, such as 1.41. */
record ApiVersion(int major, int minor) {
    /** The first whose {@code stop} takes a signal. */
    static final ApiVersion STOPS_BY_SIGNAL = new ApiVersion(1, 42);

    private static final Pattern FORM = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})");

    static Optional<ApiVersion> of(String text) {
        Matcher form = FORM.matcher(text);
        return form.matches()
                ? Optional.of(new ApiVersion(Integer.parseInt(form.group(1)), Integer.parseInt(form.group(2))))
                : Optional.empty();
    }

    boolean isBefore(ApiVersion other) {
        return major != other.major ? major < other.major : minor < other.minor;
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
