package io.cleat.model;

/** A job's name within its namespace. */
public record JobId(String namespace, String id) implements Comparable<JobId> {
    public JobId {
        namespace = NamespaceName.shared(namespace);
    }

    @Override
    public int compareTo(JobId other) {
        int byNamespace = NamespaceName.compare(namespace, other.namespace);
        return byNamespace != 0 ? byNamespace : id.compareTo(other.id);
    }

    @Override
    public String toString() {
        return namespace + "/" + id;
    }
}
