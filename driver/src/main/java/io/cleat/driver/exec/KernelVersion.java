package io.cleat.driver.exec;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The first two numbers of the kernel's release, such as 6.1. */
record KernelVersion(int major, int minor) {
    private static final Pattern FORM = Pattern.compile("(\\d{1,5})\\.(\\d{1,5})");

    static KernelVersion ofThisMachine() {
        return of(System.getProperty("os.version", ""));
    }

    /** 0.0 for what is no release. */
    static KernelVersion of(String release) {
        Matcher numbers = FORM.matcher(release);
        return numbers.lookingAt()
                ? new KernelVersion(Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2)))
                : new KernelVersion(0, 0);
    }

    boolean isAtLeast(int otherMajor, int otherMinor) {
        return major > otherMajor || (major == otherMajor && minor >= otherMinor);
    }
}
