package io.cleat.api;

/**
 * What an answer says beside its body, in headers.
 *
 * @param index the version the answer is of; what a blocking query passes as its next {@code index}
 * @param lastContactMillis how long ago the answering member heard of the leader, in ms
 * @param nextToken where the next page begins; empty if there is none
 */
public record AnswerMeta(long index, long lastContactMillis, boolean knownLeader, String nextToken) {
    /** What the leader says of version {@code index}. */
    public static AnswerMeta ofLeader(long index) {
        return new AnswerMeta(index, 0, true, "");
    }

    /** The same, with a next page that begins at {@code token}; empty for none. */
    public AnswerMeta withNextToken(String token) {
        return new AnswerMeta(index, lastContactMillis, knownLeader, token);
    }
}
