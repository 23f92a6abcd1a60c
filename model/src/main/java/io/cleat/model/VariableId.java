package io.cleat.model;

/**
 * A variable's path within its namespace.
 *
 * @param path such as {@code nomad/jobs/web}
 */
public record VariableId(String namespace, String path) implements Comparable<VariableId> {
    @Override
    public int compareTo(VariableId other) {
        int byNamespace = namespace.compareTo(other.namespace);
        return byNamespace != 0 ? byNamespace : path.compareTo(other.path);
    }

    @Override
    public String toString() {
        return namespace + "/" + path;
    }
}
