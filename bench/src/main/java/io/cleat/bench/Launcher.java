package io.cleat.bench;

import java.nio.file.Path;

/** The program as a user starts it. */
final class Launcher {
    private Launcher() {}

    static Path path() {
        return Path.of(System.getProperty("cleat.launcher", "cleat")).toAbsolutePath();
    }

    /** The native program beside it. */
    static Path shim() {
        return path().resolveSibling("build").resolve("shim");
    }

    static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }
}
