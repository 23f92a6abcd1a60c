package io.cleat.kernel;

import org.junit.jupiter.api.Assumptions;

/** What a test needs that only root has. */
final class Root {
    private Root() {}

    static void required(String what) {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")),
                "reason: " + what + " needs root, and the tests run as another user");
    }
}
