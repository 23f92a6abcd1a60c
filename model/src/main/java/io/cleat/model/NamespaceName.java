package io.cleat.model;

/**
 * The first part of names. Most are of one namespace, and a look-up among a million compares it twenty times: there is
 * one text of it, which is told equal without being read.
 */
public final class NamespaceName {
    /** Where names are that say none. */
    public static final String DEFAULT = "default";

    private NamespaceName() {}

    /** The same text; of the namespace that most names are in, always the same one. */
    static String shared(String namespace) {
        return namespace.equals(DEFAULT) ? DEFAULT : namespace;
    }

    @SuppressWarnings("ReferenceEquality") // a short cut, which changes no answer
    static int compare(String one, String other) {
        return one == other ? 0 : one.compareTo(other);
    }
}
