package io.cleat.model;

/** A volume's name within its namespace; not the provider's, which is its external id. */
public record VolumeId(String namespace, String id) implements Comparable<VolumeId> {
    public VolumeId {
        namespace = NamespaceName.shared(namespace);
    }

    @Override
    public int compareTo(VolumeId other) {
        int byNamespace = NamespaceName.compare(namespace, other.namespace);
        return byNamespace != 0 ? byNamespace : id.compareTo(other.id);
    }

    @Override
    public String toString() {
        return namespace + "/" + id;
    }
}
