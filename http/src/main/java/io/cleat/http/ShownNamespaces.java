package io.cleat.http;

/**
 * Which namespaces a request is about.
 *
 * @param name of one, or {@code *} for all
 */
public record ShownNamespaces(String name) {
    public static final ShownNamespaces ALL = new ShownNamespaces("*");

    /** Whether rows of many namespaces are looked through, whose ids are in no common order. */
    public boolean areAll() {
        return name.equals(ALL.name);
    }

    /** Whether what is in that one is shown. */
    public boolean has(String namespace) {
        return areAll() || name.equals(namespace);
    }

    /** Where the names of the namespace begin; of all namespaces, the beginning. */
    public String first() {
        return areAll() ? "" : name;
    }

    /** Where the names of the namespace begin that begin so. */
    public String from(String prefix) {
        return areAll() ? "" : prefix;
    }
}
