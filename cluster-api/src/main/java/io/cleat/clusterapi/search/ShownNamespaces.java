package io.cleat.clusterapi.search;

/**
 * Which namespaces a search looks at.
 *
 * @param name of one, or {@code *} for all
 */
record ShownNamespaces(String name) {
    /** Whether rows of many namespaces are looked through, whose ids are in no common order. */
    boolean areAll() {
        return name.equals("*");
    }

    /** Whether what is in that one is shown. */
    boolean has(String namespace) {
        return areAll() || name.equals(namespace);
    }

    /** Where the names of the namespace begin; of all namespaces, the beginning. */
    String first() {
        return areAll() ? "" : name;
    }

    /** Where the names of the namespace begin that begin so. */
    String from(String prefix) {
        return areAll() ? "" : prefix;
    }
}
