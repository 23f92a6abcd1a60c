package io.cleat.driverschema;

/**
 * What whoever runs plugins puts into a plugin's environment, so that people who start it by hand are told what it is.
 * No secret.
 */
public final class Cookie {
    /** Its name. */
    public static final String VARIABLE = "NOMAD_PLUGIN_MAGIC_COOKIE";

    /** Its value. */
    public static final String VALUE = "e4327c2e01eabfd75a8a67adb114fb34a757d57eee7728d857a8cec6e91a7255";

    private Cookie() {}
}
