package io.cleat.model;

/**
 * A variable's path within its namespace.
 *
 * @param path such as {@code nomad/jobs/web}
 */
public record VariableId(String namespace, String path) implements Comparable<VariableId> {
    public VariableId {
        namespace = NamespaceName.shared(namespace);
    }

    @Override
    public int compareTo(VariableId other) {
        int byNamespace = NamespaceName.compare(namespace, other.namespace);
        return byNamespace != 0 ? byNamespace : path.compareTo(other.path);
    }

    @Override
    public String toString() {
        return namespace + "/" + path;
    }
}
