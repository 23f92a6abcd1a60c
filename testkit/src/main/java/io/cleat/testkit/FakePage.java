package io.cleat.testkit;

import io.grpc.Status;

/**
 * A page of a list of the fake plugin; its token is the place of its first entry.
 *
 * @param to the place after its last entry
 */
record FakePage(int from, int to, String nextToken) {
    static FakePage of(String token, int maxEntries, int size) {
        if (!token.isEmpty() && (!token.matches("[0-9]{1,9}") || Integer.parseInt(token) > size)) {
            throw Status.ABORTED.withDescription("bad token").asRuntimeException();
        }
        int from = token.isEmpty() ? 0 : Integer.parseInt(token);
        int to = maxEntries == 0 ? size : Math.min(size, from + maxEntries);
        return new FakePage(from, to, to < size ? String.valueOf(to) : "");
    }
}
