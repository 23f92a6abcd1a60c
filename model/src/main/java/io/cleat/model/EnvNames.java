package io.cleat.model;

import java.util.regex.Pattern;

/** Names as a shell takes them. */
public final class EnvNames {
    private static final Pattern OTHER = Pattern.compile("[^A-Za-z0-9_]");

    private EnvNames() {}

    /** The name with each other character as an underscore. */
    public static String of(String name) {
        return OTHER.matcher(name).replaceAll("_");
    }
}
