package io.cleat.state;

/** The claim of one of an allocation's volumes. */
public record ClaimId(String allocId, String alias) implements Comparable<ClaimId> {
    @Override
    public int compareTo(ClaimId other) {
        int byAlloc = allocId.compareTo(other.allocId);
        return byAlloc != 0 ? byAlloc : alias.compareTo(other.alias);
    }

    @Override
    public String toString() {
        return allocId + "/" + alias;
    }
}
